"""Every pod spec of every kind that can hold a claim is converted."""

from __future__ import annotations

import pytest
import yaml

from dralint.kube.kinds import workload_kinds

# KServe sets the resource itself on the pods of a workerSpec: data/kinds.yaml, `refusing`.
REFUSED = "workerSpec"
HOLDING = [
    pytest.param(
        kind, place, id=f"{kind.group}/{kind.kind}-{(kind.versions or ('any',))[0]}-{'.'.join(place.path)}"
    )
    for kind in workload_kinds()
    for place in (*kind.pods, *kind.operator_pods)
    if place.claims is not None and REFUSED not in place.path
]


def at(path, value):
    """An object that has the value at the path; wildcards become one item, or one key."""
    for step in reversed(path):
        if step == "[]":
            value = [{"name": "one", "groupName": "one"} | value if isinstance(value, dict) else value]
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
    resources = {"limits": {"cpu": 1, "nvidia.com/gpu": 2}}
    container = {"name": "main", "image": "x", "resources": resources}
    pod = {**at((place.containers or (("containers", "[]"),))[0], container), "restartPolicy": "Never"}
    if () in (place.containers or ()):
        pod = {"resources": resources}
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


@pytest.mark.parametrize(("kind", "place"), HOLDING)
def test_kind(convert_text, kind, place):
    text = yaml.safe_dump(manifest(kind, place), sort_keys=False)
    result = convert_text(text)
    assert result.outcomes == ["converted"]
    template, obj = yaml.safe_load_all(result.text)
    assert template["metadata"]["name"].startswith("work")
    assert f"resourceClaimTemplateName: {template['metadata']['name']}" in yaml.safe_dump(obj)
    assert "nvidia.com/gpu:" not in yaml.safe_dump(obj)
    assert result.occurrences[0].container == ("main" if place.claims.named else None)
    if place.gpu_count is not None:
        assert 'num-gpus: "2"' in result.text or "num-gpus: '2'" in result.text
