"""What `check` finds wrong beside converted workloads, --companions puts right."""

from __future__ import annotations

import json

import pytest

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: team, labels: {kueue.x-k8s.io/queue-name: gpus}}
spec:
  containers:
  - name: a
    image: registry.example/a:1
    env: [{name: NVIDIA_VISIBLE_DEVICES, value: all}]
    resources: {limits: {nvidia.com/gpu: 2}}
"""
QUOTA = """\
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: gpus, namespace: team}
spec:
  hard:
    requests.nvidia.com/gpu: "8"
"""
KUEUE = """\
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: gpus}
spec:
  resourceGroups:
  - coveredResources: [nvidia.com/gpu]
    flavors: [{name: default, resources: [{name: nvidia.com/gpu, nominalQuota: 8}]}]
---
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
"""


def found(dralint, path):
    ran = dralint("check", "--context", "none", "--output-format", "json", path)
    return {each["name"] for each in json.loads(ran.out)["findings"]}


@pytest.mark.parametrize("shape", ["one file", "three files"])
def test_check_is_content_with_what_companions_made(dralint, tmp_path, shape):
    parts = {"all.yaml": POD + QUOTA + KUEUE}
    if shape == "three files":
        parts = {"pod.yaml": POD, "quota.yaml": QUOTA, "kueue.yaml": KUEUE}
    for options, names in (
        ((), {"quota-misses-claims", "kueue-class-unmapped", "visible-devices-env-left"}),
        (("--companions",), set()),
    ):
        for name, text in parts.items():
            (tmp_path / name).write_text(text)
        assert found(dralint, tmp_path) == set()
        assert dralint("convert", "--write", *options, tmp_path).code == 0
        assert found(dralint, tmp_path) == names
        before = {name: (tmp_path / name).read_bytes() for name in parts}
        assert dralint("convert", "--write", *options, tmp_path).code == 0
        assert {name: (tmp_path / name).read_bytes() for name in parts} == before


@pytest.mark.parametrize("options", [(), ("--stack", "standalone")])
def test_kubernetes_accepts_what_companions_made(dralint, tmp_path, options):
    validate = pytest.importorskip("kubernetes_validate").validate
    import yaml

    path = tmp_path / "all.yaml"
    path.write_text(POD + QUOTA)
    assert dralint("convert", "--write", "--companions", *options, path).code == 0
    for document in yaml.safe_load_all(path.read_bytes()):
        validate(document, "1.36", strict=True)
