"""Bytes to text and back: encoding, byte order mark, and offset to line and column."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence

from dralint.errors import InputError, Place

_BOM = "\ufeff"
# libyaml and Go take these for line breaks, editors do not: an edit could land on another line
# than the one a person sees.
_ODD_BREAK = re.compile("\r(?!\n)|[\x85\u2028\u2029]")
_NOT_SOUGHT = -1


class SourceText:
    """A decoded file: its text without byte order mark, and how to get the bytes back.

    text      the characters all offsets count
    encoding  "utf-8", "utf-16-le" or "utf-16-be"
    bom       whether the file began with a byte order mark
    """

    __slots__ = ("_line_starts", "_odd_break", "bom", "encoding", "text")

    def __init__(self, text: str, encoding: str = "utf-8", bom: bool = False) -> None:
        self.text = text
        self.encoding = encoding
        self.bom = bom
        self._odd_break: int | None = _NOT_SOUGHT
        self._line_starts: Sequence[int] | None = None

    @property
    def line_starts(self) -> Sequence[int]:
        """Offset of the first character of every line; lines end at a line feed only."""
        if self._line_starts is None:
            # An array: a cluster's dump has millions of lines.
            starts = array("Q", (0,))
            starts.extend(match.end() for match in re.finditer("\n", self.text))
            self._line_starts = starts
        return self._line_starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, the column in characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (from 1) without its line end; "" past the last one."""
        starts = self.line_starts
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    @property
    def odd_break(self) -> int | None:
        """The offset of the first line break that editors do not show as one, or None."""
        if self._odd_break == _NOT_SOUGHT:
            plain = "\r" not in self.text and self.text.isascii()
            found = None if plain else _ODD_BREAK.search(self.text)
            self._odd_break = found.start() if found else None
        return self._odd_break

    @property
    def uneditable(self) -> str | None:
        """Why this text can be read but must not be edited, or None."""
        if self.encoding != "utf-8":
            return f"the file is {self.encoding.upper()}"
        offset = self.odd_break
        if offset is None:
            return None
        line, column = self.position(offset)
        code = ord(self.text[offset])
        return f"line {line}, column {column} holds a line break U+{code:04X} that editors show differently"

    def encode(self, text: str) -> bytes:
        """The bytes of a file with this encoding and byte order mark that holds `text`."""
        return ((_BOM if self.bom else "") + text).encode(self.encoding)


def decode(data: bytes, path: str) -> SourceText:
    """Decode a file as kubectl does: UTF-16 only with a byte order mark, else strict UTF-8.

    Raises InputError at the first byte that is not text.
    """
    encoding = "utf-8"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16-le" if data[:1] == b"\xff" else "utf-16-be"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        before = SourceText(data[: error.start].decode(encoding, "replace").removeprefix(_BOM))
        line, column = before.position(len(before.text))
        raise InputError(
            f"not valid {encoding.upper()}: byte 0x{data[error.start]:02x}",
            Place(path, line, column),
            "save the file as UTF-8",
        ) from None
    bom = text.startswith(_BOM)
    return SourceText(text[1:] if bom else text, encoding, bom)
