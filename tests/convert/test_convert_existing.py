"""Claims that a pod has already: merged with, never overwritten, and no second GPU beside one."""

from __future__ import annotations

import textwrap
from types import SimpleNamespace

import pytest
import yaml

from dralint.kube.bundle import Bundle

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


GPU_CLAIMS = [
    pytest.param("", [TEMPLATE % "gpu.nvidia.com"], id="a template"),
    pytest.param("", [TEMPLATE % "mig.nvidia.com"], id="of a MIG device"),
    pytest.param("", [TEMPLATE % "fast", CLASS], id="own class"),
    pytest.param(", request: first", [TEMPLATE % "gpu.nvidia.com"], id="request"),
]


@pytest.mark.parametrize(("request_name", "others"), GPU_CLAIMS)
def test_a_gpu_claim_beside_the_limit(convert_text, request_name, others):
    result = convert_text("---\n".join([POD % request_name, *others]))
    assert result.outcomes == ["needs-decision"]
    assert "mine" in result.occurrences[0].reason


@pytest.mark.parametrize("where", ["named", "context"])
@pytest.mark.parametrize(("request_name", "others"), GPU_CLAIMS)
def test_a_gpu_claim_of_another_file_is_told(convert_text, parse_text, request_name, others, where):
    """A file is a closed world: what it becomes does not depend on which other files are named."""
    files = {f"other-{index}.yaml": text for index, text in enumerate(others)}
    pod = {"pod.yaml": POD % request_name}
    alone = convert_text(pod)
    if where == "named":
        result = convert_text({**pod, **files})
    else:
        bundle = Bundle([parse_text(text, name) for name, text in files.items()])
        result = convert_text(pod, context=SimpleNamespace(bundle=bundle))
    assert result.texts["pod.yaml"] == alone.texts["pod.yaml"]
    assert result.outcomes == alone.outcomes == ["converted"]
    assert alone.notes == []
    (note,) = result.notes
    assert (note.path, note.line, note.topic) == ("pod.yaml", 12, "claims")
    assert "mine" in note.message
    assert "other-0.yaml:1" in note.message


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


@pytest.mark.parametrize("listed", ["gpu", "gpu-2", "gpu-main", "gpu-helper"])
@pytest.mark.parametrize("declared", [True, False], ids=["declared", "undeclared"])
@pytest.mark.parametrize("holder", ["main", "helper"])
def test_a_name_that_stands_there_is_never_given_again(convert_text, listed, declared, holder):
    """A container that lists a claim which the pod lacks must not find itself with a GPU instead."""
    pod = yaml.safe_load(POD % "")
    other = yaml.safe_load("{name: helper, image: x, resources: {limits: {nvidia.com/gpu: 2}}}")
    main = pod["spec"]["containers"][0]
    del main["resources"]["claims"]
    pod["spec"]["containers"].append(other)
    pod["spec"]["resourceClaims"] = [{"name": listed, "resourceClaimName": "nic"}] if declared else []
    user = main if holder == "main" else other
    user["resources"]["claims"] = [{"name": listed}]
    result = convert_text(yaml.safe_dump(pod))
    assert result.outcomes == ["converted", "converted"]
    after = list(yaml.safe_load_all(result.text))[-1]["spec"]
    names = [claim["name"] for claim in after["resourceClaims"]]
    assert len(set(names)) == len(names) == 2 + declared
    for container in after["containers"]:
        mentioned = [claim["name"] for claim in container["resources"]["claims"]]
        made = [name for name in mentioned if name != listed]
        assert len(made) == 1
        assert len(mentioned) == 1 + (container["name"] == holder)


def test_claims_that_a_pod_inherits_are_not_hidden(convert_text):
    text = textwrap.dedent("""\
        apiVersion: argoproj.io/v1alpha1
        kind: Workflow
        metadata: {generateName: train-}
        spec:
          resourceClaims: [{name: nic, resourceClaimTemplateName: nic}]
          templates:
          - name: step
            %scontainer: {image: x, resources: {limits: {nvidia.com/gpu: 1}, claims: [{name: nic}]}}
        """)
    result = convert_text(text % "")
    assert result.outcomes == ["needs-decision"]
    own = "resourceClaims: [{name: nic, resourceClaimTemplateName: nic}]\n    "
    assert convert_text(text % own).outcomes == ["converted"]


def test_a_gpu_claim_of_another_container_is_no_matter(convert_text):
    sidecar = textwrap.indent("- {name: other, image: x, resources: {claims: [{name: mine}]}}\n", "  ")
    text = (POD % "").replace("      claims: [{name: mine}]\n", "") + sidecar
    result = convert_text({"pod.yaml": text, "claim.yaml": TEMPLATE % "gpu.nvidia.com"})
    assert result.outcomes == ["converted"]
