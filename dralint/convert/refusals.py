"""Objects that take no claim, or none beside what stands in them, although their kind can hold one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from dralint.convert.model import Outcome, Way
from dralint.convert.notes.strings import request_in
from dralint.convert.occurrences import Found, Verdict
from dralint.convert.requests import is_zero
from dralint.convert.work import PodWork
from dralint.kube.objects import KubeObject
from dralint.kube.paths import ITEMS, VALUES, steps
from dralint.yamltext.load import load_data
from dralint.yamltext.node import SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, get

_DATA = os.path.join(os.path.dirname(__file__), "data", "kinds.yaml")


class Refusing(NamedTuple):
    """See `refusing` in the data file."""

    group: str
    kinds: tuple[str, ...]
    within: tuple[str, ...]
    field: tuple[str, ...]
    of_pod: tuple[str, ...]
    values: tuple[str, ...]
    contains: str
    requests: bool
    reason: str
    next: str
    ways: tuple[Way, ...]


@cache
def listed() -> tuple[Refusing, ...]:
    """What the data lists."""
    data: Any = load_data(_DATA)
    return tuple(
        Refusing(
            entry["group"],
            tuple(entry["kinds"]),
            steps(entry.get("within", "")),
            ("metadata", "annotations", entry["annotation"])
            if "annotation" in entry
            else steps(entry.get("field", "")),
            steps(entry.get("of_pod", "")),
            tuple(entry.get("values", ())),
            entry.get("contains", ""),
            entry.get("requests", False),
            entry["reason"],
            entry["next"],
            tuple(entry.get("ways", ("extended-resource", "implicit"))),
        )
        for entry in data["refusing"]
    )


def bound_to(path: Sequence[str], place: Path) -> Path:
    """A path whose wildcards stand for the same items and keys as in the place; where it has none the path ends."""
    found: list[str | int] = []
    for index, step in enumerate(path):
        if step in (ITEMS, VALUES):
            if index >= len(place):
                break
            found.append(place[index])
        else:
            found.append(step)
    return tuple(found)


def _says(node: Node | None, entry: Refusing) -> bool:
    if node is None:
        return False
    if node.kind != SCALAR:
        return bool(node.items) and not entry.values and not entry.contains
    if resolve(node) is None:
        return False
    if entry.requests:
        return request_in(node.text) is not None
    if entry.values:
        return node.text in entry.values
    return entry.contains in node.text


class Spoken(NamedTuple):
    """What in an object speaks against claims in a place of it; ways: those that are left."""

    verdict: Verdict
    ways: tuple[Way, ...]


def seen_from(obj: KubeObject | None, other: KubeObject, node: Node) -> str:
    """Where a node of another object is, as a message on the first one says it; for one of its own only the line."""
    place = other.file.place(node.start)
    if obj is None or obj is other:
        return f"line {place.line}"
    where = f"line {place.line}" if obj.file is other.file else str(place)
    return f"{other.ref.kind} {other.ref.name or other.generate_name}, {where}"


def refusals(obj: KubeObject, place: Path, user: KubeObject | None = None) -> list[Spoken]:
    """What in the object speaks against a claim in a place of it: it would be refused, or hold devices twice.

    user  the object whose pods are meant, where that is another one
    """
    found: list[Spoken] = []
    inside = place[len(obj.path) :]
    for entry in listed():
        if entry.group != obj.group or obj.ref.kind not in entry.kinds:
            continue
        if bound_to(entry.within, inside) != inside[: len(entry.within)]:
            continue
        path = (*inside, *entry.of_pod) if entry.of_pod else bound_to(entry.field, inside)
        node = get(obj.node, *path)
        if node is not None and _says(node, entry):
            where = seen_from(user, obj, node)
            verdict = Verdict(Outcome.NEEDS_DECISION, f"{entry.reason} ({where})", entry.next)
            found.append(Spoken(verdict, entry.ways))
    return found


def leave(spoken: Sequence[Spoken], way: Way) -> bool:
    """Whether nothing that was found speaks against that way."""
    return all(way in each.ways for each in spoken)


def refused_verdict(spoken: Sequence[Spoken], way: Way | None) -> Verdict | None:
    """The first verdict that speaks against a way."""
    return next((each.verdict for each in spoken if way not in each.ways), None)


@cache
def _zeros() -> dict[tuple[str, str], str]:
    data: Any = load_data(_DATA)
    return {(entry["group"], kind): entry["reason"] for entry in data["zeros"] for kind in entry["kinds"]}


def zero_verdict(work: PodWork) -> Verdict | None:
    """The verdict on a pod that asks for no device, where the operator would ask for one if it did not say so."""
    obj = work.pod.object
    reason = _zeros().get((obj.group, obj.ref.kind or ""))
    return None if reason is None else Verdict(Outcome.KEPT, f"a zero stays: {reason}")


def own_name_verdict(work: PodWork) -> Verdict | None:
    """The verdict on a request that would get another name, where the operator then asks by the old one itself."""
    obj = work.pod.object
    reason = _zeros().get((obj.group, obj.ref.kind or ""))
    if work.way != "implicit" or reason is None or all(map(is_zero, work.found)):
        return None
    return Verdict(
        Outcome.NEEDS_DECISION,
        f"the resource cannot get another name: {reason}",
        "use --mode claims, or extended-resource",
    )


def beside_verdict(work: PodWork) -> Verdict | None:
    """The verdict on a pod of an operator whose claims are all for one container, where another one asks, too."""
    form = work.pod.claims
    if form is None or form.named:
        return None
    others: list[Found] = [
        found
        for index, requests in work.asked.items()
        if work.containers[index].path != work.pod.path
        for found in requests
        if not is_zero(found)
    ]
    if not others:
        return None
    line = work.file.place(others[0].offset).line
    return Verdict(
        Outcome.NEEDS_DECISION,
        f"{'.'.join(form.path)} is for the operator's own container, and another one asks for a GPU as well (line {line})",
        "take the request out of the other container, or keep both on the device plugin",
    )
