"""Kinds whose API cannot hold a claim: auto leaves the request to a DeviceClass, the other modes say what to write."""

from __future__ import annotations

import pytest

from dralint.nvidia.target import make_target
from tests.convert.judge import at

GPU = "{limits: {nvidia.com/gpu: 1}}"
# (apiVersion, kind, spec, what the reason says, what the next step names)
KINDS = {
    "Knative Service": (
        "serving.knative.dev/v1", "Service", f"template: {{spec: {{containers: [{{name: a, image: x, resources: {GPU}}}]}}}}",
        "Knative refuses", "Deployment",
    ),
    "TrainJob": (
        "trainer.kubeflow.org/v1alpha1", "TrainJob", f"runtimeRef: {{name: torch}}, trainer: {{resourcesPerNode: {GPU}}}",
        "podSpecOverrides", "resourcesPerNode",
    ),
    "DynamoGraphDeployment": (
        "nvidia.com/v1alpha1", "DynamoGraphDeployment", 'services: {decode: {resources: {limits: {gpu: "1"}}}}',
        "operator makes the limits", "v1beta1",
    ),
    "ModelBooster": (
        "workload.serving.volcano.sh/v1alpha1", "ModelBooster", f"backend: {{workers: [{{resources: {GPU}}}]}}",
        "no place for resourceClaims", "ModelServing",
    ),
    "Seldon Server": (
        "mlops.seldon.io/v1alpha1", "Server", f"podSpec: {{containers: [{{name: a, resources: {GPU}}}]}}",
        "without resourceClaims", "ServerConfig",
    ),
    "Playground": (
        "inference.llmaz.io/v1alpha1", "Playground", f"backendRuntimeConfig: {{resources: {GPU}}}",
        "no place for resourceClaims", "Service",
    ),
    "OpenModel": (
        "llmaz.io/v1alpha1", "OpenModel", "inferenceConfig: {flavors: [{name: a, limits: {nvidia.com/gpu: 1}}]}",
        "limits of a flavor", "extendedResourceName",
    ),
    "SparkApplication": (
        "sparkoperator.k8s.io/v1beta2", "SparkApplication", "executor: {gpu: {name: nvidia.com/gpu, quantity: 1}}",
        "Spark counts its GPUs", "extendedResourceName",
    ),
    "NemoCustomizer": (
        "apps.nvidia.com/v1alpha1", "NemoCustomizer", f"resources: {GPU}",
        "no place for resourceClaims", "extendedResourceName",
    ),
}  # fmt: skip


def manifest(name):
    api_version, kind, spec, *_ = KINDS[name]
    return f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: work}}\nspec: {{{spec}}}\n"


@pytest.mark.parametrize("name", KINDS)
def test_auto_leaves_it_to_a_class(convert_text, name):
    text = manifest(name)
    result = convert_text(text)
    assert result.text == text
    (occurrence,) = result.occurrences
    assert (occurrence.outcome.value, occurrence.mode) == ("kept", "extended-resource")
    assert KINDS[name][3] in occurrence.reason
    assert "nvidia-gpu-extended" in occurrence.reason


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(
    "options", [{"mode": "claims"}, {"target": make_target("1.35")}], ids=["claims", "gate off"]
)
def test_else_it_says_what_to_write(convert_text, name, options):
    text = manifest(name)
    result = convert_text(text, **options)
    assert result.text == text
    (occurrence,) = result.occurrences
    assert occurrence.outcome.value == "needs-decision"
    assert KINDS[name][3] in occurrence.reason
    assert KINDS[name][4] in occurrence.next


@pytest.mark.parametrize("mode", ["auto", "claims", "extended-resource"])
def test_an_operator_that_makes_claims_from_the_field(convert_text, mode):
    text = (
        "apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: {name: graph}\nspec:\n  services:\n"
        "    prefill:\n      gpuMemoryService: {enabled: true}\n      resources: {limits: {gpu: 2}}\n"
        "    decode:\n      gpuMemoryService: {enabled: false}\n      resources: {limits: {gpu: 2}}\n"
    )
    result = convert_text(text, mode=mode)
    assert result.text == text
    prefill, decode = result.occurrences
    assert prefill.outcome.value == "needs-decision"
    assert "gpuMemoryService" in prefill.reason
    assert "(line 7)" in prefill.reason
    assert decode.outcome.value == ("needs-decision" if mode == "claims" else "kept")
    assert "gpuMemoryService" not in decode.reason


@pytest.mark.parametrize("mode", ["auto", "claims"])
def test_a_component_of_which_the_operator_makes_claims(convert_text, mode):
    pod = f"podTemplate: {{spec: {{containers: [{{name: main, image: x, resources: {GPU}}}]}}}}"
    text = (
        "apiVersion: nvidia.com/v1beta1\nkind: DynamoGraphDeployment\nmetadata: {name: graph}\nspec:\n  components:\n"
        f"  - {{name: decode, gpuMemoryService: {{enabled: true}}, {pod}}}\n  - {{name: prefill, {pod}}}\n"
    )
    result = convert_text(text, mode=mode)
    assert result.outcomes == ["needs-decision", "converted"]
    assert "gpuMemoryService" in result.occurrences[0].reason


CONFIG = (
    "apiVersion: mlops.seldon.io/v1alpha1\nkind: ServerConfig\nmetadata: {name: mlserver}\n"
    f"spec: {{podSpec: {{containers: [{{name: mlserver, image: x, resources: {GPU}}}]}}}}\n"
)


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(
    ("config", "outcomes"), [("mlserver", ["kept", "needs-decision"]), ("triton", ["kept", "converted"])]
)
def test_a_server_and_its_config(convert_text, apart, config, outcomes):
    """Seldon joins both to one pod: a claim of the config would come beside the limit of the server."""
    server = (
        f"apiVersion: mlops.seldon.io/v1alpha1\nkind: Server\nmetadata: {{name: gpu}}\nspec:\n  serverConfig: {config}\n"
        f"  podSpec: {{containers: [{{name: mlserver, resources: {GPU}}}]}}\n"
    )
    text = {"a.yaml": server, "b.yaml": CONFIG} if apart else f"{server}---\n{CONFIG}"
    assert convert_text(text).outcomes == outcomes


def test_resources_of_other_names_are_counted(convert_text):
    text = (
        "apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: {name: graph}\nspec:\n  services:\n"
        '    decode: {resources: {limits: {cpu: "1", custom: {nvidia.com/mig-1g.10gb: "2"}}}}\n'
    )
    result = convert_text(text)
    assert result.text == text
    assert [(each.resource, each.quantity) for each in result.occurrences] == [
        ("nvidia.com/mig-1g.10gb", "2")
    ]
    assert result.outcomes == ["kept"]


@pytest.mark.parametrize(
    ("body", "notes"),
    [
        ("inference: {preset: {name: phi-3}}", 1),
        ("tuning: {preset: {name: phi-3}}", 1),
        ("inference: {template: {spec: {containers: [{name: a}]}}}", 0),
    ],
)
def test_a_preset_names_no_gpus(convert_text, body, notes):
    text = f"apiVersion: kaito.sh/v1beta1\nkind: Workspace\nmetadata: {{name: phi}}\nresource: {{}}\n{body}\n"
    result = convert_text(text)
    assert result.occurrences == []
    assert [note.topic for note in result.notes] == ["operator"] * notes


@pytest.mark.parametrize("group", ["containers", "initContainers"])
def test_values_of_a_known_chart(convert_text, group):
    text = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: jellyfin}\nspec:\n  values:\n"
        f"    controllers: {{main: {{{group}: {{app: {{resources: {GPU}}}}}}}}}\n"
    )
    result = convert_text(text)
    assert result.text == text
    assert result.outcomes == ["unsupported"]
    assert "spec.values.defaultPodOptions.resourceClaims" in result.occurrences[0].next


def test_values_of_another_chart(convert_text):
    text = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ollama}\nspec:\n"
        f"  values: {{ollama: {{resources: {GPU}}}}}\n"
    )
    result = convert_text(text)
    assert result.outcomes == ["unsupported"]
    assert "spec.postRenderers" in result.occurrences[0].next


@pytest.mark.parametrize(
    ("text", "named"),
    [
        pytest.param(
            "singleuser:\n  profileList:\n  - kubespawner_override:\n"
            '      extra_resource_limits: {nvidia.com/gpu: "1"}\n      extra_resource_guarantees: {nvidia.com/gpu: "1"}\n',
            ("extra_pod_config", "extra_container_config"),
            id="profile",
        ),
        pytest.param(
            "singleuser:\n  extraResource:\n    limits: {nvidia.com/gpu: 1}\n",
            ("singleuser.extraPodConfig", "extra_container_config"),
            id="all users",
        ),
    ],
)
def test_values_of_jupyterhub(convert_text, text, named):
    result = convert_text(text)
    assert result.text == text
    assert result.outcomes == ["needs-decision"]
    assert all(each in result.occurrences[0].next for each in named)


def test_the_judge_reads_paths():
    assert at({"a": [{"b": 1}]}, "a.0.b") == 1
    assert at({"a": []}, "a.0.b") is None
