"""KServe: predictors keep resourceClaims beside the model, runtimes are joined, annotations make claims."""

from __future__ import annotations

import pytest

from dralint.convert.words import context_words
from dralint.kube.bundle import Context
from tests.convert.judge import sees

INFERENCE = """\
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {{name: llama{annotations}}}
spec:
  predictor:
    {model}:
      {more}
      resources:
        limits:
          cpu: 4
          nvidia.com/gpu: {count}
"""
RUNTIME = """\
apiVersion: serving.kserve.io/v1alpha1
kind: {kind}
metadata: {{name: vllm}}
spec:
  containers:
  - name: kserve-container
    image: x
    resources: {{limits: {{nvidia.com/gpu: {count}}}}}
"""
BOTH = {"runtime.yaml": RUNTIME.format(kind="ServingRuntime", count=1)}


def inference(model="model", more="{}", annotations="", count=2):
    more = "modelFormat: {name: huggingface}" if more == "{}" else more
    return INFERENCE.format(
        model=model,
        more=more,
        count=count,
        annotations=f", annotations: {{{annotations}}}" if annotations else "",
    )


@pytest.mark.parametrize("model", ["model", "tensorflow", "pytorch", "triton", "sklearn"])
def test_a_predictor(convert_text, model):
    text = inference(model)
    result = convert_text(text)
    place = ("InferenceService", f"spec.predictor.{model}", "spec.predictor.resourceClaims")
    assert result.outcomes == ["converted"]
    assert sees(result.text, *place) == sees(text, *place) == {"nvidia.com/gpu": 2}
    assert "nvidia.com/gpu: 2" not in result.text
    assert any("KServe 0.11" in each for each in result.assumptions)
    assert result.occurrences[0].container == model


def test_the_model_beside_other_containers(convert_text):
    text = inference() + (
        "    containers:\n"
        "    - {name: guard, image: x, resources: {limits: {nvidia.com/gpu: 1}}}\n"
        "    - {name: log, image: x}\n"
    )
    result = convert_text(text)
    assert result.outcomes == ["converted", "converted"]
    for path, count in (("model", 2), ("containers.0", 1), ("containers.1", 0)):
        place = ("InferenceService", f"spec.predictor.{path}", "spec.predictor.resourceClaims")
        assert sees(result.text, *place) == sees(text, *place)
        assert sees(result.text, *place).total() == count


@pytest.mark.parametrize("part", ["transformer", "explainer"])
def test_containers_of_other_parts(convert_text, part):
    text = (
        "apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nmetadata: {name: llama}\nspec:\n"
        f"  {part}:\n    containers:\n    - {{name: a, image: x, resources: {{limits: {{nvidia.com/gpu: 1}}}}}}\n"
    )
    result = convert_text(text)
    place = ("InferenceService", f"spec.{part}.containers.0", f"spec.{part}.resourceClaims")
    assert sees(result.text, *place) == {"nvidia.com/gpu": 1}


@pytest.mark.parametrize(
    ("annotation", "says"),
    [("Serverless", "Knative"), ("Knative", "Knative"), ("ModelMesh", "ModelMesh")],
)
@pytest.mark.parametrize("mode", ["auto", "claims"])
def test_a_deployment_mode_without_claims(convert_text, annotation, says, mode):
    text = inference(annotations=f"serving.kserve.io/deploymentMode: {annotation}")
    result = convert_text(text, mode=mode)
    assert result.text == text
    assert result.outcomes == ["kept" if mode == "auto" else "needs-decision"]
    assert says in result.occurrences[0].reason
    assert result.occurrences[0].next
    assert result.occurrences[0].mode == ("extended-resource" if mode == "auto" else None)


@pytest.mark.parametrize("annotation", ["Standard", "RawDeployment"])
def test_a_deployment_mode_with_claims(convert_text, annotation):
    text = inference(annotations=f"serving.kserve.io/deploymentMode: {annotation}")
    assert convert_text(text).outcomes == ["converted"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(inference() + "    workerSpec: {pipelineParallelSize: 2}\n", "workerSpec", id="workers"),
        pytest.param(inference("tensorflow", "runtimeVersion: 2.5.1-gpu"), "runtimeVersion", id="tensorflow"),
        pytest.param(inference("pytorch", "runtimeVersion: 0.4.1-gpu"), "runtimeVersion", id="pytorch"),
        pytest.param(
            RUNTIME.format(kind="ServingRuntime", count=1)
            + "  workerSpec: {containers: [{name: worker, image: x}]}\n",
            "workerSpec",
            id="workers of a runtime",
        ),
    ],
)
def test_what_asks_by_the_name_itself(convert_text, text, reason):
    for mode, outcome in (
        ("auto", "kept"),
        ("claims", "needs-decision"),
        ("implicit", "needs-decision"),
        ("extended-resource", "kept"),
    ):
        result = convert_text(text, mode=mode)
        assert result.text == text
        assert result.outcomes == [outcome]
        if mode != "extended-resource":
            assert reason in result.occurrences[0].reason


def test_a_runtime_version_for_cpus(convert_text):
    assert convert_text(inference("tensorflow", "runtimeVersion: 2.5.1")).outcomes == ["converted"]


def test_a_zero_goes(convert_text):
    text = inference(annotations="serving.kserve.io/deploymentMode: Knative", count=0)
    result = convert_text(text)
    assert result.outcomes == ["converted"]
    assert "nvidia.com/gpu" not in result.text


@pytest.mark.parametrize("kind", ["ServingRuntime", "ClusterServingRuntime"])
def test_a_runtime(convert_text, kind):
    text = RUNTIME.format(kind=kind, count=4)
    result = convert_text(text)
    place = (kind, "spec.containers.0", "spec.resourceClaims")
    assert sees(result.text, *place) == sees(text, *place) == {"nvidia.com/gpu": 4}
    assert any("KServe 0.21" in each for each in result.assumptions)


@pytest.mark.parametrize("kind", ["ServingRuntime", "ClusterServingRuntime"])
def test_a_runtime_and_its_service_ask_both(convert_text, kind):
    text = f"{inference(more='runtime: vllm')}---\n{RUNTIME.format(kind=kind, count=1)}"
    result = convert_text(text)
    assert result.text == text
    assert result.outcomes == ["needs-decision", "needs-decision"]
    assert "line 20" in result.occurrences[0].reason
    assert "line 11" in result.occurrences[1].reason


@pytest.mark.parametrize(
    ("service", "runtime", "outcomes"),
    [
        pytest.param({"more": "runtime: other"}, 1, ["converted", "converted"], id="another runtime"),
        pytest.param(
            {"more": "runtime: vllm"}, 0, ["converted", "converted"], id="the runtime asks for none"
        ),
    ],
)
def test_a_runtime_and_a_service_that_do_not_meet(convert_text, service, runtime, outcomes):
    text = f"{inference(**service)}---\n{RUNTIME.format(kind='ServingRuntime', count=runtime)}"
    assert convert_text(text).outcomes == outcomes


def test_a_zero_of_the_service_takes_the_runtimes_gpus_away(convert_text):
    text = f"{inference(more='runtime: vllm', count=0)}---\n{RUNTIME.format(kind='ServingRuntime', count=1)}"
    result = convert_text(text)
    assert result.outcomes == ["needs-decision", "needs-decision"]
    assert result.text == text


@pytest.mark.parametrize("named", [("service.yaml", "runtime.yaml"), ("service.yaml",), ("runtime.yaml",)])
def test_a_runtime_in_another_file(convert_text, tmp_path, named):
    """Alone or together they wait: in the pod they would ask twice."""
    files = {"service.yaml": inference(more="runtime: vllm"), **BOTH}
    (tmp_path / ".git").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    context = Context([str(tmp_path / name) for name in named], context_words())
    texts = {name: files[name] for name in named}
    result = convert_text(texts, {name: tmp_path / name for name in named}, context)
    assert result.texts == texts
    assert set(result.outcomes) == {"needs-decision"}
    others = {"service.yaml": "runtime.yaml:8:", "runtime.yaml": "service.yaml:11:"}
    for each in result.occurrences:
        assert others[each.path] in each.reason


def test_a_service_beside_another_runtime_of_the_name(convert_text):
    """Two clusters in one repository: each service means the runtime of its own file."""
    here = f"{inference(more='runtime: vllm')}---\n{RUNTIME.format(kind='ServingRuntime', count=0)}"
    result = convert_text({"service.yaml": here, **BOTH})
    assert result.outcomes == ["converted", "converted", "converted"]


CONFIG = """\
apiVersion: serving.kserve.io/v1alpha2
kind: LLMInferenceServiceConfig
metadata: {name: base}
spec: {template: {containers: [{name: main, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]}}
"""


@pytest.mark.parametrize("count", [2, 0])
def test_a_service_and_its_config(convert_text, count):
    service = (
        CONFIG.replace("Config", "").replace("name: base", "name: llm").replace("gpu: 1", f"gpu: {count}")
    )
    service = service.replace("spec: {", "spec: {baseRefs: [{name: other}, {name: base}], ")
    result = convert_text(f"{service}---\n{CONFIG}")
    assert result.outcomes == ["converted", "converted"]
    assert any("to one pod" in note.message for note in result.notes) == bool(count)


def test_a_runtime_of_model_mesh(convert_text):
    text = RUNTIME.format(kind="ServingRuntime", count=1) + "  multiModel: true\n"
    result = convert_text(text, mode="claims")
    assert result.outcomes == ["needs-decision"]
    assert "ModelMesh" in result.occurrences[0].reason
    assert convert_text(text.replace("true", "false")).outcomes == ["converted"]


@pytest.mark.parametrize(
    ("annotations", "mode", "told"),
    [
        ("", "auto", True),
        ("", "extended-resource", False),
        ("serving.kserve.io/deploymentMode: Standard", "auto", False),
    ],
)
def test_the_deployment_mode_is_asked_for(convert_text, annotations, mode, told):
    result = convert_text(inference(annotations=annotations), mode=mode)
    assert any("default deployment mode" in note.message for note in result.notes) == told


MANAGED = """\
apiVersion: serving.kserve.io/v1alpha2
kind: LLMInferenceService
metadata:
  name: llm
  annotations:
    serving.kserve.io/exp-dra-device-class: gpu.nvidia.com
    serving.kserve.io/exp-dra-device-count: "1"
spec:
  template:
    containers:
    - {name: main, image: x, resources: {limits: {nvidia.com/gpu: COUNT}}}
"""


@pytest.mark.parametrize("mode", ["auto", "claims", "extended-resource", "implicit"])
def test_a_limit_beside_a_managed_claim(convert_text, mode):
    text = MANAGED.replace("COUNT", "1")
    result = convert_text(text, mode=mode)
    assert result.text == text
    assert result.outcomes == ["needs-decision"]
    assert "managed-device" in result.occurrences[0].reason
    assert "(line 6)" in result.occurrences[0].reason


def test_a_zero_beside_a_managed_claim(convert_text):
    result = convert_text(MANAGED.replace("COUNT", "0"))
    assert result.outcomes == ["converted"]
    assert "resourceClaims" not in result.text


def test_an_api_that_is_older_than_claims(convert_text):
    text = inference().replace("serving.kserve.io", "serving.kubeflow.org")
    result = convert_text(text, mode="claims")
    assert result.text == text
    assert result.outcomes == ["needs-decision"]
    assert "serving.kserve.io/v1beta1" in result.occurrences[0].next
    assert convert_text(text).outcomes == ["kept"]


def test_labels_of_nodes_move_into_the_claim(convert_text):
    text = inference() + "    nodeSelector: {nvidia.com/gpu.product: NVIDIA-L40S}\n"
    result = convert_text(text)
    assert "productName == 'NVIDIA L40S'" in result.text
    assert "nodeSelector" not in result.text
