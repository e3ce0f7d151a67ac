"""The small change of a text that planning makes many of, and the exception that stops a plan."""

from __future__ import annotations

from typing import NamedTuple


class Refused(Exception):
    """A change that cannot be made safely.

    what    a reason without a full stop
    offset  where in the text
    group   the group of operations it costs; None: the one that is being looked at
    """

    def __init__(self, what: str, offset: int, group: int | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.offset = offset
        self.group = group


# Insertions at one offset: what belongs to the text before it comes first, deeper levels before
# shallower ones; then whole documents; then what belongs to the text after it, shallower first.
INLINE, AFTER, DOCUMENT, BEFORE = range(4)


class Piece(NamedTuple):
    """Write `text` in the place of [start, end); `rank` orders insertions at the same offset."""

    start: int
    end: int
    text: str
    rank: tuple[int, int]
    group: int


def rank(phase: int, depth: int) -> tuple[int, int]:
    """The rank of an insertion that belongs to a collection `depth` levels deep."""
    return phase, depth if phase == BEFORE else -depth
