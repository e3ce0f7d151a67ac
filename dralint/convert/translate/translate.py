"""What a pod demands of its node as selectors of the devices it asks for, and what is left for the node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dralint.convert.translate.combine import one_of_terms, tests_of, texts_of
from dralint.convert.translate.demands import Constraints, Demand, Preference
from dralint.convert.translate.expressions import Test
from dralint.convert.translate.judge import Asked
from dralint.convert.translate.preferences import alternatives
from dralint.convert.translate.terms import Judged, Kept, Moved, settle
from dralint.nvidia.target import Target

_ONE_OF_SEVERAL = "the terms of the node affinity differ in more than devices, and no selector knows which term the node fits"
_TOO_LONG = "the selector would be longer than Kubernetes takes"
_PREFERRED = "it is preferred, not required: --first-available makes alternatives of it"


class Translation(NamedTuple):
    """A pod's demands on labels, moved as far as it can be done.

    selectors     for each resource asked for, the expressions of its requests, which must all hold
    alternatives  for each resource what must hold beside them, the best first, see Alternatives.texts
    left          what the pod still demands of its node
    moved         in the order of the text
    kept          those of them that somebody should know of
    """

    selectors: tuple[tuple[str, ...], ...]
    alternatives: tuple[tuple[str, ...], ...]
    left: Constraints
    moved: tuple[Moved, ...]
    kept: tuple[Kept, ...]


def _united(either: tuple[tuple[Demand, ...], ...]) -> Demand | None:
    """One demand that says the same as all alternatives; None where there is none."""
    first = either[0][0] if either[0] else None
    if first is None or first.operator != "In":
        return None
    if any(len(each) != 1 or each[0].operator != "In" or each[0].key != first.key for each in either):
        return None
    return first._replace(values=tuple(value for each in either for value in each[0].values))


def _selectors(
    always: Sequence[Demand], either: tuple[tuple[Demand, ...], ...] | None, judged: Judged
) -> tuple[tuple[str, ...], ...] | None:
    """The expressions for each resource; None where Kubernetes takes no such long ones."""
    found = []
    for index in range(len(judged.asked)):
        tests: list[Test] = tests_of(judged.selects(index, always))
        if either is not None and judged.exact(index, [each for term in either for each in term]):
            one = one_of_terms(judged.selects(index, term) for term in either)
            tests += [one] if one is not None and one not in tests else []
        texts = texts_of(tests) if tests else ()
        if texts is None:
            return None
        found.append(texts)
    return tuple(found)


def translate(
    constraints: Constraints, asked: Sequence[Asked], target: Target, *, first_available: bool = False
) -> Translation:
    """Move a pod's demands on labels into selectors of the devices it asks for.

    The same devices are let through as before: by selectors and what is left. A demand moves where a
    claim can say the same of one of the devices asked for; all devices of a pod are on one node, and
    those of a node are cards of one kind.

    first_available: what is only preferred becomes alternatives, where it is about devices alone
    """
    judged = Judged(asked, target)
    moving = tuple(each for each in constraints.selector if judged.moves(each))
    terms = settle(constraints.terms, judged)
    always = (*moving, *terms.always)
    either = terms.either
    if either is not None and (one := _united(either)) is not None:
        always, either = (*always, one), None
    selectors = _selectors(always, either, judged)
    if selectors is None:
        return _unmoved(constraints, judged)
    selector = tuple(each for each in constraints.selector if not judged.moves(each))
    staying = {each.path for term in terms.left or () for each in term.demands}
    written = [each for term in constraints.terms or () for each in term.demands]
    moved = [*moving, *(each for each in written if judged.moves(each) and each.path not in staying)]
    kept = [found for each in selector for found in judged.kept(each)]
    kept += [
        found for each in written if each.path in staying for found in judged.kept(each, _ONE_OF_SEVERAL)
    ]
    preferred = alternatives(constraints.preferred if first_available else (), judged)
    moved += [demand for each in preferred.moved for demand in each.term.demands]
    reason = preferred.reason if first_available else _PREFERRED
    others = tuple(each for each in constraints.preferred if each not in preferred.moved)
    kept += _preferred(others, judged, reason)
    return Translation(
        selectors,
        tuple(preferred.texts if index == preferred.resource else () for index in range(len(asked))),
        Constraints(selector, terms.left, others),
        tuple(judged.moved(each) for each in moved),
        tuple(kept),
    )


def _preferred(preferences: Sequence[Preference], judged: Judged, reason: str) -> Iterator[Kept]:
    for preference in preferences:
        for demand in preference.term.demands:
            for kept in judged.kept(demand, reason):
                yield kept._replace(needed=False)


def _unmoved(constraints: Constraints, judged: Judged) -> Translation:
    """Everything stays, because its selector would be too long."""
    demands = [*constraints.selector, *(each for term in constraints.terms or () for each in term.demands)]
    kept = [found for each in demands for found in judged.kept(each, _TOO_LONG)]
    kept += _preferred(constraints.preferred, judged, _PREFERRED)
    nothing: tuple[tuple[str, ...], ...] = tuple(() for _ in judged.asked)
    return Translation(nothing, nothing, constraints, (), tuple(kept))
