"""Where a key stands in a TOML file; tomllib reads values and tells no places."""

from __future__ import annotations

import re

Path = tuple[str | int, ...]

_KEY = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_DOTTED = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_HEADER = re.compile(rf"\s*\[\[?\s*({_DOTTED})\s*\]\]?")
_ENTRY = re.compile(rf"\s*({_DOTTED})\s*=\s*")
_PART = re.compile(_KEY)


def _parts(text: str) -> Path:
    """The keys of a dotted key; escapes of quoted ones are left as they are."""
    return tuple(part[1:-1] if part[0] in "\"'" else part for part in _PART.findall(text))


def _shared(one: Path, other: Path) -> int:
    """How many steps two paths have in common from the start."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _within(line: str, start: int, rest: Path) -> int:
    """The column, from 0, of a key of an inline table that begins on a line, or of the value itself."""
    for key in reversed(rest):
        found = re.compile(rf"""["']?{re.escape(str(key))}["']?\s*=""").search(line, start)
        if found:
            return found.start()
    return start


def line_and_column(text: str, path: Path) -> tuple[int, int]:
    """Line and column, from 1, of the key that a path leads to, or of the nearest one above it."""
    keys = tuple(step for step in path if isinstance(step, str))
    table: Path = ()
    best, place = 0, (1, 1)
    for number, line in enumerate(text.split("\n"), 1):
        header, entry = _HEADER.match(line), _ENTRY.match(line)
        if header and not entry:
            table = _parts(header[1])
            here, column, after = table, header.start(1), len(line)
        elif entry:
            here, column, after = (*table, *_parts(entry[1])), entry.start(1), entry.end()
        else:
            continue
        shared = _shared(here, keys)
        if shared > best and (shared == len(here) or shared == len(keys)):
            best = shared
            place = (
                number,
                (
                    _within(line, after, keys[shared:])
                    if shared < len(keys) and entry and line[after : after + 1] == "{"
                    else column
                )
                + 1,
            )
    return place
