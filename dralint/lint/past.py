"""Which findings were there before: two states of the same files compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence

from dralint.lint.finding import Finding
from dralint.lint.fingerprint import counted, fingerprint, without

_INDEX = re.compile(r"\[\d+\]")
_Key = Callable[[Finding], Hashable]


def _exact(finding: Finding) -> Hashable:
    return fingerprint(finding, finding.region.path), finding.message


def _moved(finding: Finding) -> Hashable:
    """An item that was put before others gives all of them another index."""
    place = fingerprint(finding, finding.region.path)
    return place._replace(field=_INDEX.sub("[]", place.field)), finding.message


def _reworded(finding: Finding) -> Hashable:
    return fingerprint(finding, finding.region.path)


def new(now: Sequence[Finding], then: Sequence[Finding]) -> list[Finding]:
    """The findings of now that were not among those of then, in their order.

    The same place and words come first, then the same words at another index, then the same place:
    so that of two alike the one that was added is told.
    """
    left, old = list(now), list(then)
    keys: tuple[_Key, ...] = (_exact, _moved, _reworded)
    for key in keys:
        remaining = without(left, key, counted(old, key))
        kept = {id(each) for each in remaining}
        old = without(old, key, counted([each for each in left if id(each) not in kept], key))
        left = remaining
    return left
