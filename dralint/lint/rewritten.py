"""A text that was edited several times, as one list of edits on its first form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dralint.yamltext.operations import Edit


class _Kept(NamedTuple):
    """A range of the first text."""

    start: int
    end: int


_Piece = _Kept | str


def _length(piece: _Piece) -> int:
    return len(piece) if isinstance(piece, str) else piece.end - piece.start


def _cut(piece: _Piece, start: int, end: int) -> _Piece:
    """A part of a piece, counted from its own start."""
    return piece[start:end] if isinstance(piece, str) else _Kept(piece.start + start, piece.start + end)


class Rewritten:
    """What a text consists of now: ranges of its first form, and what was written between them."""

    def __init__(self, length: int) -> None:
        self._length = length
        self._pieces: list[_Piece] = [_Kept(0, length)]

    def apply(self, edits: Sequence[Edit]) -> None:
        """Edit the text as it is now; the edits stand in its order and do not overlap."""
        pieces: list[_Piece] = []
        waiting = list(reversed(self._pieces))
        position = 0

        def take(until: int, *, keep: bool) -> None:
            nonlocal position
            while position < until:
                piece = waiting.pop()
                length = _length(piece)
                if position + length > until:
                    waiting.append(_cut(piece, until - position, length))
                    piece, length = _cut(piece, 0, until - position), until - position
                if keep:
                    pieces.append(piece)
                position += length

        for edit in edits:
            take(edit.start, keep=True)
            take(edit.end, keep=False)
            pieces.append(edit.text)
        self._pieces = [each for each in [*pieces, *reversed(waiting)] if _length(each)]

    def edits(self) -> list[Edit]:
        """The edits that make the text of now of its first form."""
        found: list[Edit] = []
        position, written = 0, ""
        for piece in [*self._pieces, _Kept(self._length, self._length)]:
            if isinstance(piece, str):
                written += piece
                continue
            if written or piece.start > position:
                found.append(Edit(position, piece.start, written))
            position, written = piece.end, ""
        return found
