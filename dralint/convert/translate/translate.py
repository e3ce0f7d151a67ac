"""What a pod demands of its node's labels, as selectors of the devices it asks for and what is left for the node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dralint.convert.translate.combine import one_of_terms, tests_of, texts_of
from dralint.convert.translate.demands import Constraints, Demand
from dralint.convert.translate.expressions import Test
from dralint.convert.translate.judge import Asked
from dralint.convert.translate.terms import Judged, Kept, Moved, settle
from dralint.nvidia.target import Target

_ONE_OF_SEVERAL = "the terms of the node affinity differ in more than devices, and no selector knows which term the node fits"
_TOO_LONG = "the selector would be longer than Kubernetes takes"
_PREFERRED = "it is preferred, not required, and a claim only requires"


class Translation(NamedTuple):
    """A pod's demands on labels, moved as far as it can be done.

    selectors  for each resource asked for, the expressions of its requests, which must all hold
    left       what the pod still demands of its node
    moved      in the order of the text
    kept       those of them that somebody should know of
    """

    selectors: tuple[tuple[str, ...], ...]
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


def translate(constraints: Constraints, asked: Sequence[Asked], target: Target) -> Translation:
    """Move a pod's demands on labels into selectors of the devices it asks for.

    The same devices are let through as before: by selectors and what is left. A demand moves where a
    claim can say the same of one of the devices asked for; all devices of a pod are on one node, and
    those of a node are cards of one kind.
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
    left = Constraints(selector, terms.left, constraints.preferred)
    staying = {each.path for term in terms.left or () for each in term.demands}
    written = [each for term in constraints.terms or () for each in term.demands]
    moved = [*moving, *(each for each in written if judged.moves(each) and each.path not in staying)]
    kept = [found for each in selector for found in judged.kept(each)]
    kept += [
        found for each in written if each.path in staying for found in judged.kept(each, _ONE_OF_SEVERAL)
    ]
    kept += _preferred(constraints, judged)
    return Translation(selectors, left, tuple(judged.moved(each) for each in moved), tuple(kept))


def _preferred(constraints: Constraints, judged: Judged) -> Iterator[Kept]:
    for preference in constraints.preferred:
        for demand in preference.term.demands:
            yield from judged.kept(demand, _PREFERRED)


def _unmoved(constraints: Constraints, judged: Judged) -> Translation:
    demands = [*constraints.selector, *(each for term in constraints.terms or () for each in term.demands)]
    kept = [found for each in demands for found in judged.kept(each, _TOO_LONG)]
    kept += _preferred(constraints, judged)
    return Translation(tuple(() for _ in judged.asked), constraints, (), tuple(kept))
