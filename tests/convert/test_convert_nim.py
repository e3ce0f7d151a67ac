"""The NIM operator: claims stand in draResources, and where neither stands it asks for GPUs itself."""

from __future__ import annotations

import pytest

from tests.convert.judge import sees

SERVICE = """\
apiVersion: apps.nvidia.com/v1alpha1
kind: NIMService
metadata:
  name: llama
  namespace: nim
spec:
  image: {repository: nvcr.io/nim/meta/llama3-8b-instruct, tag: "1.0"}
  replicas: 2
  resources:
    limits:
      cpu: 12
      RESOURCE
"""
PIPELINE = """\
apiVersion: apps.nvidia.com/v1alpha1
kind: NIMPipeline
metadata: {name: rag}
spec:
  services:
  - name: llm
    enabled: true
    spec:
      resources:
        limits:
          nvidia.com/gpu: 2 # tensor parallel
        requests:
          nvidia.com/gpu: 2
  - name: embedding
    spec:
      resources: {limits: {nvidia.com/mig-1g.10gb: 1}}
  - name: guard
    spec:
      resources: {limits: {cpu: 1}}
"""
PLACE = ("NIMService", "spec", "spec.draResources")
ALL_MODES = ("auto", "claims", "extended-resource", "implicit")


def service(resource="nvidia.com/gpu: 1", more=""):
    return SERVICE.replace("RESOURCE", resource) + more


@pytest.mark.parametrize(
    ("resource", "seen"),
    [
        ("nvidia.com/gpu: 4", {"nvidia.com/gpu": 4}),
        ("nvidia.com/mig-3g.40gb: 1", {"nvidia.com/mig-3g.40gb": 1}),
        ("nvidia.com/gpu: 0\n      nvidia.com/mig-3g.40gb: 1", {"nvidia.com/mig-3g.40gb": 1}),
    ],
)
def test_a_service(convert_text, resource, seen):
    text = service(resource)
    result = convert_text(text)
    assert set(result.outcomes) == {"converted"}
    assert sees(result.text, *PLACE) == sees(text, *PLACE) == seen
    assert "claims:" not in result.text, "resources.claims belongs to the operator"
    assert "nvidia.com/gpu:" not in result.text
    assert any("NIM operator 3.1" in each for each in result.assumptions)
    (note,) = [each for each in result.notes if each.topic == "operator"]
    assert "delete it" in note.message


def test_the_services_of_a_pipeline(convert_text, snapshot):
    result = convert_text(PIPELINE)
    assert result.outcomes == ["converted", "converted"]
    for index, total in enumerate((2, 1, 0)):
        place = ("NIMPipeline", f"spec.services.{index}.spec", f"spec.services.{index}.spec.draResources")
        assert sees(result.text, *place) == sees(PIPELINE, *place)
        assert sees(result.text, *place).total() == total
    assert result.text == snapshot


def test_labels_and_tolerations_stand_in_the_service(convert_text, snapshot):
    text = service(
        more="  nodeSelector:\n    nvidia.com/gpu.product: NVIDIA-L40S\n    topology.kubernetes.io/zone: a\n"
    )
    assert convert_text(text).text == snapshot


@pytest.mark.parametrize("mode", ALL_MODES)
def test_a_zero_keeps_the_operator_from_asking(convert_text, mode):
    text = service("nvidia.com/gpu: 0")
    result = convert_text(text, mode=mode)
    assert result.text == text
    assert result.outcomes == ["kept"]


def test_without_a_request_the_operator_asks(convert_text):
    result = convert_text(service("memory: 1Gi"))
    assert result.occurrences == []
    (note,) = result.notes
    assert (note.topic, note.line) == ("operator", 7)
    assert "draResources" in note.message
    assert convert_text(service("memory: 1Gi", "  draResources: [{resourceClaimName: x}]\n")).notes == []


@pytest.mark.parametrize("spec", ["[a]", "text", "null", "{services: {a: {spec: {}}}}"])
def test_the_wrong_shape_is_left_alone(convert_text, spec):
    text = f"apiVersion: apps.nvidia.com/v1alpha1\nkind: NIMPipeline\nmetadata: {{name: x}}\nspec: {spec}\n"
    result = convert_text(
        f"{text}---\n{text.replace('Pipeline', 'Service').replace('{services', '{draResources: [{}], x')}"
    )
    assert (result.occurrences, result.notes) == ([], [])


@pytest.mark.parametrize("mode", ALL_MODES)
@pytest.mark.parametrize(
    ("more", "reason"),
    [
        pytest.param(
            "  draResources:\n  - resourceClaimTemplateName: own\n", "asks twice (line 14)", id="draResources"
        ),
        pytest.param("    claims: [{name: own}]\n", "belongs to the NIM operator", id="claims"),
    ],
)
def test_a_claim_beside_the_request(convert_text, mode, more, reason):
    text = service(more=more)
    result = convert_text(text, mode=mode)
    assert result.text == text
    assert result.outcomes == ["needs-decision"]
    assert reason in result.occurrences[0].reason
    assert result.occurrences[0].next


def test_an_empty_list_is_filled(convert_text):
    text = service(more="  draResources: []\n")
    result = convert_text(text)
    assert result.outcomes == ["converted"]
    assert sees(result.text, *PLACE) == {"nvidia.com/gpu": 1}


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        pytest.param("  multiNode: {size: 2, gpusPerPod: 8}\n", "multiNode", id="several nodes"),
        pytest.param("  inferencePlatform: kserve\n", "KServe", id="KServe"),
    ],
)
def test_what_is_not_known_to_work(convert_text, more, reason):
    text = service(more=more)
    for mode, outcome in (
        ("auto", "kept"),
        ("claims", "needs-decision"),
        ("extended-resource", "kept"),
        ("implicit", "needs-decision"),
    ):
        result = convert_text(text, mode=mode)
        assert result.text == text
        assert result.outcomes == [outcome]
        if mode in ("auto", "claims"):
            assert reason in result.occurrences[0].reason


def test_one_service_of_a_pipeline_is_held_back(convert_text):
    text = PIPELINE.replace(
        "  - name: embedding\n    spec:\n", "  - name: embedding\n    spec:\n      multiNode: {size: 2}\n"
    )
    assert convert_text(text, mode="claims").outcomes == ["converted", "needs-decision"]


def test_another_container_asks_as_well(convert_text):
    text = service(more="  initContainers:\n  - {name: pull, resources: {limits: {nvidia.com/gpu: 1}}}\n")
    result = convert_text(text, mode="claims")
    assert result.text == text
    assert result.outcomes == ["needs-decision", "needs-decision"]
    assert "(line 14)" in result.occurrences[0].reason


def test_another_name_makes_the_operator_ask_too(convert_text):
    text = service()
    result = convert_text(text, mode="implicit")
    assert result.text == text
    assert result.outcomes == ["needs-decision"]
    assert convert_text(text, mode="extended-resource").outcomes == ["kept"]
