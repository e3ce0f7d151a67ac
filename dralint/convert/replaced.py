"""Objects whose resources take the place of those in another object's pods: a TrainJob and its runtime.

Whether the operator passes `resources.claims` of such an object on is not known. So a claim in the other object's pod is
right only if nothing takes its place: where both ask for the same, in one file, the object's own resources go. Else
the pods go on asking by the name.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

from dralint.convert.around import may_be_referred_to, names_in
from dralint.kube.bundle import Bundle, Context
from dralint.kube.objects import KubeObject
from dralint.kube.paths import steps
from dralint.kube.places import PodSpec, containers, pod_specs
from dralint.kube.quantity import parse_quantity
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, Plain, TooLarge, entries, get, plain, string

_DATA = os.path.join(os.path.dirname(__file__), "data", "kinds.yaml")
_MAX_NODES = 1_000


class Replacing(NamedTuple):
    """See `replacing` in the data file."""

    group: str
    kind: str
    resources: tuple[str, ...]
    processes: tuple[str, ...]
    automatic: tuple[str, ...]
    reference: tuple[str, ...]
    default: str
    to: tuple[str, ...]
    within: tuple[str, ...]
    label: tuple[str, ...]
    value: str
    part: str
    container: str


@cache
def _listed() -> Mapping[tuple[str, str], Replacing]:
    data: Any = load_data(_DATA)
    return {
        (entry["group"], entry["kind"]): Replacing(
            entry["group"],
            entry["kind"],
            steps(entry["resources"]),
            steps(entry["processes"]),
            tuple(entry["automatic"]),
            steps(entry["reference"]),
            entry["default"],
            tuple(entry["to"]),
            steps(entry["in"]),
            (*steps(entry["labels"]), entry["label"]),
            entry["value"],
            entry["part"],
            entry["container"],
        )
        for entry in data["replacing"]
    }


def replaced_in(obj: KubeObject) -> Replacing | None:
    """What the data says of an object in whose pods the resources of others take a place."""
    return next(
        (each for each in _listed().values() if obj.group == each.group and obj.ref.kind in each.to), None
    )


def replacing(obj: KubeObject) -> Replacing | None:
    """What the data says of an object whose resources take the place of another one's."""
    return _listed().get((obj.group, obj.ref.kind or ""))


def _stands(node: Node | None) -> bool:
    return node is not None and (node.kind != SCALAR or resolve(node) is not None)


class User(NamedTuple):
    """An object that refers to another one, whose resources its own may replace."""

    object: KubeObject
    entry: Replacing

    @property
    def resources(self) -> Node | None:
        """What it puts in the place of the other object's resources; None where it leaves them."""
        node = get(self.object.node, *self.entry.resources)
        return node if _stands(node) else None

    @property
    def automatic(self) -> Node | None:
        """Where it says that the processes are counted from the limits."""
        node = get(self.object.node, *self.entry.processes)
        said = node is not None and node.kind == SCALAR and node.text in self.entry.automatic
        return node if said else None

    @property
    def key(self) -> Node:
        """The key of what it puts in the place of the other object's resources."""
        *parents, name = self.entry.resources
        holder = get(self.object.node, *parents)
        entry = entries(holder).get(name) if holder is not None and holder.kind == MAP else None
        return self.object.node if entry is None else entry.key


class Users:
    """The objects of the named files and of the context that refer to others, by what they refer to."""

    def __init__(self, bundle: Bundle, context: Context) -> None:
        self._bundle = bundle
        self._context = context

    @cached_property
    def _by_reference(self) -> Mapping[tuple[str, str, str], list[User]]:
        found: dict[tuple[str, str, str], list[User]] = {}
        for obj in (*self._bundle.objects, *self._context.bundle.objects):
            entry = replacing(obj)
            if entry is None:
                continue
            name = string(get(obj.node, *entry.reference, "name"))
            kind = string(get(obj.node, *entry.reference, "kind")) or entry.default
            if name is not None:
                found.setdefault((entry.group, kind, name), []).append(User(obj, entry))
        return found

    def of(self, obj: KubeObject) -> list[User]:
        """The objects that refer to this one; one that stands beside another of that name refers to that."""
        if replaced_in(obj) is None:
            return []
        key = (obj.group, obj.ref.kind or "", obj.ref.name or "")
        return [
            user
            for user in self._by_reference.get(key, ())
            if may_be_referred_to(obj, user.object)
            and (user.object.file.is_with(obj.file) or key not in names_in(user.object.file))
        ]


# An object has many pods, and its pods follow each other.
@lru_cache(maxsize=2)
def _meant(obj: KubeObject, entry: Replacing) -> Mapping[Path, bool]:
    """The pods of an object that may be meant, by their paths, and whether the label says so."""
    found: dict[Path, bool] = {}
    for pod in pod_specs(obj):
        part = pod.path[len(obj.path) :][: len(entry.within)]
        said = string(get(obj.node, *part, *entry.label))
        named = any(each.name == entry.container for each in containers(pod))
        # A launcher has the label, and what stands beside it without one may be meant as well.
        if said == entry.value or (said is None and named):
            found[pod.path] = said is not None
    return found


def may_be_meant(pod: PodSpec, entry: Replacing) -> bool:
    """Whether the resources of a user may take the place of those in this pod."""
    return pod.path in _meant(pod.object, entry)


def is_meant(pod: PodSpec, entry: Replacing) -> bool:
    """Whether the resources of a user take the place of those in this pod, and in no other."""
    pods = _meant(pod.object, entry)
    return len(pods) == 1 and pod.path in pods and (pods[pod.path] or pod.part == entry.part)


def _amount(value: Plain) -> Plain:
    """A quantity as a number, so that 4 is "4" and 1Gi is 1024Mi."""
    quantity = parse_quantity(str(value)) if isinstance(value, str | int | float) else None
    return str(value) if quantity is None else str(quantity.value.normalize())


def _amounts(resources: Plain) -> tuple[Plain, Plain] | None:
    """Limits and requests as Kubernetes completes them; None where something else stands there, too."""
    if not isinstance(resources, dict):
        return None
    if any(value for side, value in resources.items() if side not in ("limits", "requests")):
        return None
    sides: list[Plain] = []
    for side in ("limits", "requests"):
        written = resources.get(side)
        if written is not None and not isinstance(written, dict):
            return None
        sides.append({name: _amount(value) for name, value in (written or {}).items()})
    limits, requests = sides
    assert isinstance(limits, dict)
    assert isinstance(requests, dict)
    return limits, {**limits, **requests}


def same_resources(own: Node | None, replaced: Node | None) -> bool:
    """Whether two `resources` ask for the same amounts of the same things, and for nothing else."""
    try:
        amounts = [_amounts(plain(each, _MAX_NODES)) for each in (own, replaced)]
    except TooLarge:
        return False
    return amounts[0] is not None and amounts[0] == amounts[1]
