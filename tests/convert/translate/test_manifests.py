"""Whole manifests before and after: the devices that pods can get stay the same."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dralint.convert.translate.demands import Constraints, Demand, Term
from dralint.nvidia.node_labels import Device
from tests.convert.translate.gfd import fits, fleet, matches
from tests.convert.translate.test_equivalence import constraints, written

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
RESOURCES = {"nvidia.com/gpu": Device("gpu"), "nvidia.com/mig-1g.10gb": Device("mig", "1g.10gb")}
CLASSES = {"gpu.nvidia.com": "gpu", "mig.nvidia.com": "mig"}


def manifest(found: Constraints, resource: str) -> str:
    """A pod with these constraints; of one label in nodeSelector the last counts."""
    spec = {
        "containers": [{"name": "main", "image": "train:1", "resources": {"limits": {resource: 1}}}],
        "nodeSelector": {each.key: each.values[0] for each in found.selector},
    }
    if found.terms is not None:
        terms = [
            {
                "matchExpressions": [
                    {"key": each.key, "operator": each.operator, "values": list(each.values)}
                    for each in term.demands
                ]
            }
            for term in found.terms
        ]
        spec["affinity"] = {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": terms}}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "train"}, "spec": spec}
    return yaml.safe_dump(pod, sort_keys=False)


def _demand(expression):
    return Demand(expression["key"], expression["operator"], tuple(expression.get("values", ())))


def _terms(spec):
    required = spec.get("affinity", {}).get("nodeAffinity", {}).get(REQUIRED)
    if required is None:
        return None
    return tuple(
        Term(tuple(map(_demand, term.get("matchExpressions") or ())))
        for term in required["nodeSelectorTerms"]
    )


def let_through(text: str) -> list[str]:
    """The nodes of the fleet whose device the pod of a manifest can get."""
    documents = list(yaml.safe_load_all(text))
    (spec,) = [each["spec"] for each in documents if each["kind"] == "Pod"]
    selector = tuple(Demand(key, "In", (value,)) for key, value in spec.get("nodeSelector", {}).items())
    demanded = Constraints(selector, _terms(spec))
    nodes = [node for node in fleet() if fits(node.labels, demanded)]
    claimed = [
        request["exactly"]
        for each in documents
        if each["kind"] == "ResourceClaimTemplate"
        for request in each["spec"]["spec"]["devices"]["requests"]
    ]
    if not claimed:
        (resource,) = spec["containers"][0]["resources"]["limits"]
        return [node.name for node in nodes if RESOURCES[resource] in node.devices]
    (exactly,) = claimed
    expressions = [each["cel"]["expression"] for each in exactly.get("selectors", ())]
    return [
        node.name
        for node in nodes
        if any(
            device.kind == CLASSES[exactly["deviceClassName"]]
            and all(matches(expression, value) for expression in expressions)
            for device, value in node.devices.items()
        )
    ]


@pytest.mark.parametrize("resource", RESOURCES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_pods_get_the_same_devices(convert_text, resource, data):
    labels = written(frozenset({RESOURCES[resource]}))
    text = manifest(data.draw(constraints(labels)), resource)
    result = convert_text(text, sharing="exclusive")
    if result.outcomes == ["converted"]:
        assert let_through(result.text) == let_through(text)


def test_it_can_tell_them_apart(convert_text):
    text = manifest(Constraints((Demand("nvidia.com/gpu.product", "In", ("NVIDIA-L4",)),)), "nvidia.com/gpu")
    converted = convert_text(text).text
    assert let_through(converted) == let_through(text)
    assert {name.rpartition(" ")[0] for name in let_through(converted)} == {"NVIDIA L4"}
    assert let_through(converted.replace("NVIDIA L4", "NVIDIA L40")) != let_through(text)
    assert let_through(convert_text(text, node_labels="keep").text) == let_through(text)
