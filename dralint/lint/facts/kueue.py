"""Subjects of workloads that Kueue admits: `queue_use`; and what Kueue's configuration says of DeviceClasses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dralint.kube.dra import CLASS
from dralint.kube.embedded import mappings
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.places import pod_specs
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.pods import Pod, resolved, takes_gpu
from dralint.lint.facts.workloads import claim_classes, label_of
from dralint.lint.subject import Subject
from dralint.yamltext.node import MAP, Node
from dralint.yamltext.view import Path, Plain, children, entries, get, string

KINDS = frozenset({"queue_use"})
QUEUE = "kueue.x-k8s.io/queue-name"
_GROUP, _KIND = "config.kueue.x-k8s.io", "Configuration"


class Mapping(NamedTuple):
    """An entry of deviceClassMappings; sources: it counts capacity or counters of the devices."""

    name: str
    classes: tuple[str, ...]
    sources: bool


def _of_configuration(node: Node) -> Iterator[Mapping]:
    for each in children(get(node, "resources", "deviceClassMappings")):
        name = string(get(each, "name"))
        classes = [string(item) for item in children(get(each, "deviceClassNames"))]
        if name is not None:
            yield Mapping(
                name,
                tuple(item for item in classes if item is not None),
                bool(children(get(each, "sources"))),
            )


def _configurations(file: ParsedFile) -> Iterator[Node]:
    """Kueue's configurations: as objects, or as text in a ConfigMap."""
    for obj in file.objects:
        if (obj.group, obj.ref.kind) == (_GROUP, _KIND):
            yield obj.node
        elif (obj.group, obj.ref.kind) == ("", "ConfigMap"):
            yield from (found.node for found in mappings(obj, (_GROUP, _KIND)) if found.inside)


class Kueue:
    """What the configurations among some files say; known: there is one."""

    def __init__(self, files: list[ParsedFile]) -> None:
        nodes = [node for file in files if file.holds(_GROUP.encode()) for node in _configurations(file)]
        self.known = bool(nodes)
        self.mappings = [each for node in nodes for each in _of_configuration(node)]

    def mapped(self, device_class: str) -> Mapping | None:
        """The mapping that a class belongs to."""
        return next((each for each in self.mappings if device_class in each.classes), None)


def _counted_extended(pod: Pod, around: Surroundings) -> list[str]:
    """Resources the pod asks for by name whose class Kueue counts by counters or capacity."""
    counted = {name for each in around.kueue.mappings if each.sources for name in each.classes}
    if not counted:
        return []
    bundle = around.run.bundle
    names = {
        string(get(obj.node, "spec", "extendedResourceName"))
        for name in counted
        for obj in bundle.find(CLASS, None, name)
    }
    asked = {name for container in pod.containers for name in _limits(container.node)}
    return sorted(name for name in names if name is not None and name in asked)


def _limits(container: Node) -> list[str]:
    limits = get(container, "resources", "limits")
    return list(entries(limits)) if limits is not None and limits.kind == MAP else []


def _queue_use(pod: Pod, queue: str, path: Path, around: Surroundings) -> Subject:
    obj = pod.spec.object
    classes = claim_classes(pod)
    claimed = [index for index, each in enumerate(pod.resolutions) if takes_gpu(each.needs) is not False]
    direct = [index for index in claimed if pod.claims[index].claim_name is not None]
    asks = [
        (request, ask)
        for index in claimed
        for spec in pod.resolutions[index].claims
        for request in spec.requests
        for ask in request.asks
    ]
    anchors: dict[str, tuple[KubeObject, Path]] = {"queue": (obj, path)}
    if direct:
        anchors["direct"] = (obj, (*pod.claims[direct[0]].path, "resourceClaimName"))
    extended = _counted_extended(pod, around)
    facts: dict[str, Plain] = {
        "queue": queue,
        "classes": [*classes],
        "configured": around.kueue.known,
        "unmapped": [name for name in classes if around.kueue.mapped(name) is None],
        "direct": [pod.claims[index].claim_name for index in direct],
        "alternatives": any(request.subrequests for request, _ in asks),
        "all_mode": any(ask.mode == "All" for _, ask in asks),
        "counted_extended": [*extended],
        "pod": pod.facts,
    }
    return around.subject("queue_use", obj, pod.spec.path, facts, anchors)


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The pods of an object with a queue name that use claims, or resources that Kueue counts by counters."""
    for spec in pod_specs(obj):
        queue = label_of(spec, QUEUE)
        if queue is not None:
            yield _queue_use(resolved(spec, around.resolver), *queue, around)
