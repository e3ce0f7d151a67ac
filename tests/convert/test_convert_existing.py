"""Claims that a pod has already: merged with, never overwritten, and no second GPU beside one."""

from __future__ import annotations

import textwrap

import pytest

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  resourceClaims:
  - {name: mine, resourceClaimTemplateName: some}
  containers:
  - name: main
    image: train:1
    resources:
      limits: {nvidia.com/gpu: 1}
      claims: [{name: mine%s}]
"""
TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: some}
spec:
  spec:
    devices:
      requests:
      - name: first
        exactly: {deviceClassName: %s}
      - name: second
        exactly: {deviceClassName: mrdma.google.com}
"""
CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: fast}
spec:
  selectors:
  - cel: {expression: "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'"}
"""


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"all.yaml": f"{POD % ''}---\n{TEMPLATE % 'gpu.nvidia.com'}"}, id="same file"),
        pytest.param({"pod.yaml": POD % "", "claim.yaml": TEMPLATE % "mig.nvidia.com"}, id="another file"),
        pytest.param(
            {"pod.yaml": POD % "", "claim.yaml": TEMPLATE % "fast", "class.yaml": CLASS}, id="own class"
        ),
        pytest.param(
            {"pod.yaml": POD % ", request: first", "claim.yaml": TEMPLATE % "gpu.nvidia.com"}, id="request"
        ),
    ],
)
def test_a_gpu_claim_beside_the_limit(convert_text, files):
    result = convert_text(files)
    assert result.outcomes == ["needs-decision"]
    assert "mine" in result.occurrences[0].reason


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"pod.yaml": POD % ""}, id="defined elsewhere"),
        pytest.param({"pod.yaml": POD % "", "claim.yaml": TEMPLATE % "efa.networking.k8s.aws"}, id="no GPU"),
        pytest.param(
            {"pod.yaml": POD % ", request: second", "claim.yaml": TEMPLATE % "gpu.nvidia.com"}, id="request"
        ),
        pytest.param(
            {"pod.yaml": POD % "", "claim.yaml": TEMPLATE % "compute-domain-default-channel.nvidia.com"},
            id="channel",
        ),
    ],
)
def test_another_claim_beside_the_limit(convert_text, files):
    result = convert_text(files)
    assert result.outcomes == ["converted"]
    text = result.texts["pod.yaml"]
    assert "- {name: mine, resourceClaimTemplateName: some}" in text
    assert "{name: mine" in text


def test_a_gpu_claim_of_another_container_is_no_matter(convert_text):
    sidecar = textwrap.indent("- {name: other, image: x, resources: {claims: [{name: mine}]}}\n", "  ")
    text = (POD % "").replace("      claims: [{name: mine}]\n", "") + sidecar
    result = convert_text({"pod.yaml": text, "claim.yaml": TEMPLATE % "gpu.nvidia.com"})
    assert result.outcomes == ["converted"]
