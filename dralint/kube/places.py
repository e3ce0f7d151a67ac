"""Where an object has pod specs and containers; each use of an alias is a place of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dralint.kube.kinds import ClaimsForm, Factor, PodPlace, Schema, Steps, WorkloadKind, kind_of
from dralint.kube.objects import KubeObject
from dralint.kube.paths import ITEMS, Match, bind, bound_node, follow
from dralint.kube.versions import GROUP
from dralint.yamltext.node import MAP, SCALAR, SEQ, Node, deref
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, entries, get, string

Group = Literal["containers", "initContainers", "ephemeralContainers"]
GROUPS: tuple[Group, ...] = ("containers", "initContainers", "ephemeralContainers")


@dataclass(eq=False)
class PodSpec:
    """A pod spec of an object.

    path       absolute in the document
    kind       None: found by shape
    part       what tells it from the object's other pod specs: a replicated job, a group, a role
    metadata   path of the pod template's metadata, absolute; it need not exist
    replicas   pods that exist at the same time, None where the manifest does not say
    many       they are or can be more than one
    gpu_count  the field the operator needs once limits name no GPU, absolute; it need not exist
    place      the entry of the kind's data; None: found by shape
    """

    object: KubeObject
    path: Path
    node: Node
    kind: WorkloadKind | None
    schema: Schema
    part: str | None
    metadata: Path | None
    replicas: int | None
    many: bool = False
    gpu_count: Path | None = None
    place: PodPlace | None = None

    @property
    def claims(self) -> ClaimsForm | None:
        """How its claims are written, None where they cannot be."""
        return self.place.claims if self.place is not None else None


@dataclass(eq=False)
class Container:
    """A container; `sidecar`: an init container that keeps running (restartPolicy Always)."""

    pod: PodSpec
    path: Path
    node: Node
    group: Group
    index: int
    name: str | None
    sidecar: bool


_FIELD = re.compile(r"\{([\w*]+)\}")


def _part(place: PodPlace, obj: Node, match: Match) -> str | None:
    """The name of the part; None when a field it takes its name from is missing."""
    if place.part is None:
        return None
    missing = False

    def value(found: re.Match[str]) -> str:
        nonlocal missing
        if found[1] == "*":
            keys = [step for step in match.bound if isinstance(step, str)]
            return keys[-1].lower() if keys else ""
        last = max((index for index, step in enumerate(match.path) if isinstance(step, int)), default=-1)
        text = string(get(obj, *match.path[: last + 1], found[1]))
        missing = missing or not text
        return text or ""

    name = _FIELD.sub(value, place.part)
    return None if missing else name


def _factor(factor: Factor, obj: Node, bound: Path) -> int | None:
    """One factor; 1 where the field is absent, None where it is not a whole number."""
    node = bound_node(obj, factor.path, bound)
    value = resolve(node) if node is not None and node.kind == SCALAR else node
    if value is None:
        return 1
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return max(value - factor.minus, 0) if isinstance(value, int) and not isinstance(value, bool) else None


def _replicas(place: PodPlace, obj: Node, bound: Path) -> tuple[int | None, bool]:
    if isinstance(place.replicas, str):
        return None, place.replicas == "many"
    product = 1
    for factor in place.replicas:
        value = _factor(factor, obj, bound)
        if value is None:
            return None, False
        product *= value
    return product, product > 1


def _has_container(node: Node, place: PodPlace) -> bool:
    """Whether a mapping of a kind with its own container fields is a pod: Argo's steps are none."""
    if place.containers is None:
        return True
    return any(next(follow(node, path), None) is not None for path in place.containers)


def _listed(obj: KubeObject, kind: WorkloadKind, places: Sequence[PodPlace]) -> Iterator[PodSpec]:
    for place in places:
        if place.when and next(follow(obj.node, place.when), None) is None:
            continue
        if place.unless and next(follow(obj.node, place.unless), None) is not None:
            continue
        for match in follow(obj.node, place.path):
            if match.node.kind != MAP or not _has_container(match.node, place):
                continue
            metadata = bind(place.metadata, match.bound) if place.metadata else None
            gpu_count = bind(place.gpu_count, match.bound) if place.gpu_count else None
            replicas, many = _replicas(place, obj.node, match.bound)
            yield PodSpec(
                obj,
                (*obj.path, *match.path),
                match.node,
                kind,
                place.schema,
                _part(place, obj.node, match),
                None if metadata is None else (*obj.path, *metadata),
                replicas,
                many,
                None if gpu_count is None else (*obj.path, *gpu_count),
                place,
            )


def _looks_like_pod_spec(node: Node) -> bool:
    found = entries(node).get("containers")
    if found is None:
        return False
    items = deref(found.value)
    return items.kind == SEQ and bool(items.items) and all(deref(item).kind == MAP for item in items.items)


def _by_shape(obj: KubeObject) -> Iterator[PodSpec]:
    """Every mapping with a `containers` list of mappings; nothing is looked for inside one."""
    waiting: list[tuple[Path, Node]] = [(obj.path, obj.node)]
    while waiting:
        path, node = waiting.pop()
        if node.kind == MAP:
            if _looks_like_pod_spec(node):
                metadata = (*path[:-1], "metadata") if path and path[-1] == "spec" else None
                yield PodSpec(obj, path, node, None, "unknown", None, metadata, None)
                continue
            children = [((*path, key), deref(entry.value)) for key, entry in entries(node).items()]
        elif node.kind == SEQ:
            children = [((*path, index), deref(item)) for index, item in enumerate(node.items)]
        else:
            continue
        waiting.extend(child for child in reversed(children) if child[1].kind != SCALAR)


def pod_specs(obj: KubeObject) -> list[PodSpec]:
    """The object's pod specs in the order of its kind's data; an unlisted kind's by shape, in file order.

    What a listed kind has elsewhere is not looked for, except where none of its places is there.
    """
    return [*_pod_specs(obj, kind_of(obj))]


# One object is asked by many after each other.
@lru_cache(maxsize=4)
def _pod_specs(obj: KubeObject, kind: WorkloadKind | None) -> list[PodSpec]:
    if kind is None:
        # What a claim, a class or a slice holds is no pod, whatever it looks like.
        return [] if obj.group == GROUP else list(_by_shape(obj))
    found = list(_listed(obj, kind, kind.pods))
    return found if found or not kind.pods else list(_by_shape(obj))


def operator_pods(obj: KubeObject) -> list[PodSpec]:
    """Mappings of the object that are no pod specs, and of which an operator makes pods, in the order of data."""
    kind = kind_of(obj)
    return [] if kind is None else list(_listed(obj, kind, kind.operator_pods))


def _container_steps(pod: PodSpec) -> Iterator[tuple[Group, Steps]]:
    """Where the containers are, from the pod spec: the usual lists unless the kind's data says otherwise."""
    place = pod.place
    if place is not None and place.containers is not None:
        for path in place.containers:
            yield "containers", path
        for path in place.init_containers or ():
            yield "initContainers", path
        return
    for group in GROUPS:
        yield group, (group, ITEMS)


def containers(pod: PodSpec) -> list[Container]:
    """The pod's containers, then init, then ephemeral ones; what is no mapping is left out.

    index: in its list; 0 where the kind has a single container (Argo's `script`, KServe's `model`),
    whose name, where it has none, is that key; None where the pod spec itself is the container.
    """
    return [*_containers(pod)]


@lru_cache(maxsize=16)
def _containers(pod: PodSpec) -> list[Container]:
    found: list[Container] = []
    for group, path in _container_steps(pod):
        for match in follow(pod.node, path):
            if match.node.kind != MAP:
                continue
            index = match.bound[-1] if match.bound else 0
            name = string(get(match.node, "name"))
            sidecar = group == "initContainers" and string(get(match.node, "restartPolicy")) == "Always"
            found.append(
                Container(
                    pod,
                    (*pod.path, *match.path),
                    match.node,
                    group,
                    index if isinstance(index, int) else 0,
                    name if match.bound or name or not match.path else str(match.path[-1]),
                    sidecar,
                )
            )
    return found
