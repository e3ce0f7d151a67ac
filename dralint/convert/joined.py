"""Objects that an operator joins to one pod, as an InferenceService and its runtime: both may ask for GPUs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from dralint.convert.around import may_share_namespace
from dralint.convert.model import Outcome
from dralint.convert.occurrences import Found, Verdict
from dralint.convert.requests import is_zero
from dralint.convert.work import PodWork
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


def _may_meet(one: KubeObject, other: KubeObject) -> bool:
    """Whether a namespaced object and one that it refers to can be in one cluster's namespace."""
    if (other.ref.kind or "").startswith("Cluster"):
        return True
    return may_share_namespace(one, other)


def pairs_of(found: Sequence[Found]) -> Iterator[Pair]:
    """For each request that is joined with those of another object among these that object's first request."""
    asking: dict[tuple[str, str | None, str | None], list[Found]] = {}
    users: list[tuple[Found, _Joined, str]] = []
    for each in found:
        obj = each.object
        if obj is None or is_zero(each):
            continue
        asking.setdefault((obj.group, obj.ref.kind, obj.ref.name), []).append(each)
        entry = _joined().get((obj.group, obj.ref.kind or ""))
        if entry is not None and each.place[len(obj.path) :][: len(entry.within)] == entry.within:
            names = (string(match.node) for match in follow(obj.node, entry.reference))
            users += ((each, entry, name) for name in names if name is not None)
    for user, entry, name in users:
        assert user.object is not None
        for kind in entry.to:
            for used in asking.get((user.object.group, kind, name), ()):
                if used.object is not None and _may_meet(user.object, used.object):
                    yield Pair(user, used, entry.reason, entry.next, entry.hold)
                    break


def hold_joined(found: Sequence[Found], works: Sequence[PodWork]) -> None:
    """Keep objects of one file back that become one pod and ask for GPUs both."""
    by_object: dict[KubeObject, list[PodWork]] = {}
    for work in works:
        by_object.setdefault(work.pod.object, []).append(work)
    for pair in (each for each in pairs_of(found) if each.hold):
        for one, other in ((pair.user, pair.used), (pair.used, pair.user)):
            assert one.object is not None
            line = other.file.place(other.offset).line
            kind = other.object.ref.kind if other.object is not None else None
            for work in by_object.get(one.object, ()):
                if one is pair.used or one in work.found:
                    verdict = Verdict(
                        Outcome.NEEDS_DECISION,
                        f"{pair.reason}; the {kind} asks for GPUs as well (line {line})",
                        pair.next,
                    )
                    work.decide(verdict)
