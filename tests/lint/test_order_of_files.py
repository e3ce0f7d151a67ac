"""What is found does not depend on the order in which files are named."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from dralint.lint.rule_file import examples
from dralint.lint.rules import load_rules

SHARING = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: sharing, namespace: a}
spec:
  devices:
    requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]
    config:
    - opaque:
        driver: gpu.nvidia.com
        parameters: {apiVersion: resource.nvidia.com/v1beta1, kind: GpuConfig, sharing: {strategy: TimeSlicing}}
"""
PLAIN = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: NAME, namespace: a}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}
"""
LAYOUT = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: mig-parted-config, namespace: gpu-operator}
data:
  config.yaml: |
    version: v1
    mig-configs:
      all-1g.10gb: [{devices: all, mig-enabled: true, mig-devices: {1g.10gb: 7}}]
"""
SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: slice-NAME}
spec:
  devices:
    requests:
    - name: mig
      exactly:
        deviceClassName: mig.nvidia.com
        selectors: [{cel: {expression: 'device.attributes["gpu.nvidia.com"].profile == "NAME"'}}]
"""
CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: NAME}
spec: {extendedResourceName: nvidia.com/gpu, selectors: [{cel: {expression: 'device.driver == "gpu.nvidia.com"'}}]}
"""
SHARES = ["--gate", "ConsumableShares=true", "--gate", "TimeSlicingSettings=true"]
MADE = {
    "which of several it clashes with": (
        {"m.yaml": SHARING, "a.yaml": PLAIN.replace("NAME", "one"), "z.yaml": PLAIN.replace("NAME", "two")},
        SHARES,
    ),
    "what several ask for": (
        {
            "m.yaml": LAYOUT,
            "a.yaml": SLICE.replace("NAME", "2g.20gb"),
            "z.yaml": SLICE.replace("NAME", "3g.40gb"),
        },
        [],
    ),
    "which of several is the second": (
        {f"{name}.yaml": CLASS.replace("NAME", name) for name in ("one", "two", "three")},
        [],
    ),
}
EXAMPLES = {
    f"{rule.id}-{number}": (example["files"], example.get("args", []))
    for rule in load_rules()
    for number, example in enumerate(examples(rule).get("bad", ()))
    if len(example["files"]) > 1
}


@pytest.mark.parametrize("case", [*MADE, *EXAMPLES])
def test_every_order_says_the_same(dralint, tmp_path: Path, monkeypatch, case: str) -> None:
    files, arguments = (MADE | EXAMPLES)[case]
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    orders = permutations(files) if case in MADE else (sorted(files), sorted(files, reverse=True))
    said = [
        dralint("check", *order, "--context", "none", "--output-format", "concise", *arguments)
        for order in orders
    ]
    assert said[0].out
    assert said == said[:1] * len(said)
