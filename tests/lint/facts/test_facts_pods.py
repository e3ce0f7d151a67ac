"""Facts of pods and containers."""

from __future__ import annotations

import pytest

TEMPLATE = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: %s}
spec: {spec: {devices: {requests: %s}}}
"""
REQUESTS = """[
  {name: a, exactly: {deviceClassName: mig.nvidia.com, count: 2}},
  {name: b, exactly: {deviceClassName: mig.nvidia.com}}]"""
SLICES = TEMPLATE % ("slices", REQUESTS)
RUNTIME = """
apiVersion: serving.kserve.io/v1alpha1
kind: ServingRuntime
metadata: {name: x}
spec: {containers: [{name: c, image: i}]}
"""


def pod(containers, claims="[]", kind="Pod"):
    return f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: x}}\nspec:\n  resourceClaims: {claims}\n  containers:\n{containers}"


def one(container, kind="Pod"):
    return pod(f"  - {container}", "[{name: slices, resourceClaimTemplateName: slices}]", kind)


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ("{limits: {nvidia.com/gpu: 2}}", [("nvidia.com/gpu", 2)]),
        ('{limits: {nvidia.com/gpu: "2"}, requests: {nvidia.com/gpu: 2}}', [("nvidia.com/gpu", 2)]),
        ("{requests: {nvidia.com/mig-1g.10gb: 1}}", [("nvidia.com/mig-1g.10gb", 1)]),
        ("{limits: {nvidia.com/gpu: 0, cpu: 1}}", [("nvidia.com/gpu", 0)]),
        ('{limits: {nvidia.com/gpu: "${N}"}}', [("nvidia.com/gpu", None)]),
        ("{limits: {nvidia.com/gpu: }}", []),
        ("{limits: {amd.com/gpu: 1}}", []),
        ("{}", []),
    ],
)
def test_what_a_container_asks_the_device_plugin_for(facts, resources, expected):
    (container,) = facts("container", one(f"{{name: c, image: i, resources: {resources}}}"))
    found = [(each["resource"], each["count"]) for each in container.facts["device_plugin"]]
    assert found == expected


@pytest.mark.parametrize(
    ("claims", "devices"),
    [("[{name: slices}]", 3), ("[{name: slices, request: a}]", 2), ("[{name: other}]", 0), ("[]", 0)],
)
def test_how_many_mig_devices_a_container_gets(facts, claims, devices):
    (container,) = facts("container", one(f"{{name: c, image: i, resources: {{claims: {claims}}}}}"), SLICES)
    assert container.facts["mig_devices"] == container.facts["group_mig_devices"] == devices


@pytest.mark.parametrize(
    ("container", "signs"),
    [
        ("args: [--tensor-parallel-size, '2']", ["--tensor-parallel-size 2"]),
        ("args: [--tensor-parallel-size=4]", ["--tensor-parallel-size 4"]),
        ("args: ['vllm serve m --tensor-parallel-size  8 --port 80']", ["--tensor-parallel-size 8"]),
        ("args: [--tensor-parallel-size, '1']", []),
        ("args: [--tensor-parallel-size, $TP]", []),
        ("args: [--tensor-parallel-size]", []),
        ("command: [torchrun, --nproc-per-node=2, x.py]", ["--nproc-per-node 2"]),
        ("command: [/usr/bin/mpirun, -np, '2', x]", ["-np 2"]),
        ("command: [head, -n, '20', file]", []),
        ("command: [ray, start, --num-gpus=2]", []),
        ("command: [/opt/nccl_tests/all_reduce_perf, -b, '8']", ["all_reduce_perf"]),
        ("env: [{name: NCCL_DEBUG, value: INFO}]", ["NCCL_DEBUG"]),
        ("env: [{name: NCCL_VERSION, value: '2'}, {name: WORLD_SIZE, value: '1'}]", []),
        ("env: [{name: WORLD_SIZE, value: '8'}]", ["WORLD_SIZE=8"]),
        ("env: [{name: NCCL_SOCKET_IFNAME, valueFrom: {fieldRef: {fieldPath: x}}}]", ["NCCL_SOCKET_IFNAME"]),
        ("workingDir: /src", []),
    ],
)
def test_signs_of_nccl(facts, container, signs):
    text = one(f"{{name: c, image: i, resources: {{claims: [{{name: slices}}]}}, {container}}}")
    (found,) = facts("container", text, SLICES)
    assert [each["text"].removeprefix("/opt/nccl_tests/") for each in found.facts["collectives"]] == signs


def test_signs_are_only_looked_for_beside_mig_devices(facts):
    (container,) = facts("container", one("{name: c, image: i, args: [--tensor-parallel-size=2]}"), SLICES)
    assert container.facts["collectives"] == []


def test_the_devices_of_a_group_count_together(facts):
    worker = """
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: train}
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 4
      template:
        spec:
          resourceClaims: [{name: slices, resourceClaimTemplateName: slices}]
          containers: [{name: pytorch, image: i, resources: {claims: [{name: slices, request: b}]}}]
"""
    (container,) = facts("container", worker, SLICES)
    assert container.facts["mig_devices"] == 1
    assert container.facts["group_mig_devices"] == 12


def test_a_claim_is_consumed_by_any_container_of_the_pod(facts):
    text = """
apiVersion: v1
kind: Pod
metadata: {name: x}
spec:
  resourceClaims: [{name: a, resourceClaimName: a}, {name: b, resourceClaimName: b}]
  initContainers: [{name: i, image: i, resources: {claims: [{name: a}]}}]
  containers: [{name: c, image: i}]
"""
    assert [claim.facts["consumed"] for claim in facts("pod_claim", text)] == [True, False]


def test_kinds_that_are_no_whole_pod_spec_name_their_claims_anywhere(facts):
    text = """
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: x}
spec:
  predictor:
    resourceClaims: [{name: a, resourceClaimTemplateName: a}]
    model:
      resources: {claims: [{name: a}]}
"""
    assert all(claim.facts["consumed"] for claim in facts("pod_claim", text))


@pytest.mark.parametrize(
    ("text", "partial"),
    [
        (pod("  - {name: c, image: i}"), False),
        (pod("  - {name: c}"), True),
        (pod("  - {name: c}\n  - {name: d, image: i}"), False),
        (RUNTIME, True),
    ],
)
def test_a_patch_is_a_part_of_a_pod(facts, text, partial):
    assert [each.facts["partial"] for each in facts("pod", text)] == [partial]


def test_a_template_that_parses_by_accident_has_no_facts(facts):
    assert (
        facts("pod", "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:\n  {{ toYaml .Values.pod }}:")
        == []
    )
