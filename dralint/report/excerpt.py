"""The source line of a finding with a caret under what is meant, safe to show on a terminal."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from dralint.lint.finding import Region
from dralint.report.escape import escape
from dralint.yamltext.text import SourceText

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


def excerpt(source: SourceText, region: Region) -> Excerpt:
    """The region's first line, and carets under what the region has of it.

    Only the part that is shown is copied: a file without line breaks may have thousands of findings.
    """
    text, starts = source.text, source.line_starts
    begin = starts[region.line - 1]
    end = starts[region.line] - 1 if region.line < len(starts) else len(text)
    if end > begin and text[end - 1] == "\r":
        end -= 1
    start = region.column - 1
    stop = region.end_column - 1 if region.end_line == region.line else end - begin
    first, last = _window(start, end - begin)
    before = text[begin + first : begin + start]
    meant = text[begin + start : begin + min(stop, last)]
    left, right = "..." if first else "", "..." if last < end - begin else ""
    indent = " " * (len(left) + _columns(escape(before)))
    shown = f"{left}{escape(text[begin + first : begin + last])}{right}"
    return Excerpt(shown, f"{indent}{'^' * max(1, _columns(escape(meant)))}")
