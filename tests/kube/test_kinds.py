"""The data of workload kinds holds together."""

from __future__ import annotations

import os
from itertools import pairwise

import pytest

import dralint.kube
from dralint.kube import kinds
from dralint.kube.kinds import (
    is_cluster_scoped,
    kind_of,
    note_fields,
    request_fields,
    workload_kinds,
)
from dralint.kube.paths import ITEMS, VALUES
from dralint.yamltext.load import load_data
from tests.kube.reading import first

DATA = os.path.join(os.path.dirname(dralint.kube.__file__), "data")
KIND_KEYS = {
    "group", "kind", "versions", "schema", "pods", "operator_pods", "resources", "scope", "counts_gpus", "checked", "why",
    "assumes", "source",
}  # fmt: skip
POD_KEYS = {
    "path", "part", "metadata", "replicas", "when", "unless", "gpu_count", "schema", "containers",
    "initContainers", "claims", "next",
}  # fmt: skip
FIELD_KEYS = {
    "group", "kind", "versions", "place", "maps", "quantities", "resource", "name", "next", "source",
}  # fmt: skip


KIND_FILES = sorted(name for name in os.listdir(os.path.join(DATA, "kinds")) if name.endswith(".yaml"))


def entries(section):
    if section != "kinds":
        return load_data(os.path.join(DATA, "requests.yaml"))[section]
    return [entry for file in KIND_FILES for entry in load_data(os.path.join(DATA, "kinds", file))["kinds"]]


@pytest.mark.parametrize(
    ("section", "keys"),
    [
        ("kinds", KIND_KEYS),
        ("fields", FIELD_KEYS),
        ("notes", {"group", "kind", "paths", "topic", "next", "source"}),
    ],
)
def test_every_entry_has_a_source_and_no_misspelt_key(section, keys):
    for entry in entries(section):
        assert entry["source"]
        assert set(entry) <= keys, entry
        for place in (*entry.get("pods", ()), *entry.get("operator_pods", ())):
            assert set(place) <= POD_KEYS, entry
            assert set(place.get("claims") or ()) <= {"path", "named"}, entry
        for place in entry.get("resources", ()):
            assert set(place) == {"path", "next"}, entry


@pytest.mark.parametrize("file", KIND_FILES)
def test_the_kinds_of_an_api_group_have_a_file_of_their_own(file):
    group = file.removesuffix(".yaml")
    found = load_data(os.path.join(DATA, "kinds", file))["kinds"]
    assert {entry["group"] for entry in found} == {"" if group == "core" else group}


def test_only_the_kinds_of_the_group_are_read(monkeypatch):
    read = []
    monkeypatch.setattr(
        kinds, "load_data", lambda path: read.append(os.path.basename(path)) or load_data(path)
    )
    for known in (kinds._of_group, kinds._data):
        known.cache_clear()
    for api_version, kind in (
        ("apps/v1", "Deployment"),
        ("resource.k8s.io/v1", "ResourceClaim"),
        ("../core/v1", "Pod"),
    ):
        kind_of(first(f"apiVersion: {api_version}\nkind: {kind}\n"))
    assert read == ["apps.yaml"]


@pytest.mark.parametrize("file", ["words.yaml", "holders.yaml", "gates.yaml"])
def test_other_data_has_sources(file):
    for section in load_data(os.path.join(DATA, file)).values():
        assert all(entry["source"] for entry in section)


def test_a_kind_is_listed_once_for_each_version():
    seen = set()
    for kind in workload_kinds():
        for version in kind.versions or (None,):
            assert (kind.group, kind.kind, version) not in seen
            assert (kind.group, kind.kind, None) not in seen
            seen.add((kind.group, kind.kind, version))


def wildcards(path):
    return [(path[:index], step) for index, step in enumerate(path) if step in (ITEMS, VALUES)]


def test_wildcards_of_one_pod_spec_are_the_same():
    """Replicas, metadata and the GPU count are found by the indexes that led to the pod spec."""
    for kind in workload_kinds():
        for place in (*kind.pods, *kind.operator_pods):
            factors = place.replicas if isinstance(place.replicas, tuple) else ()
            for path in (place.metadata, place.gpu_count, *(factor.path for factor in factors)):
                ours = wildcards(path or ())
                assert ours == wildcards(place.path)[: len(ours)], (kind.kind, path)


def test_several_pod_specs_have_several_names():
    for kind in workload_kinds():
        for one, other in pairwise(kind.pods):
            exclusive = one.when and one.when == other.unless
            pattern = "Pattern" in str(one.path) or kind.kind == "RoleBasedGroup"
            assert one.part != other.part or exclusive or one.unless or other.unless or pattern, kind.kind
        for place in kind.pods:
            assert place.part or not wildcards(place.path), kind.kind


def test_what_cannot_hold_a_claim_says_what_to_do():
    for kind in workload_kinds():
        places = (*kind.pods, *kind.operator_pods)
        assert all(place.next or place.claims for place in places), kind.kind
        assert all(place.next for place in kind.resources)
    assert all(field.next for field in request_fields())
    assert all(note.next for note in note_fields().values())


def test_the_kinds_of_the_catalogue_are_there():
    """Every kind that public manifests were found to request GPUs in."""
    listed = {(kind.group, kind.kind) for kind in workload_kinds()}
    assert listed >= {
        ("apps", "Deployment"), ("apps", "StatefulSet"), ("apps", "DaemonSet"), ("apps", "ReplicaSet"),
        ("", "Pod"), ("", "PodTemplate"), ("batch", "Job"), ("batch", "CronJob"),
        ("jobset.x-k8s.io", "JobSet"), ("kubeflow.org", "MPIJob"), ("kubeflow.org", "PyTorchJob"),
        ("kubeflow.org", "TFJob"), ("trainer.kubeflow.org", "ClusterTrainingRuntime"),
        ("trainer.kubeflow.org", "TrainingRuntime"), ("trainer.kubeflow.org", "TrainJob"),
        ("kubeflow.org", "Experiment"), ("kubeflow.org", "Notebook"), ("ray.io", "RayCluster"),
        ("ray.io", "RayService"), ("ray.io", "RayJob"), ("orchestration.aibrix.ai", "RayClusterFleet"),
        ("orchestration.aibrix.ai", "StormService"), ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"),
        ("workloads.x-k8s.io", "RoleBasedGroup"), ("workload.serving.volcano.sh", "ModelServing"),
        ("workload.serving.volcano.sh", "ModelBooster"), ("grove.io", "PodCliqueSet"),
        ("nvidia.com", "DynamoGraphDeployment"), ("apps.nvidia.com", "NIMService"),
        ("apps.nvidia.com", "NIMPipeline"), ("apps.nvidia.com", "NIMCache"),
        ("serving.kserve.io", "InferenceService"), ("serving.kserve.io", "LLMInferenceService"),
        ("serving.kserve.io", "LLMInferenceServiceConfig"), ("serving.kserve.io", "ServingRuntime"),
        ("serving.kserve.io", "ClusterServingRuntime"), ("template.openshift.io", "Template"),
        ("workload.codeflare.dev", "AppWrapper"), ("serving.knative.dev", "Service"),
        ("argoproj.io", "Workflow"), ("argoproj.io", "WorkflowTemplate"), ("batch.volcano.sh", "Job"),
        ("elastic.pytorch.org", "ElasticJob"), ("sagemaker.amazonaws.com", "HyperPodPyTorchJob"),
        ("inference.llmaz.io", "Service"), ("inference.llmaz.io", "Playground"), ("llmaz.io", "OpenModel"),
        ("inference.networking.x-k8s.io", "InferenceModel"), ("kaito.sh", "Workspace"),
        ("mlops.seldon.io", "Server"), ("sparkoperator.k8s.io", "SparkApplication"),
        ("helm.toolkit.fluxcd.io", "HelmRelease"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("api_version", "kind", "schema"),
    [
        ("apps/v1", "Deployment", "full"),
        ("v1", "Pod", "full"),
        ("kubeflow.org/v2beta1", "MPIJob", "full"),
        ("nvidia.com/v1alpha1", "DynamoGraphDeployment", "narrow"),
        ("nvidia.com/v1beta1", "DynamoGraphDeployment", "full"),
        ("nvidia.com/v9", "DynamoGraphDeployment", None),
        ("example.com/v1", "Deployment", None),
        ("batch/v1", "Pod", None),
    ],
)
def test_kind_of(api_version, kind, schema):
    found = kind_of(first(f"apiVersion: {api_version}\nkind: {kind}\n"))
    assert (found and found.schema) == schema


def test_what_holds_objects_is_listed():
    """Else the pod specs of what it holds would be found twice: in the held object, and by shape."""
    listed = {(kind.group, kind.kind) for kind in workload_kinds()}
    holders = load_data(os.path.join(DATA, "holders.yaml"))["holders"]
    assert {(holder["group"], holder["kind"]) for holder in holders} <= listed


def test_ray_counts_gpus():
    counting = {kind.kind for kind in workload_kinds() if any(place.gpu_count for place in kind.pods)}
    assert counting >= {"RayCluster", "RayJob", "RayService", "RayClusterFleet"}
    assert all(kind.counts_gpus for kind in workload_kinds() if kind.kind in counting)


def test_kinds_in_no_namespace():
    found = {(kind.group, kind.kind) for kind in workload_kinds() if kind.cluster_scoped}
    assert found == {
        ("argoproj.io", "ClusterWorkflowTemplate"),
        ("kyverno.io", "ClusterPolicy"),
        ("serving.kserve.io", "ClusterServingRuntime"),
        ("trainer.kubeflow.org", "ClusterTrainingRuntime"),
    }
    assert all(is_cluster_scoped(*each) for each in found)
    assert not is_cluster_scoped("apps", "Deployment")
    assert not is_cluster_scoped("example.com", "ClusterThing")
