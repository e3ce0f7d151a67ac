"""Objects that an operator joins to one pod, as an InferenceService and its runtime: both may ask for GPUs."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

from dralint.convert.around import may_be_referred_to, names_in
from dralint.convert.model import Outcome
from dralint.convert.occurrences import Found, Verdict, occurrences
from dralint.convert.requests import is_zero
from dralint.convert.work import PodWork
from dralint.kube.bundle import Context
from dralint.kube.objects import KubeObject
from dralint.kube.paths import follow, steps
from dralint.yamltext.load import load_data
from dralint.yamltext.view import string

_DATA = os.path.join(os.path.dirname(__file__), "data", "kinds.yaml")


class _Joined(NamedTuple):
    """See `joined` in the data file."""

    within: tuple[str, ...]
    reference: tuple[str, ...]
    to: tuple[str, ...]
    reason: str
    next: str
    hold: bool


class Pair(NamedTuple):
    """A request of an object, and one of the object that it refers to."""

    user: Found
    used: Found
    reason: str
    next: str
    hold: bool


@cache
def _joined() -> dict[tuple[str, str], _Joined]:
    data: Any = load_data(_DATA)
    return {
        (entry["group"], entry["kind"]): _Joined(
            steps(entry["within"]),
            steps(entry["reference"]),
            tuple(entry["to"]),
            entry["reason"],
            entry["next"],
            entry.get("hold", True),
        )
        for entry in data["joined"]
    }


def _settled(obj: KubeObject, entry: _Joined, name: str) -> bool:
    """Whether the object's own file has what it refers to."""
    return any((obj.group, kind, name) in names_in(obj.file) for kind in entry.to)


def pairs_of(found: Sequence[Found]) -> Iterator[Pair]:
    """For each request that is joined with those of another object among these that object's first request.

    A zero takes the other's devices away. An object that stands beside another one of the name refers to that.
    """
    asking: dict[tuple[str, str | None, str | None], list[Found]] = {}
    users: list[tuple[Found, _Joined, str]] = []
    for each in found:
        obj = each.object
        if obj is None:
            continue
        if not is_zero(each):
            asking.setdefault((obj.group, obj.ref.kind, obj.ref.name), []).append(each)
        entry = _joined().get((obj.group, obj.ref.kind or ""))
        if entry is None or (is_zero(each) and not entry.hold):
            continue
        if each.place[len(obj.path) :][: len(entry.within)] == entry.within:
            names = (string(match.node) for match in follow(obj.node, entry.reference))
            users += ((each, entry, name) for name in names if name is not None)
    for user, entry, name in users:
        assert user.object is not None
        for kind in entry.to:
            for used in asking.get((user.object.group, kind, name), ()):
                if used.object is None or not may_be_referred_to(used.object, user.object):
                    continue
                if user.file.is_with(used.file) or not _settled(user.object, entry, name):
                    yield Pair(user, used, entry.reason, entry.next, entry.hold)
                    break


class Pairs:
    """The pairs of a run of which none can move, where one is among the requests of the named files."""

    def __init__(self, found: Sequence[Found], context: Context) -> None:
        self._found = found
        self._context = context

    @cached_property
    def held(self) -> Mapping[KubeObject, list[tuple[Pair, Found, Found]]]:
        """By object a pair with its own request and the other one; what is only in the context counts as well."""
        kinds = {(group, kind) for (group, user), entry in _joined().items() for kind in (user, *entry.to)}
        held: dict[KubeObject, list[tuple[Pair, Found, Found]]] = {}
        if not any(_is_of(each.object, kinds) for each in self._found):
            return held
        elsewhere = [
            each
            for file in self._context.bundle.files
            if any(_is_of(obj, kinds) for obj in file.objects)
            for each in occurrences(file)
        ]
        for pair in pairs_of([*self._found, *elsewhere]):
            for one, other in ((pair.user, pair.used), (pair.used, pair.user)):
                if pair.hold and one.object is not None:
                    held.setdefault(one.object, []).append((pair, one, other))
        return held


def _is_of(obj: KubeObject | None, kinds: Container[tuple[str, str | None]]) -> bool:
    return obj is not None and (obj.group, obj.ref.kind) in kinds


def hold_joined(works: Sequence[PodWork], pairs: Pairs) -> None:
    """Keep objects of a file back that become one pod with others and ask for GPUs both."""
    for work in works:
        for pair, one, other in pairs.held.get(work.pod.object, ()):
            if one is not pair.used and one not in work.found:
                continue
            place = other.file.place(other.offset)
            where = f"line {place.line}" if one.file is other.file else str(place)
            kind = other.object.ref.kind if other.object is not None else None
            work.decide(
                Verdict(
                    Outcome.NEEDS_DECISION,
                    f"{pair.reason}; the {kind} asks for GPUs as well ({where})",
                    pair.next,
                )
            )
