"""GPUs by two ways: the order of a pod's containers says which of them run at the same time."""

from __future__ import annotations

import json

import pytest

LIMIT = {"limits": {"nvidia.com/gpu": 1}}
CLAIM = {"claims": [{"name": "gpu"}]}
TEMPLATE = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaimTemplate",
    "metadata": {"name": "gpu"},
    "spec": {
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com"}}]}}
    },
}


def container(name, resources, **fields):
    return {"name": name, "image": "registry.example/app:1", "resources": resources, **fields}


def sidecar(resources):
    return container("beside", resources, restartPolicy="Always")


def first(resources):
    return container("first", resources)


def main(resources=()):
    return container("main", dict(resources))


@pytest.mark.parametrize(
    ("inits", "mains", "severity"),
    [
        ([first(LIMIT)], [main(CLAIM)], "warning"),
        ([first(CLAIM)], [main(LIMIT)], "warning"),
        ([first(LIMIT), container("second", CLAIM)], [main()], "warning"),
        ([first(CLAIM), sidecar(LIMIT)], [main()], "warning"),
        ([first(LIMIT), sidecar(CLAIM)], [main()], "warning"),
        ([sidecar(LIMIT), first(CLAIM)], [main()], "info"),
        ([sidecar(CLAIM), first(LIMIT)], [main()], "info"),
        ([sidecar(LIMIT)], [main(CLAIM)], "info"),
        ([sidecar(CLAIM)], [main(LIMIT)], "info"),
        ([], [container("one", LIMIT), main(CLAIM)], "info"),
        ([first({"limits": {"nvidia.com/gpu": 0}})], [main(CLAIM)], None),
        ([first({"limits": {"nvidia.com/gpumem": 1000}})], [main(CLAIM)], None),
        ([first(LIMIT)], [main(LIMIT)], None),
    ],
)
@pytest.mark.parametrize("kind", ["Pod", "PodTemplate"])
def test_what_is_said_of_an_order(dralint, tmp_path, kind, inits, mains, severity):
    spec = {"initContainers": inits, "containers": mains}
    if "claims" in json.dumps(spec):
        spec["resourceClaims"] = [{"name": "gpu", "resourceClaimTemplateName": "gpu"}]
    pod = {"apiVersion": "v1", "kind": kind, "metadata": {"name": "serve"}}
    pod.update({"spec": spec} if kind == "Pod" else {"template": {"spec": spec}})
    path = tmp_path / "it.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [TEMPLATE, pod]}))
    ran = dralint("check", "--context", "none", "--output-format", "json", path)
    found = [(each["name"], each["severity"]) for each in json.loads(ran.out)["findings"]]
    assert found == ([("gpus-by-two-ways", severity)] if severity else [])
