"""Values of a wrong type anywhere in an object: a conversion never fails on one, and a second run changes nothing."""

from __future__ import annotations

import copy
import json

import pytest

from tests.convert.combined import OBJECTS, documents
from tests.convert.conftest import converted

WRONG = [["x"], "x", {"x": ["x"]}, None]
BESIDE = [
    {"name": "a", "resources": {"limits": {"nvidia.com/gpu": 1}}},
    {
        "name": "b",
        "env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "0"}],
        "resources": {"limits": {"cpu": 1}, "requests": {"cpu": 1}},
    },
]
CLAIMS = {
    "containers": [{"name": "a", "resources": {"limits": {"nvidia.com/gpu": 1}, "claims": [{"name": "b"}]}}],
    "resourceClaims": [{"name": "b", "resourceClaimTemplateName": "b"}],
    "tolerations": [{"operator": "Exists"}],
    "nodeSelector": {"nvidia.com/gpu.product": "NVIDIA-L40S"},
}
MORE = {
    name: {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}
    for name, spec in (("beside", {"containers": BESIDE}), ("claims", CLAIMS))
}


def places(value, path=()):
    """The paths of all that stands in a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in items:
        yield (*path, step)
        yield from places(inner, (*path, step))


def with_value(obj, path, value):
    changed = copy.deepcopy(obj)
    holder = changed
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return changed


EACH = {**{obj["metadata"]["name"]: obj for text in OBJECTS for obj in documents(text)}, **MORE}


@pytest.mark.parametrize("name", EACH)
def test_a_value_of_a_wrong_type(name):
    obj = EACH[name]
    for number, path in enumerate(places(obj)):
        for wrong in (WRONG[0], WRONG[1 + number % 3]):
            converted(json.dumps(with_value(obj, path, wrong)), companions=True)
