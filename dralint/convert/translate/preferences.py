"""Preferred node labels as alternatives of a request, the best first (`firstAvailable`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from dralint.convert.translate.combine import tests_of, texts_of
from dralint.convert.translate.demands import Demand, Preference
from dralint.convert.translate.expressions import every
from dralint.convert.translate.terms import Judged

# resource.k8s.io/v1 types.go: FirstAvailableDeviceRequestMaxSize.
MAX_ALTERNATIVES = 8
# More than this many demands are no preference of a person, and every two are compared.
_MAX_DEMANDS = 64
_TOO_MANY = f"it makes more than the {MAX_ALTERNATIVES} alternatives that a request can have"
_NOT_DEVICES_ONLY = "what is preferred with it is not about devices alone"


class Alternatives(NamedTuple):
    """Alternatives of the requests for one resource.

    resource  its index among those asked for
    texts     for each alternative the expression that must hold beside the required ones, the best first and
              last "", which is any device; empty: no alternatives
    moved     the preferences that they take the place of
    reason    why the others stay
    """

    resource: int
    texts: tuple[str, ...]
    moved: tuple[Preference, ...]
    reason: str


def _contradict(one: Demand, other: Demand) -> bool:
    """Whether no node meets both."""
    of_one_label = one.key == other.key and one.operator == other.operator == "In"
    return of_one_label and not {*one.values} & {*other.values}


def _possible(preferences: Sequence[Preference]) -> bool:
    demands = [demand for each in preferences for demand in each.term.demands]
    return not any(_contradict(one, other) for one, other in combinations(demands, 2))


def _ranked(preferences: Sequence[Preference]) -> list[Sequence[Preference]]:
    """What can be met together, by the weight that the scheduler counts for it."""
    together = [
        chosen
        for size in range(len(preferences), 0, -1)
        for chosen in combinations(preferences, size)
        if _possible(chosen)
    ]
    return sorted(together, key=lambda chosen: -sum(each.weight for each in chosen))


def _about_devices(preferred: Sequence[Preference], judged: Judged) -> tuple[int, tuple[Preference, ...]]:
    """The first resource whose claim can say all of some preferences, and those."""
    for index in range(len(judged.asked)):
        found = tuple(
            each
            for each in preferred
            if each.term.demands and not each.term.others and judged.exact(index, each.term.demands)
        )
        if found:
            return index, found
    return 0, ()


def alternatives(preferred: Sequence[Preference], judged: Judged) -> Alternatives:
    """The alternatives that follow from what the pod prefers of its node, where that is about devices alone."""
    index, moving = _about_devices(preferred, judged)
    if len(moving) >= MAX_ALTERNATIVES or sum(len(each.term.demands) for each in moving) > _MAX_DEMANDS:
        return Alternatives(0, (), (), _TOO_MANY)
    found: dict[str, None] = {}
    for chosen in _ranked(moving):
        tests = tests_of(judged.selects(index, [demand for each in chosen for demand in each.term.demands]))
        texts = texts_of([every(tests)]) if tests else None
        if tests and texts is None:
            return Alternatives(0, (), (), _TOO_MANY)
        found.update(dict.fromkeys(texts or ()))
    if len(found) >= MAX_ALTERNATIVES:
        return Alternatives(0, (), (), _TOO_MANY)
    return Alternatives(index, (*found, "") if found else (), moving, _NOT_DEVICES_ONLY)
