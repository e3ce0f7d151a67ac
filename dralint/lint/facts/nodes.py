"""Subjects of what a cluster dump shows of its nodes: `node` and `namespace`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from dralint.kube.dra import GROUP, pod_claims
from dralint.kube.neighbours import beside
from dralint.kube.objects import KubeObject
from dralint.kube.places import containers, pod_specs
from dralint.kube.quantity import parse_count
from dralint.kube.versions import Version
from dralint.lint.facts.common import Surroundings
from dralint.lint.subject import Subject
from dralint.nvidia.resources import classify
from dralint.yamltext.node import MAP, SCALAR
from dralint.yamltext.view import Path, Plain, entries, get, string

KINDS = frozenset({"node", "namespace"})
_GPU_DRIVER = "gpu.nvidia.com"
_ADMIN_LABELS = ("resource.kubernetes.io/admin-access", "resource.k8s.io/admin-access")
_TOOL_IMAGES = ("nvcr.io/nvidia", "dra-driver-nvidia", "dcgm-exporter")
_MIG_CONFIG = "nvidia.com/mig.config"
_SLICE = "ResourceSlice"
Anchors = dict[str, tuple[KubeObject, Path]]


def gpu_slices(objects: Iterable[KubeObject]) -> dict[str, list[KubeObject]]:
    """The slices of NVIDIA's GPU plugin, by the node they are of."""
    found: dict[str, list[KubeObject]] = defaultdict(list)
    for obj in objects:
        if obj.ref.kind != _SLICE or obj.group != GROUP:
            continue
        if string(get(obj.node, "spec", "driver")) == _GPU_DRIVER:
            node = string(get(obj.node, "spec", "nodeName")) or string(get(obj.node, "spec", "pool", "name"))
            found[node or ""].append(obj)
    return found


def _claims_beside(obj: KubeObject, around: Surroundings) -> bool:
    """Whether a claim or template for GPUs stands in the node's directory: a dump holds both."""
    return any(beside(obj, other, complete=False) for other, _ in around.gpu_claims)


def _node(obj: KubeObject, around: Surroundings) -> Subject:
    allocatable = get(obj.node, "status", "allocatable")
    counts = {
        name: parse_count(get(allocatable, name)).value
        for name in (entries(allocatable) if allocatable is not None and allocatable.kind == MAP else ())
        if classify(name) is not None
    }
    slices = around.gpu_slices.get(obj.ref.name or "", [])
    kubelet = string(get(obj.node, "status", "nodeInfo", "kubeletVersion"))
    try:
        minor = Version(kubelet).minor if kubelet is not None else None
    except ValueError:
        minor = None
    path: Path = (*obj.path, "status", "allocatable")
    taken = [name for name, count in counts.items() if count]
    idle = [name for name, count in counts.items() if count == 0]
    anchors: Anchors = {"kubelet": (obj, (*obj.path, "status", "nodeInfo", "kubeletVersion"))}
    for name in [*taken, *idle][:1]:
        anchors["allocatable"] = (obj, (*path, name))
    for other in slices[:1]:
        anchors["slice"] = (other, other.path)
    if get(obj.node, "metadata", "labels", _MIG_CONFIG) is not None:
        anchors["mig_config"] = (obj, (*obj.path, "metadata", "labels", _MIG_CONFIG))
    facts: dict[str, Plain] = {
        "allocatable": [*taken],
        "idle": [*idle],
        "slices": len(slices),
        "kubelet": kubelet,
        "kubelet_minor": minor,
        "mig_config": string(get(obj.node, "metadata", "labels", _MIG_CONFIG)),
        "claims_beside": _claims_beside(obj, around),
        "dynamic_mig": around.run.target.driver_gate("DynamicMIG"),
    }
    return around.subject("node", obj, obj.path, facts, anchors)


def _a_tool(obj: KubeObject) -> bool:
    """Whether all images of the object are NVIDIA's own: what the GPU operator runs in its namespace."""
    images = [
        string(get(container.node, "image")) or ""
        for spec in pod_specs(obj)
        for container in containers(spec)
    ]
    return all(any(word in image for word in _TOOL_IMAGES) for image in images)


def _admin_claims(obj: KubeObject, around: Surroundings) -> bool:
    """Whether a pod of the object uses a claim with admin access."""
    for spec in pod_specs(obj):
        for claim in pod_claims(spec):
            needs = around.resolver.pod_claim(spec, claim).needs
            if any(need.admin for each in needs for need in each):
                return True
    return False


def _namespace(obj: KubeObject, around: Surroundings) -> Subject:
    labels = get(obj.node, "metadata", "labels")
    label = next((key for key in _ADMIN_LABELS if get(labels, key) is not None), None)
    value = get(labels, label) if label is not None else None
    open_to_all = value is not None and value.kind == SCALAR and value.text == "true"
    inside = around.run.bundle.in_namespace(obj.ref.name) if open_to_all else ()
    tenants = [
        other
        for other in inside
        if not other.template and pod_specs(other) and not _a_tool(other) and not _admin_claims(other, around)
    ]
    anchors: Anchors = {"label": (obj, (*obj.path, "metadata", "labels", label or ""))}
    for other in tenants[:1]:
        anchors["tenant"] = (other, other.path)
    facts: dict[str, Plain] = {
        "admin_access": open_to_all,
        "label": label,
        "tenants": [f"{each.ref.kind} {each.ref.name}" for each in tenants],
    }
    return around.subject("namespace", obj, obj.path, facts, anchors)


def subjects(obj: KubeObject, kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """A Node or a Namespace."""
    what = (obj.group, obj.ref.kind)
    if "node" in kinds and what == ("", "Node"):
        yield _node(obj, around)
    elif "namespace" in kinds and what == ("", "Namespace"):
        yield _namespace(obj, around)
