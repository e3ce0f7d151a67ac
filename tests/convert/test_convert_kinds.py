"""Every pod spec of every kind that can hold a claim is converted."""

from __future__ import annotations

import pytest
import yaml

from dralint.kube.kinds import workload_kinds

FULL = [
    pytest.param(
        kind, place, id=f"{kind.group}/{kind.kind}-{(kind.versions or ('any',))[0]}-{'.'.join(place.path)}"
    )
    for kind in workload_kinds()
    for place in kind.pods
    if place.schema == "full"
]


def at(path, value):
    """An object that has the value at the path; wildcards become one item, or one key."""
    for step in reversed(path):
        if step == "[]":
            value = [{"name": "one", "groupName": "one"} | value]
        elif step == "*":
            value = {"Worker": value}
        else:
            value = {step: value}
    return value


def merged(one, other):
    return {
        key: merged(one[key], other[key])
        if isinstance(one.get(key), dict) and isinstance(other.get(key), dict)
        else one.get(key, other.get(key))
        for key in [*one, *(key for key in other if key not in one)]
    }


def manifest(kind, place):
    container = {"name": "main", "image": "x", "resources": {"limits": {"cpu": 1, "nvidia.com/gpu": 2}}}
    pod = {**at((place.containers or (("containers", "[]"),))[0], container), "restartPolicy": "Never"}
    version = (kind.versions or ("v1",))[0]
    obj = {
        "apiVersion": f"{kind.group}/{version}" if kind.group else version,
        "kind": kind.kind,
        "metadata": {"name": "work"},
        **at(place.path, pod),
    }
    if kind.group == "apps":
        obj["spec"]["selector"] = {}
    if "templateRef" in place.path:
        obj["spec"]["roleTemplates"] = [{"name": "base", "template": {"spec": {"containers": []}}}]
        pattern = next(iter(obj["spec"]["roles"][0].keys() & {"standalonePattern", "leaderWorkerPattern"}))
        obj["spec"]["roles"][0][pattern]["templateRef"]["name"] = "base"
    if place.when and "containers" not in place.when:
        obj = merged(obj, at(place.when, {}))
    return obj


@pytest.mark.parametrize(("kind", "place"), FULL)
def test_kind(convert_text, kind, place):
    text = yaml.safe_dump(manifest(kind, place), sort_keys=False)
    result = convert_text(text)
    assert result.outcomes == ["converted"]
    template, _ = yaml.safe_load_all(result.text)
    assert template["metadata"]["name"].startswith("work")
    assert result.occurrences[0].container == "main"
    if place.gpu_count is not None:
        assert 'num-gpus: "2"' in result.text or "num-gpus: '2'" in result.text
