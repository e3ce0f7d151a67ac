"""A text that is made of ranges of a longer one, and where its characters stand in that."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable

from dralint.errors import InternalError
from dralint.yamltext.items import Span
from dralint.yamltext.operations import Edit
from dralint.yamltext.text import SourceText


class Excerpt(SourceText):
    """Ranges of a text and a few characters of its own between them.

    whole  the text it is from; positions are counted there
    """

    __slots__ = ("_origins", "_own", "_starts", "whole")

    def __init__(self, whole: SourceText, parts: Iterable[Span | str]) -> None:
        """parts: ranges of the whole text in its order, and strings that stand between them."""
        pieces: list[str] = []
        starts, origins = array("Q"), array("Q")
        own: set[int] = set()
        length = origin = 0
        for part in parts:
            if isinstance(part, str):
                own.add(len(starts))
                piece = part
            else:
                origin = part[0]
                piece = whole.text[part[0] : part[1]]
            starts.append(length)
            origins.append(origin)
            pieces.append(piece)
            length += len(piece)
            if not isinstance(part, str):
                origin = part[1]
        super().__init__("".join(pieces), whole.encoding)
        self.whole = whole
        self._starts = starts
        self._origins = origins
        self._own = own

    @property
    def uneditable(self) -> str | None:
        return self.whole.uneditable

    def origin(self, offset: int) -> int:
        """Where a character stands in the whole text; for one of its own, where the next range begins or the last ends."""
        part = max(bisect_right(self._starts, offset) - 1, 0)
        inside = 0 if part in self._own else offset - self._starts[part]
        return self._origins[part] + inside

    def position(self, offset: int) -> tuple[int, int]:
        return self.whole.position(self.origin(offset))

    def _at_gap(self, offset: int) -> bool:
        """Whether something of the whole text is left out at an offset."""
        part = bisect_right(self._starts, offset) - 1
        if part < 1 or self._starts[part] != offset or not {part, part - 1}.isdisjoint(self._own):
            return False
        return self._origins[part - 1] + offset - self._starts[part - 1] != self._origins[part]

    def in_whole(self, edit: Edit) -> Edit:
        """The same edit of the whole text; raises InternalError where it would touch what is left out."""
        if edit.end == edit.start and self._at_gap(edit.start):
            raise InternalError("an edit stands where something of the text is not shown")
        start = self.origin(edit.start)
        end = start if edit.end == edit.start else self.origin(edit.end - 1) + 1
        if self.whole.text[start:end] != self.text[edit.start : edit.end]:
            raise InternalError("an edit reaches over what is not shown of the text")
        return Edit(start, end, edit.text)
