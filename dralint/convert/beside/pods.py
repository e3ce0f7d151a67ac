"""What of a converted pod has to do with GPUs beside its requests: access to the node, gangs, queues, updates."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

from dralint.convert.beside.companion import Companion, beside_data, companion
from dralint.convert.beside.kueue import counted_as
from dralint.convert.claims import CLAIMED, device_class
from dralint.convert.notes.strings import request_in
from dralint.convert.requests import is_zero
from dralint.convert.work import Ground, PodWork
from dralint.yamltext.node import SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import children, entries, get, string


def _metadata(work: PodWork, field: str) -> list[Node]:
    """A field of the metadata of the object and of its pod template."""
    obj = work.pod.object
    found = [get(obj.node, "metadata", field)]
    if work.pod.metadata is not None:
        found.append(get(obj.file.documents[obj.document].root, *work.pod.metadata, field))
    return [node for node in found if node is not None]


def _served(work: PodWork) -> Iterator[int]:
    """The containers with devices that DRA hands out."""
    for index, requests in work.asked.items():
        if any(each.verdict is not None and each.verdict.way and not is_zero(each) for each in requests):
            yield index


def _runtime_class(work: PodWork, ground: Ground) -> Iterator[Companion]:
    known = beside_data()["runtime_class"]
    entry = entries(work.pod.node).get("runtimeClassName")
    name = string(entry.value) if entry is not None else None
    if entry is None or not name or not name.startswith(known["prefix"]):
        return
    message = f"runtimeClassName {name}: with DRA the device comes in by CDI, and the class is needed only where the node's container runtime has no CDI"
    if ground.installed.target(work.file).stack in known["missing"]:
        message += "; a GPUCluster does not install it, and without the class no pod is made"
        yield companion(work.pod.object, entry.key, "runtime-class", message)
    else:
        yield companion(work.pod.object, entry.key, "runtime-class", message, info=True)


def _device_files(work: PodWork) -> Iterator[Companion]:
    known = beside_data()["device_files"]
    for volume in children(get(work.pod.node, "volumes")):
        path = string(get(volume, "hostPath", "path")) or ""
        if (path.rstrip("/") or path) in known["paths"] or path.startswith(tuple(known["prefixes"])):
            message = f"hostPath {path} gives the GPUs of the node to whoever mounts it, whatever was allocated to it: with DRA the device files come in by themselves"
            yield companion(work.pod.object, volume, "host-access", message, info=True)


def _privileged(work: PodWork) -> Iterator[Companion]:
    for index in _served(work):
        node = get(work.containers[index].node, "securityContext", "privileged")
        if node is not None and node.kind == SCALAR and resolve(node) is True:
            message = "a privileged container sees all GPUs of its node, whatever was allocated to it"
            yield companion(work.pod.object, node, "host-access", message, info=True)


def _gangs(work: PodWork) -> Iterator[Companion]:
    for annotated in _metadata(work, "annotations"):
        for known in beside_data()["gangs"]:
            node = get(annotated, known["key"])
            found = request_in(node.text) if node is not None and node.kind == SCALAR else None
            if node is not None and found is not None:
                yield companion(work.pod.object, node, "gang", known["message"].format(name=found.name))


def _queue(work: PodWork, ground: Ground, mapped: Collection[str]) -> Iterator[Companion]:
    """A pod that Kueue admits: its configuration has to know the classes, and the claims have to be countable."""
    data = beside_data()
    found = [get(labels, data["queue_label"]["key"]) for labels in _metadata(work, "labels")]
    node = next((each for each in found if each is not None), None)
    if node is None:
        return
    obj = work.pod.object
    if work.way != "claims":
        yield companion(obj, node, "quota", data["queue_label"]["by_name"])
        return
    classes = {device_class(each.device) for each in work.found if each.resource.base in CLAIMED}
    for of_class in sorted(classes):
        if of_class not in mapped and counted_as(of_class, ground) is None:
            message = f"Kueue admits the workload only if its configuration maps the DeviceClass {of_class} by deviceClassMappings"
            yield companion(obj, node, "quota", message)
    claims = work.claims.claims if work.claims else ()
    if any(each.choice.alternatives for claim in claims for each in claim.requests):
        message = "Kueue does not admit claims with alternatives (firstAvailable): convert it without --first-available"
        yield companion(obj, node, "quota", message)
    for annotated in _metadata(work, "annotations"):
        for known in data["topology_annotations"]:
            asked = get(annotated, known["key"])
            if asked is not None:
                message = f"{known['key']}: Kueue has no topology-aware scheduling for pods with claims"
                yield companion(obj, asked, "quota", message)


def _pods(node: Node | None, replicas: int, *, up: bool) -> int | None:
    """A number of pods, or a percentage of the replicas; 25 % where nothing is written, None where it is neither."""
    value = resolve(node) if node is not None and node.kind == SCALAR else "25%"
    if isinstance(value, str) and value.endswith("%") and value[:-1].isdecimal():
        share = int(value[:-1]) * replicas / 100
        return math.ceil(share) if up else math.floor(share)
    return value if type(value) is int else None


def _update(work: PodWork) -> Iterator[Companion]:
    """A Deployment that ends no pod before a new one is ready."""
    obj = work.pod.object
    if (obj.group, obj.ref.kind) != ("apps", "Deployment"):
        return
    strategy = get(obj.node, "spec", "strategy")
    node = get(obj.node, "spec", "replicas")
    replicas = resolve(node) if node is not None and node.kind == SCALAR else 1
    if type(replicas) is not int or replicas < 1 or string(get(strategy, "type")) == "Recreate":
        return
    rolling = get(strategy, "rollingUpdate")
    surge = _pods(get(rolling, "maxSurge"), replicas, up=True)
    if surge and _pods(get(rolling, "maxUnavailable"), replicas, up=False) == 0:
        at = next((each for each in (rolling, strategy) if each is not None), obj.node)
        message = "a rolling update starts a new pod before it ends an old one: the update to claims needs the GPUs of one more pod, free on nodes of the DRA driver"
        yield companion(obj, at, "rollout", message, info=True)


def pod_companions(work: PodWork, ground: Ground, mapped: Collection[str]) -> Iterator[Companion]:
    """The things beside the requests of a pod whose devices come from DRA now; none of them is edited.

    mapped  the classes that Kueue counts after an edit of this run
    """
    yield from _runtime_class(work, ground)
    yield from _device_files(work)
    yield from _privileged(work)
    yield from _queue(work, ground, mapped)
    # Nothing changes in a pod that goes on asking by the same name.
    if work.way != "extended-resource":
        yield from _gangs(work)
        yield from _update(work)
