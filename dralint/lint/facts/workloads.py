"""Subjects of pods that take GPUs, by claims or from a device plugin: `workload`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from dralint.convert.inherited import scheduling_field
from dralint.convert.tolerations import TOLERATION
from dralint.kube.neighbours import project
from dralint.kube.objects import KubeObject
from dralint.kube.places import PodSpec, pod_specs
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.device_plugin import GpuRequest, gpu_requests
from dralint.lint.facts.node_labels import demands
from dralint.lint.facts.operators import counted, devices_of
from dralint.lint.facts.placeholders import templated
from dralint.lint.facts.pods import Pod, resolved, takes_gpu
from dralint.lint.facts.ranks import ranks_apart
from dralint.lint.subject import Subject
from dralint.yamltext.load import load_data
from dralint.yamltext.node import SCALAR
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, Plain, children, get, string

KINDS = frozenset({"workload"})
_DATA = os.path.join(os.path.dirname(__file__), "data", "workloads.yaml")
# Names that take a device; gpumem and gpucores only say how much of one.
_DEVICES = ("gpu", "mig", "pgpu")
_CHANNEL = "channel"
_GPU_DRIVER = "gpu.nvidia.com"
_QUEUE = "kueue.x-k8s.io/queue-name"
Anchors = dict[str, tuple[KubeObject, Path]]


@lru_cache(maxsize=1)
def _data() -> Any:
    return load_data(_DATA)


def _written(pod: PodSpec, field: str) -> str | None:
    """A field of the pod spec; None for what is filled in later."""
    text = string(get(pod.node, field))
    return None if templated(text) else text


def label_of(pod: PodSpec, key: str) -> tuple[str, Path] | None:
    """The value and the path of a label of the object, or of its pod template."""
    obj = pod.object
    places: list[Path] = [(*obj.path, "metadata", "labels")]
    if pod.metadata is not None:
        places.append((*pod.metadata, "labels"))
    root = obj.file.documents[obj.document].root
    for place in places:
        value = string(get(root, *place, key))
        if value:
            return value, (*place, key)
    return None


class _Labels(NamedTuple):
    """Demands on node labels: of GPU feature discovery with their places, and the first of Karpenter's."""

    discovered: dict[str, Path]
    karpenter: str | None


def _node_labels(pod: PodSpec) -> _Labels:
    known = _data()["discovered_labels"]
    discovered: dict[str, Path] = {}
    karpenter = None
    for demand in demands(pod):
        if demand.key.startswith(tuple(known["prefixes"])) and demand.key not in known["stay"]:
            discovered.setdefault(demand.key, demand.path)
        elif karpenter is None and demand.key.startswith(tuple(_data()["karpenter_labels"])):
            karpenter = demand.key
    return _Labels(discovered, karpenter)


def _rollout(obj: KubeObject) -> str | None:
    """Of a Deployment: surge, where an update starts a new pod while the old one still runs."""
    if (obj.group, obj.ref.kind) != ("apps", "Deployment"):
        return None
    strategy_node = get(obj.node, "spec", "strategy")
    if string(get(strategy_node, "type")) == "Recreate":
        return "recreate"
    surge = get(strategy_node, "rollingUpdate", "maxSurge")
    value = resolve(surge) if surge is not None and surge.kind == SCALAR else None
    return "replace" if value in (0, "0", "0%") else "surge"


def _pool(obj: KubeObject, around: Surroundings) -> int | None:
    """How many GPUs, or parts of them, the inventory has; None where there is none."""
    inventory = around.run.inventory(obj.file)
    if inventory is None or inventory.catalogue:
        return None
    return sum(device.driver == _GPU_DRIVER for device in inventory.devices)


def _tolerates(pod: PodSpec) -> bool:
    """Whether some toleration may be meant for the taint of GPU nodes, whatever value it asks for."""
    tolerations, _ = scheduling_field(pod, "tolerations")
    return any(
        (string(get(each, "key")) or "") in ("", TOLERATION["key"])
        and (string(get(each, "effect")) or "") in ("", TOLERATION["effect"])
        for each in children(tolerations)
    )


def _spread(pod: PodSpec) -> bool:
    """Whether something keeps the workload's pods on nodes of their own."""
    affinity, _ = scheduling_field(pod, "affinity")
    return get(affinity, "podAntiAffinity") is not None or bool(get(pod.node, "topologySpreadConstraints"))


def _device_plugin(pod: Pod) -> list[GpuRequest]:
    return [
        request for container in pod.containers for request in gpu_requests(container) if request.number != 0
    ]


def _of_init_containers(pod: Pod) -> list[Plain]:
    """GPU resources that init containers ask for which end before the others start."""
    names = {
        request.resource.name
        for container in pod.containers
        if container.group == "initContainers" and not container.sidecar
        for request in gpu_requests(container)
        if request.number != 0
    }
    return [*sorted(names)]


def claim_classes(pod: Pod) -> list[str]:
    """The DeviceClasses that a pod's claims name, sorted."""
    names = {
        ask.device_class
        for resolution in pod.resolutions
        for spec in resolution.claims
        for request in spec.requests
        for ask in request.asks
        if ask.device_class is not None
    }
    return sorted(names)


def _shared(obj: KubeObject, requests: Sequence[GpuRequest], around: Surroundings) -> list[Plain]:
    """What the device plugin's configurations say of requested resources: only looked for in a migration."""
    if not around.run.migration or not requests:
        return []
    names = {request.resource.name for request in requests}
    return [
        {
            "resource": each.advertised,
            "way": each.way,
            "replicas": each.replicas,
            "fails_above_one": each.fails,
            "file": each.object.file.file.name,
        }
        for each in around.shared_resources.sure(obj.file)
        if each.advertised in names and project(each.object.file) == project(obj.file)
    ]


def _workload(pod: Pod, around: Surroundings) -> Subject | None:
    claimed = [index for index, each in enumerate(pod.resolutions) if takes_gpu(each.needs) is True]
    channels = [
        index
        for index, each in enumerate(pod.resolutions)
        if any(need.type == _CHANNEL for needs in each.needs for need in needs)
    ]
    plugin = _device_plugin(pod)
    if not (claimed or channels or plugin):
        return None
    spec, obj = pod.spec, pod.spec.object
    labels, rollout = _node_labels(spec), _rollout(obj)
    queue = label_of(spec, _QUEUE)
    numbers = [devices_of(pod.resolutions[index].needs) for index in claimed]
    claimed_devices = None if None in numbers or not numbers else sum(n for n in numbers if n is not None)
    counting = counted(pod, plugin, claimed_devices)
    anchors: Anchors = {
        name: (obj, (*spec.path, field))
        for name, field in (
            ("priority_class", "priorityClassName"),
            ("scheduler_name", "schedulerName"),
            ("runtime_class", "runtimeClassName"),
            ("tolerations", "tolerations"),
            ("claims", "resourceClaims"),
        )
    }
    anchors["strategy"] = (obj, (*obj.path, "spec", "strategy"))
    if claimed:
        anchors["claim"] = (obj, pod.claims[claimed[0]].path)
    if channels:
        anchors["channel"] = (obj, pod.claims[channels[0]].path)
    devices = [request for request in plugin if request.resource.base in _DEVICES]
    if plugin:
        anchors["device_plugin"] = (obj, (devices or plugin)[0].paths[0])
    for number, request in enumerate(plugin):
        anchors[f"plugin{number}"] = (obj, request.paths[0])
    if queue is not None:
        anchors["queue"] = (obj, queue[1])
    if counting is not None:
        anchors["gpu_count"] = (obj, counting.field)
    facts: dict[str, Plain] = {
        **pod.facts,
        "claims_gpu": bool(claimed),
        "channel": bool(channels),
        "device_plugin": [*dict.fromkeys(request.resource.name for request in devices)],
        "plugin_requests": [request.facts() for request in plugin],
        "init_requests": _of_init_containers(pod),
        "shared": _shared(obj, plugin, around),
        "devices": claimed_devices,
        "classes": [*claim_classes(pod)],
        "tolerates": _tolerates(spec),
        "priority_class": _written(spec, "priorityClassName"),
        "scheduler_name": _written(spec, "schedulerName"),
        "runtime_class": _written(spec, "runtimeClassName"),
        "discovered_labels": [*labels.discovered],
        "karpenter_label": labels.karpenter,
        "queue": None if queue is None else queue[0],
        "rollout": rollout,
        "from_templates": all(pod.claims[index].template_name is not None for index in claimed),
        "pool": _pool(obj, around) if rollout == "surge" and claimed else None,
        "operator_counts": None if counting is None else counting.says,
        "operator_devices": None if counting is None else counting.devices,
        "spread": _spread(spec),
        "autoscaled": around.autoscaled,
        "ranks_apart": [*ranks_apart(pod)],
    }
    for path in [*labels.discovered.values()][:1]:
        anchors["discovered_label"] = (obj, path)
    return around.subject("workload", obj, spec.path, facts, anchors)


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The pods of an object that take GPUs, or channels of a ComputeDomain."""
    for spec in pod_specs(obj):
        found = _workload(resolved(spec, around.resolver), around)
        if found is not None:
            yield found
