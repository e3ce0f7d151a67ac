"""The ways a request moves to DRA: the same decisions in each, and what only one of them does."""

from __future__ import annotations

import textwrap

import pytest

from dralint.convert.verdicts import NOTHING
from dralint.nvidia.target import make_target

BY_NAME = ("extended-resource", "implicit")
IMPLICIT = "deviceclass.resource.kubernetes.io/"
TOLERATION = "  tolerations:\n  - key: nvidia.com/gpu\n    operator: Exists\n    effect: NoSchedule\n"


def pod(resources: str = "limits: {nvidia.com/gpu: 1}", more: str = "", containers: str = "") -> str:
    return (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: train}\nspec:\n"
        + textwrap.indent(textwrap.dedent(more), "  ")
        + "  containers:\n  - name: main\n    image: x\n    resources:\n"
        + textwrap.indent(textwrap.dedent(resources).strip("\n") + "\n", "      ")
        + textwrap.indent(textwrap.dedent(containers), "  ")
    )


def test_an_extended_resource_stays_as_it_is(convert_text):
    text = pod("limits: {nvidia.com/gpu: 2}\nrequests: {nvidia.com/gpu: 2}")
    result = convert_text(text, mode="extended-resource")
    assert result.text == text
    (occurrence,) = result.occurrences
    assert (occurrence.outcome, occurrence.mode) == ("kept", "extended-resource")
    assert "nvidia-gpu-extended" in occurrence.next


def test_implicit_renames_in_limits_and_requests(convert_text):
    text = pod("limits:\n  cpu: 1\n  nvidia.com/gpu: 2  # two cards\nrequests:\n  nvidia.com/gpu: 2")
    result = convert_text(text, mode="implicit")
    name = f"{IMPLICIT}gpu.nvidia.com"
    assert result.text == text.replace("nvidia.com/gpu", name) + TOLERATION
    (occurrence,) = result.occurrences
    assert (occurrence.outcome, occurrence.mode, occurrence.next) == ("converted", "implicit", "")


@pytest.mark.parametrize(
    ("resource", "name"),
    [
        ("nvidia.com/gpu", "gpu.nvidia.com"),
        ("nvidia.com/mig-1g.24gb", "nvidia-mig-1g-24gb"),
        ("nvidia.com/mig-1g.10gb.me", "nvidia-mig-1g-10gb-me"),
    ],
)
def test_an_implicit_name_is_that_of_a_class_for_the_device(convert_text, resource, name):
    assert f"{{{IMPLICIT}{name}: 1}}" in convert_text(pod(f"limits: {{{resource}: 1}}"), mode="implicit").text


def test_the_same_pod_is_no_occurrence_once_its_name_is_implicit(convert_text):
    text = convert_text(pod(), mode="implicit").text
    for mode in ("auto", "claims", *BY_NAME):
        result = convert_text(text, mode=mode)
        assert (result.text, result.occurrences) == (text, [])


@pytest.mark.parametrize("mode", BY_NAME)
def test_containers_are_counted_by_kubernetes(convert_text, mode):
    """What claims cannot share out needs no decision: the scheduler counts as it did before."""
    text = pod(
        "limits: {nvidia.com/gpu: 2}",
        "initContainers:\n- {name: i, image: x, resources: {limits: {nvidia.com/gpu: 3}}}\n",
        "- {name: other, image: x, resources: {limits: {nvidia.com/gpu: 4}}}\n",
    )
    assert convert_text(text, mode="claims").outcomes.count("needs-decision") == 3
    assert "needs-decision" not in convert_text(text, mode=mode).outcomes


@pytest.mark.parametrize("mode", ["auto", "claims", *BY_NAME])
@pytest.mark.parametrize(
    ("resources", "more", "says"),
    [
        ("limits: {nvidia.com/gpu.shared: 1}", "", "shared"),
        ("limits: {nvidia.com/gpu: 1, nvidia.com/gpumem: 3000}", "", "part of"),
        ("limits: {nvidia.com/gpu: 1500m}", "", "whole"),
        ("limits: {nvidia.com/gpu: some}", "", ""),
        ("requests: {nvidia.com/gpu: 1}", "", "requests only"),
        ("limits: {nvidia.com/gpu: 2}\nrequests: {nvidia.com/gpu: 1}", "", "different counts"),
        ("limits: {nvidia.com/mig-small: 1}", "", "profile"),
        ("limits: {nvidia.com/gpu: 1}", "nodeName: gpu-1\n", "nodeName"),
        (
            "limits: {nvidia.com/gpu: 1}",
            "nodeSelector: {nvidia.com/gpu.product: Tesla-T4-SHARED}\n",
            "SHARED",
        ),
        (
            "limits: {nvidia.com/gpu: 1}",
            "nodeSelector: {nvidia.com/gpu.product: A100-SXM4-40GB-MIG-INVALID}\n",
            "cut",
        ),
    ],
)
def test_what_needs_a_person_does_so_in_every_mode(convert_text, mode, resources, more, says):
    text = pod(resources, more)
    result = convert_text(text, mode=mode)
    assert result.text == text
    assert set(result.outcomes) == {"needs-decision"}
    assert {each.mode for each in result.occurrences} == {None}
    assert any(says in each.reason for each in result.occurrences)


@pytest.mark.parametrize("mode", ["claims", *BY_NAME])
def test_evidence_of_sharing_counts_in_every_mode(convert_text, mode):
    plugin = "sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}\n"
    result = convert_text({"app.yaml": pod(), "plugin.yaml": plugin}, mode=mode)
    assert result.outcomes == ["needs-decision"]
    assert convert_text(
        {"app.yaml": pod(), "plugin.yaml": plugin}, mode=mode, sharing="exclusive"
    ).outcomes in (
        ["kept"],
        ["converted"],
    )


@pytest.mark.parametrize("mode", ["auto", "claims", *BY_NAME])
def test_a_pod_is_kept_in_every_mode(convert_text, mode):
    text = pod().replace("{name: train}", "{name: train, annotations: {dralint.io/keep: later}}")
    result = convert_text(text, mode=mode)
    assert (result.text, result.outcomes, result.occurrences[0].mode) == (text, ["kept"], None)


def test_zero_asks_for_nothing(convert_text):
    text = pod("limits: {cpu: 1, nvidia.com/gpu: 0}")
    kept = convert_text(text, mode="extended-resource")
    assert (kept.text, kept.outcomes, kept.occurrences[0].reason) == (text, ["kept"], NOTHING)
    gone = convert_text(text, mode="implicit")
    assert gone.text == text.replace(", nvidia.com/gpu: 0", "")
    assert (gone.outcomes, gone.occurrences[0].reason) == (["converted"], NOTHING)


def test_a_part_beside_a_whole_gpu_is_decided_by_the_sharing(convert_text):
    text = pod("limits: {nvidia.com/gpu: 1, nvidia.com/gpumem: 3000}")
    renamed = convert_text(text, mode="implicit", sharing="exclusive")
    assert f"limits: {{{IMPLICIT}gpu.nvidia.com: 1}}\n" in renamed.text
    assert renamed.outcomes == ["converted", "converted"]
    stays = convert_text(text, mode="extended-resource", sharing="exclusive")
    assert stays.text == pod("limits: {nvidia.com/gpu: 1}")
    assert stays.outcomes == ["kept", "converted"]
    assert {each.mode for each in stays.occurrences} == {"extended-resource"}


def test_a_part_without_a_whole_gpu_stays(convert_text):
    text = pod("limits: {nvidia.com/gpumem: 3000}")
    for mode in BY_NAME:
        assert convert_text(text, mode=mode, sharing="exclusive").outcomes == ["needs-decision"]


def test_zero_of_a_part_is_zero(convert_text):
    text = pod("limits: {nvidia.com/gpu: 0, nvidia.com/gpumem: 0}")
    assert convert_text(text, mode="extended-resource", sharing="exclusive").outcomes == ["kept"] * 2
    assert convert_text(text, mode="implicit", sharing="exclusive").outcomes == ["converted"] * 2


def test_a_container_never_asks_for_one_name_twice(convert_text):
    both = pod("limits: {nvidia.com/gpu: 1, nvidia.com/gpu.shared: 1}")
    result = convert_text(both, mode="implicit", sharing="exclusive")
    assert (result.text, result.outcomes) == (both, ["needs-decision"] * 2)
    there = pod(f"limits: {{nvidia.com/gpu: 1, {IMPLICIT}gpu.nvidia.com: 1}}")
    result = convert_text(there, mode="implicit")
    assert (result.text, result.outcomes) == (there, ["needs-decision"])


def test_a_text_that_two_containers_share_is_renamed_for_both(convert_text):
    text = pod(
        "&one\nlimits: {nvidia.com/gpu: 1}".replace("&one\n", ""),
        containers="- {name: b, image: x, resources: *r}\n",
    ).replace("resources:\n", "resources: &r\n", 1)
    result = convert_text(text, mode="implicit")
    assert result.outcomes == ["converted"] * 2
    assert result.text.count(IMPLICIT) == 1


def test_a_count_that_an_operator_reads_is_written(convert_text):
    text = textwrap.dedent("""\
        apiVersion: ray.io/v1
        kind: RayCluster
        metadata: {name: ray}
        spec:
          workerGroupSpecs:
          - groupName: gpus
            template:
              spec:
                containers:
                - {name: worker, image: x, resources: {limits: {nvidia.com/gpu: 2}}}
        """)
    assert 'num-gpus: "2"' in convert_text(text, mode="implicit").text
    assert convert_text(text, mode="extended-resource").text == text


def test_a_reference_to_the_limit_holds_a_new_name_back(convert_text):
    env = "  env:\n  - name: N\n    valueFrom: {resourceFieldRef: {resource: limits.nvidia.com/gpu}}\n"
    text = pod(containers=env)
    assert convert_text(text, mode="implicit").outcomes == ["needs-decision"]
    assert convert_text(text, mode="extended-resource").outcomes == ["kept"]


def test_a_claim_for_a_gpu_beside_the_limit_asks_twice(convert_text):
    template = (
        "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: gpu}\n"
        "spec: {spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu.nvidia.com}}]}}}\n"
    )
    claims = "resourceClaims: [{name: g, resourceClaimTemplateName: gpu}]\n"
    text = pod("limits: {nvidia.com/gpu: 1}\nclaims: [{name: g}]", claims) + template
    for mode in ("claims", *BY_NAME):
        assert convert_text(text, mode=mode).outcomes == ["needs-decision"]


def test_labels_stay_where_nothing_can_select(convert_text):
    text = pod(more="nodeSelector: {nvidia.com/gpu.product: NVIDIA-L40S}\n")
    for mode in BY_NAME:
        result = convert_text(text, mode=mode)
        assert "nodeSelector: {nvidia.com/gpu.product: NVIDIA-L40S}" in result.text
        (message,) = [note.message for note in result.notes if note.weight == "warning"]
        assert message == (
            "the pod selects nodes by nvidia.com/gpu.product: NVIDIA-L40S: a request by resource name has no selectors; "
            "it stays, and the pod waits where nothing sets this label"
        )


# What a kind's pod specs can hold.

KNATIVE = (
    "apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: x}\n"
    "spec: {template: {spec: {containers: [{image: x, resources: {limits: {nvidia.com/gpu: 1}}}]}}}\n"
)
SERVERLESS = (
    "apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\n"
    "metadata: {name: llm, annotations: {serving.kserve.io/deploymentMode: Serverless}}\n"
    "spec: {predictor: {containers: [{name: a, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]}}\n"
)
SPARK = (
    "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {name: x}\n"
    "spec: {executor: {gpu: {name: nvidia.com/gpu, quantity: 1}}}\n"
)
UNKNOWN = (
    "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: x}\n"
    "spec: {template: {spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}}\n"
)
VALUES = "worker: {resources: {limits: {nvidia.com/gpu: 1}}}\n"
RELEASE = (
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: x}\n"
    "spec: {values: {resources: {limits: {nvidia.com/gpu: 1}}}}\n"
)


@pytest.mark.parametrize(
    ("text", "auto", "extended", "implicit"),
    [
        (KNATIVE, "kept", "kept", "converted"),
        (SERVERLESS, "kept", "kept", "converted"),
        (SPARK, "kept", "kept", "needs-decision"),
        (UNKNOWN, "unsupported", "kept", "unsupported"),
        (VALUES, "unsupported", "kept", "unsupported"),
        (RELEASE, "unsupported", "kept", "unsupported"),
    ],
    ids=["Knative", "serverless", "Spark", "unknown kind", "values", "HelmRelease"],
)
def test_places_without_claims(convert_text, text, auto, extended, implicit):
    by_mode = {"auto": auto, "extended-resource": extended, "implicit": implicit}
    for mode, outcome in by_mode.items():
        result = convert_text(text, mode=mode)
        assert (mode, result.outcomes) == (mode, [outcome])
        assert (result.text == text) == (outcome != "converted")
        assert bool(result.occurrences[0].mode) == (outcome in ("kept", "converted"))
    assert convert_text(text, mode="claims").outcomes[0] in ("needs-decision", "unsupported")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (KNATIVE, "Knative refuses a container with resources.claims"),
        (SPARK, "Spark counts its GPUs"),
        (SERVERLESS, "refuses resources.claims"),
    ],
)
def test_auto_says_why_the_name_stays(convert_text, text, why):
    assert why in convert_text(text).occurrences[0].reason
    assert why not in convert_text(text, mode="extended-resource").occurrences[0].reason


def test_a_kind_that_may_refuse_tolerations_gets_none(convert_text):
    result = convert_text(KNATIVE, mode="implicit")
    assert "tolerations" not in result.text
    assert "toleration" in result.topics


@pytest.mark.parametrize("text", [KNATIVE, SPARK])
@pytest.mark.parametrize("version", ["1.34", "1.35"])
def test_auto_asks_by_name_only_with_the_gate(convert_text, text, version):
    result = convert_text(text, target=make_target(version))
    assert result.outcomes == ["needs-decision"]
    assert f"DRAExtendedResource, which Kubernetes {version} has off" in result.occurrences[0].next
    on = make_target(version, gates=["DRAExtendedResource=true"])
    assert convert_text(text, target=on).outcomes == ["kept"]


@pytest.mark.parametrize("mode", BY_NAME)
@pytest.mark.parametrize("version", ["1.34", "1.35"])
def test_a_name_needs_the_gate(convert_text, mode, version):
    result = convert_text(pod(), mode=mode, target=make_target(version))
    assert (result.text, result.outcomes) == (pod(), ["needs-decision"])
    assert "DRAExtendedResource is off" in result.occurrences[0].reason
    on = convert_text(pod(), mode=mode, target=make_target(version, gates=["DRAExtendedResource=true"]))
    assert on.outcomes == ["kept" if mode == "extended-resource" else "converted"]
    assert any("kubelet" in each for each in on.assumptions)
    assert ("gate" in on.topics) == (mode == "implicit")
    off = make_target("1.36", gates=["DRAExtendedResource=false"])
    assert convert_text(pod(), mode=mode, target=off).outcomes == ["needs-decision"]


@pytest.mark.parametrize("mode", BY_NAME)
def test_init_containers_that_1_34_gives_devices_of_their_own(convert_text, mode):
    init = "initContainers:\n- {name: i, image: x, %sresources: {limits: {%s: 1}}}\n"
    both = pod(more=init % ("", "nvidia.com/gpu"))
    sidecar = pod(more=init % ("restartPolicy: Always, ", "nvidia.com/gpu"))
    apart = pod(more=init % ("", "nvidia.com/mig-1g.10gb"))
    alone = pod("limits: {cpu: 1}", init % ("", "nvidia.com/gpu"))
    gate = ["DRAExtendedResource=true"]
    old, new = make_target("1.34", gates=gate), make_target("1.35", gates=gate)
    assert convert_text(both, mode=mode, target=old).outcomes == ["needs-decision"] * 2
    for text, target in ((both, new), (sidecar, old), (apart, old), (alone, old)):
        assert "needs-decision" not in convert_text(text, mode=mode, target=target).outcomes


def test_auto_and_claims_are_one_on_kinds_that_hold_claims(convert_text):
    for text in (pod(), pod("limits: {nvidia.com/gpu: 0}"), pod("limits: {nvidia.com/mig-1g.10gb: 2}")):
        one, other = convert_text(text, mode="auto"), convert_text(text, mode="claims")
        assert (one.text, one.occurrences) == (other.text, other.occurrences)
