"""What becomes of a required node affinity, whose terms are alternatives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dralint.convert.translate.demands import Demand, Term
from dralint.convert.translate.judge import Asked, Implied, Judgement, Stays, judge
from dralint.convert.translate.selects import Selects
from dralint.nvidia.accelerators import cloud_label
from dralint.nvidia.target import Target

_NEEDS_IT = ("In", "Exists", "Gt", "Lt")


class Moved(NamedTuple):
    """A demand that the pod needs no more.

    selects  a selector takes its place
    why      where none does: the reason; else what a person should know, or ""
    """

    demand: Demand
    selects: bool
    why: str


class Kept(NamedTuple):
    """A demand that stays with the pod.

    reason  see Stays
    needed  the pod waits for a node that has the label, and it may be that nothing sets it
    """

    demand: Demand
    reason: str
    needed: bool


class Judged:
    """The demands of a pod with what becomes of each, for every resource that it asks for."""

    def __init__(self, asked: Sequence[Asked], target: Target) -> None:
        self.asked = asked
        self._target = target
        self._known: dict[object, tuple[Judgement, ...]] = {}

    def of(self, demand: Demand) -> tuple[Judgement, ...]:
        known = (demand.meaning, demand.held)
        if known not in self._known:
            self._known[known] = tuple(self._judge(demand, each) for each in self.asked)
        return self._known[known]

    def _judge(self, demand: Demand, asked: Asked) -> Judgement:
        found = judge(demand, asked, self._target)
        if demand.held and (not isinstance(found, Stays) or found.reason is not None):
            return Stays(demand.held)
        return found

    def moves(self, demand: Demand) -> bool:
        """A claim says the same of at least one device; the others are on the same node."""
        return any(not isinstance(each, Stays) for each in self.of(demand))

    def exact(self, index: int, demands: Sequence[Demand]) -> bool:
        """Whether the claim of one resource says all of it."""
        return not any(isinstance(self.of(each)[index], Stays) for each in demands)

    def selects(self, index: int, demands: Sequence[Demand]) -> list[Selects]:
        found = (self.of(each)[index] for each in demands)
        return [each for each in found if isinstance(each, Selects)]

    def moved(self, demand: Demand) -> Moved:
        for each in self.of(demand):
            if isinstance(each, Selects):
                return Moved(demand, True, each.note)
        return Moved(
            demand, False, next(each.reason for each in self.of(demand) if isinstance(each, Implied))
        )

    def kept(self, demand: Demand, reason: str | None = None) -> Iterator[Kept]:
        """The demand where it needs a word; reason: what keeps it although it could move by itself."""
        own = next((each.reason for each in self.of(demand) if isinstance(each, Stays)), None)
        why = (reason if self.moves(demand) else None) or own
        if why is not None:
            yield Kept(demand, why, demand.operator in _NEEDS_IT and cloud_label(demand.key) is None)


class Terms(NamedTuple):
    """What becomes of the required node affinity.

    always  demands that selectors take over
    either  terms of which one must hold, as demands that selectors take over; None: nothing of the kind
    left    see Constraints.terms
    """

    always: tuple[Demand, ...]
    either: tuple[tuple[Demand, ...], ...] | None
    left: tuple[Term, ...] | None


def _without(term: Term, gone: Sequence[Demand]) -> Term:
    meanings = {each.meaning for each in gone}
    return term._replace(demands=tuple(each for each in term.demands if each.meaning not in meanings))


def _same_node(terms: Sequence[Term]) -> bool:
    """Whether terms let the same nodes through."""
    first = terms[0]
    return all(
        {each.meaning for each in term.demands} == {each.meaning for each in first.demands}
        and sorted(map(repr, term.others)) == sorted(map(repr, first.others))
        for term in terms
    )


def _common(terms: Sequence[Term], judged: Judged) -> tuple[Demand, ...]:
    """The demands that stand in every term and can move."""
    shared = set.intersection(*({each.meaning for each in term.demands} for term in terms))
    return tuple(each for each in terms[0].demands if each.meaning in shared and judged.moves(each))


def settle(terms: tuple[Term, ...] | None, judged: Judged) -> Terms:
    full = [term for term in terms or () if not term.empty]
    if not full:
        return Terms((), None, terms)
    devices = [tuple(each for each in term.demands if judged.moves(each)) for term in full]
    nodes = [_without(term, moving) for term, moving in zip(full, devices, strict=True)]
    left = None if nodes[0].empty else (nodes[0],)
    if len(full) == 1:
        return Terms(devices[0], None, left)
    if not any(devices):
        return Terms((), None, terms)
    everything = [each for moving in devices for each in moving]
    if _same_node(nodes) and any(judged.exact(index, everything) for index in range(len(judged.asked))):
        return Terms((), tuple(devices), left)
    common = _common(full, judged)
    if not common:
        return Terms((), None, terms)
    rest = tuple(_without(term, common) for term in full)
    # A term that asks for nothing more lets every node through.
    return Terms(common, None, None if any(term.empty for term in rest) else rest)
