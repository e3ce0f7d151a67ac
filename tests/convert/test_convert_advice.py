"""Whether a workload should move, and what to do on the cluster."""

from __future__ import annotations

import textwrap

import pytest

from dralint.convert.advice.advice import data
from dralint.nvidia.target import make_target

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: llm%s}
spec:
  template:
    spec:
%s      containers:
      - name: main
        image: chat:1
        resources: {limits: {%s}}
"""
CONFIG = """\
version: v1
sharing:
  timeSlicing:
    resources: [{name: nvidia.com/gpu, replicas: 4}]
"""
VALUES = "resources:\n  limits:\n    nvidia.com/gpu: 1\n"
SPARK = """\
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: etl}
spec:
  executor:
    gpu: {name: nvidia.com/gpu, quantity: 1}
"""
REQUIRED = (
    "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
    "{nodeSelectorTerms: [{matchExpressions: ["
)
PREFERRED = (
    "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: "
    "[{weight: 1, preference: {matchExpressions: ["
)


def deployment(limit: str = "nvidia.com/gpu: 1", spec: str = "", metadata: str = "") -> str:
    return DEPLOYMENT % (metadata, textwrap.indent(spec, " " * 6), limit)


@pytest.mark.parametrize(
    ("text", "advice", "reason"),
    [
        (deployment(), "stay", "a selector adds nothing"),
        (deployment(metadata=', annotations: {dralint.io/keep: "old image"}'), "stay", "old image"),
        (deployment("nvidia.com/mig-1g.10gb: 1"), "move", "1g.10gb"),
        (deployment(spec="nodeSelector: {nvidia.com/gpu.family: ampere}\n"), "move", "node labels"),
        (
            deployment(spec="nodeSelector: {nvidia.com/gpu.machine: DGX-H100}\n"),
            "wait",
            "nvidia.com/gpu.machine",
        ),
        (
            deployment(spec="nodeSelector: {nvidia.com/gpu.family: ampere, nvidia.com/gpu.count: '8'}\n"),
            "wait",
            "nvidia.com/gpu.count",
        ),
        (
            deployment(
                spec=f"{REQUIRED}{{key: nvidia.com/gpu.count, operator: Gt, values: ['3']}}]}}]}}}}}}\n"
            ),
            "wait",
            "Gt 3",
        ),
        (
            deployment(
                spec=f"{PREFERRED}{{key: nvidia.com/gpu.count, operator: Gt, values: ['3']}}]}}}}]}}}}\n"
            ),
            "stay",
            "adds",
        ),
        (deployment(spec="nodeSelector: {topology.kubernetes.io/zone: a}\n"), "stay", "adds nothing"),
        (deployment("nvidia.com/gpu.shared: 1"), "wait", "TimeSlicingSettings"),
        (deployment("nvidia.com/gpu: 1.5"), "wait", "a person must decide first"),
        (CONFIG + "---\n" + deployment(), "wait", "shared GPU"),
        (VALUES, "wait", "chart"),
        (deployment(metadata=", labels: {opendatahub.io/dashboard: yes}"), "wait", "OpenShift AI"),
    ],
)
def test_the_advice_on_a_workload(convert_text, text, advice, reason):
    (workload,) = convert_text(text).workloads
    assert workload.advice == advice
    assert reason in "; ".join(workload.reasons)


def test_sharing_that_a_person_decided_is_no_reason_to_wait(convert_text):
    (workload,) = convert_text(CONFIG + "---\n" + deployment(), sharing="exclusive").workloads
    assert workload.advice == "stay"


def test_a_shared_gpu_is_the_reason_once(convert_text):
    (shared,) = convert_text(CONFIG + "---\n" + deployment()).workloads
    assert len(shared.reasons) == 1
    part = deployment("nvidia.com/gpu.shared: 1").replace("      - name: main", "      - name: odd", 1)
    part += "      - name: half\n        resources: {limits: {nvidia.com/mig-1g.10gb: 0.5}}\n"
    (both,) = convert_text(part).workloads
    assert len(both.reasons) == 2
    assert "shared" not in both.reasons[1]


def test_what_a_controller_made_is_no_workload(convert_text):
    owned = (
        "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: chat-1\n  namespace: llm\n  ownerReferences:\n"
        "  - {apiVersion: apps/v1, kind: Deployment, name: chat, controller: true, uid: '1'}\n"
        "spec:\n  containers:\n  - {name: main, resources: {limits: {nvidia.com/gpu: 1}}}\n"
    )
    conversion = convert_text(deployment() + owned)
    assert conversion.outcomes == ["converted", "kept"]
    assert [each.object.kind for each in conversion.workloads] == ["Deployment"]


def test_a_cluster_policy_stays_behind(convert_text):
    policy = "---\napiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: cluster-policy}\n"
    (step,) = [each for each in convert_text(deployment() + policy).steps if "ClusterPolicy" in each.title]
    assert "workload.yaml:12:1" in step.text


def test_a_priority_is_told_beside_the_advice(convert_text):
    (workload,) = convert_text(deployment(spec="priorityClassName: urgent\n")).workloads
    assert workload.advice == "stay"
    assert len(workload.reasons) == 2


def test_claims_that_stand_there_already(convert_text):
    text = deployment(spec="resourceClaims: [{name: net, resourceClaimTemplateName: rdma}]\n")
    (workload,) = convert_text(text).workloads
    assert workload.advice == "move"


def test_every_request_belongs_to_one_workload(convert_text):
    text = "---\n".join([deployment(), SPARK, deployment("nvidia.com/mig-1g.10gb: 1"), VALUES])
    conversion = convert_text(text)
    assert sum(len(each.outcomes) for each in conversion.workloads) == len(conversion.occurrences) == 4


def test_every_advice_names_its_source():
    for entry in [*data()["workloads"], *data()["steps"], data()["kubernetes"]]:
        assert entry["source"]


def titles(conversion):
    return [step.title for step in conversion.steps]


def test_the_steps_of_a_move(convert_text):
    conversion = convert_text(deployment("nvidia.com/mig-1g.10gb: 1"))
    assert titles(conversion) == [
        "Build a new cluster on Kubernetes 1.36 or later",
        "Install the GPU operator with GPUCluster",
        "Leave ComputeDomains off on PCIe servers",
        "Make the MIG devices before the driver starts",
        "Adapt what reads GPU limits",
        "Convert the manifests",
        "Move service by service",
    ]
    mig = next(step for step in conversion.steps if "MIG" in step.title)
    assert "1g.10gb" in mig.text
    assert "Deployment llm/chat" in conversion.steps[-1].text


@pytest.mark.parametrize(
    ("text", "options", "title"),
    [
        (deployment(), {"target": make_target("1.35")}, "Switch on what Kubernetes 1.35 leaves off"),
        (deployment(), {"target": make_target(stack="standalone")}, "Install the DRA driver's chart"),
        (deployment("nvidia.com/gpu: 1.5"), {}, "Decide what is open"),
        (
            deployment() + "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\n"
            "spec: {hard: {requests.nvidia.com/gpu: 4}}\n",
            {},
            "Adapt quotas and queues",
        ),
    ],
)
def test_steps_that_depend_on_what_is_there(convert_text, text, options, title):
    assert title in titles(convert_text(text, **options))
    assert title not in titles(convert_text(deployment()))


def test_a_compute_domain_is_not_switched_off(convert_text):
    text = (
        deployment()
        + "---\napiVersion: resource.nvidia.com/v1beta1\nkind: ComputeDomain\nmetadata: {name: d}\n"
    )
    assert not any("ComputeDomains" in title for title in titles(convert_text(text)))


def test_without_requests_there_is_nothing_to_do(convert_text):
    conversion = convert_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nvidia.com}\n")
    assert conversion.steps == conversion.workloads == []
