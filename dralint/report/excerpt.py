"""The source line of a finding with a caret under what is meant, safe to show on a terminal."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from dralint.report.escape import escape

# Characters of a source line that are shown; a manifest may hold lines of megabytes.
_WIDTH = 120


class Excerpt(NamedTuple):
    """A source line and the line with carets below it."""

    line: str
    carets: str


def _columns(text: str) -> int:
    """The columns a terminal needs for printable text."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def _window(start: int, length: int) -> tuple[int, int]:
    """The part of a long line to show: what is meant, with a little before it."""
    if length <= _WIDTH:
        return 0, length
    first = max(0, min(start - _WIDTH // 4, length - _WIDTH)) if start >= _WIDTH * 3 // 4 else 0
    return first, min(length, first + _WIDTH)


def excerpt(line: str, start: int, end: int) -> Excerpt:
    """The line, and carets from column `start` to before `end`; columns in characters, from 1."""
    first, last = _window(start - 1, len(line))
    before, meant = line[first : start - 1], line[max(start - 1, first) : min(max(end - 1, start), last)]
    left, right = "..." if first else "", "..." if last < len(line) else ""
    indent = " " * (len(left) + _columns(escape(before)))
    shown = f"{left}{escape(line[first:last])}{right}"
    return Excerpt(shown, f"{indent}{'^' * max(1, _columns(escape(meant)))}")
