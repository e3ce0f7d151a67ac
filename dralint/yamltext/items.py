"""Where the items of a long list stand in a text: found line by line, or by a JSON scanner, without nodes.

A list of ten thousand objects is more than can be held as nodes at once. Its items are read one after
the other; each is a text of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from json import JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]  # typeshed leaves it out
from typing import NamedTuple

Span = tuple[int, int]

_BLANK = re.compile(r"[ \t\r\n]*")
# What stands around the items is a few lines; where it is more, something else is written there.
_MAX_AROUND = 100_000
# Characters of a JSON value that are tried; no item is longer. An object in etcd has 1.5 MiB at most, blanks not counted.
_LENGTHS = (32_768, 1_048_576, 8_388_608)
_MAX_ITEMS = 500_000
_MAX_INDENT = 16


class Listed(NamedTuple):
    """The items of a list in a text.

    items   the range of each; in block YAML whole lines from the item's dash on
    indent  the columns before the dash; None for JSON
    """

    items: Sequence[Span]
    indent: int | None = None

    def around(self, text: str) -> tuple[str, str]:
        """The text before the first item and after the last one."""
        return text[: self.items[0][0]], text[self.items[-1][1] :]


class Member(NamedTuple):
    """A member of a JSON object: its key, and the range of its value."""

    key: str
    start: int
    end: int


def _skip(text: str, offset: int) -> int:
    found = _BLANK.match(text, offset)
    return found.end() if found else offset


_DECODER = JSONDecoder()


def _value(text: str, start: int) -> tuple[object, int]:
    """The JSON value at an offset and the offset after it; raises ValueError for none, and for a very long one.

    A decoded value takes many times the room of its text.
    """
    for length in _LENGTHS:
        piece = text[start : start + length]
        last = start + length >= len(text)
        try:
            value, end = _DECODER.raw_decode(piece)
        except ValueError:
            if last:
                raise
            continue
        if end < len(piece) or last:
            return value, start + end
    raise ValueError("too long")


def members(text: str, start: int) -> Iterator[Member]:
    """The members of the JSON object that begins at an offset; raises ValueError where there is none."""
    if text[start] != "{":
        raise ValueError("no object")
    position = _skip(text, start + 1)
    while text[position] != "}":
        key, position = scanstring(text, position + 1, True) if text[position] == '"' else ("", -1)
        position = _skip(text, position) if position >= 0 else -1
        if position < 0 or text[position] != ":":
            raise ValueError("no member")
        begin = _skip(text, position + 1)
        _, end = _value(text, begin)
        yield Member(key, begin, end)
        position = _skip(text, end)
        if text[position] == ",":
            position = _skip(text, position + 1)
        elif text[position] != "}":
            raise ValueError("no comma")


def _json_array(text: str, start: int) -> tuple[list[Span], int]:
    """The ranges of the objects in an array, and the offset after it; raises ValueError for other items."""
    items: list[Span] = []
    position = _skip(text, start + 1)
    while text[position] != "]":
        if len(items) == _MAX_ITEMS:
            raise ValueError("too many items")
        value, end = _value(text, position)
        if not isinstance(value, dict):
            raise ValueError("no object")  # noqa: TRY004 (of the text, not of an argument)
        items.append((position, end))
        position = _skip(text, end)
        if text[position] == ",":
            position = _skip(text, position + 1)
        elif text[position] != "]":
            raise ValueError("no comma")
    return items, position + 1


def json_items(text: str, key: str) -> Listed | None:
    """The objects in the array `key` of a text that is one JSON object; None where it is not just that."""
    found: list[Span] | None = None
    try:
        position = _skip(text, 0)
        if text[position] != "{":
            return None
        position = _skip(text, position + 1)
        while text[position] != "}":
            if text[position] != '"':
                return None
            name, after = scanstring(text, position + 1, True)
            colon = _skip(text, after)
            begin = _skip(text, colon + 1)
            if text[colon] != ":":
                return None
            if name == key and text[begin] == "[":
                if found is not None:
                    return None
                found, end = _json_array(text, begin)
            else:
                _, end = _value(text, begin)
            position = _skip(text, end)
            if text[position] == ",":
                position = _skip(text, position + 1)
            elif text[position] != "}":
                return None
        if _skip(text, position + 1) != len(text):
            return None
    except (ValueError, IndexError, RecursionError):
        return None
    return _listed(text, found, None)


def block_items(text: str, key: str) -> Listed | None:
    """The items of the block sequence that is the value of a top-level key; None where that is not certain.

    No line at the column of the dashes, or left of it, may be a comment: it could belong to either item.
    """
    head = re.compile(rf"^{key}:[ \t]*\r?\n( *)- ", re.MULTILINE).search(text)
    if head is None or head.start() > _MAX_AROUND or len(head[1]) > _MAX_INDENT:
        return None
    indent = len(head[1])
    first = head.end() - indent - 2
    starts: list[int] = []
    end = len(text)
    for line in re.compile(rf"^ {{0,{indent}}}[^ \r\n]", re.MULTILINE).finditer(text, first):
        column = line.end() - line.start() - 1
        mark = text[line.end() - 1]
        if (
            len(starts) < _MAX_ITEMS
            and column == indent
            and mark == "-"
            and text[line.end() : line.end() + 1] == " "
        ):
            starts.append(line.start())
        elif mark == "#" or len(starts) == _MAX_ITEMS:
            return None
        else:
            end = line.start()
            break
    spans = list(zip(starts, [*starts[1:], end], strict=True))
    if any(stop - start > _LENGTHS[-1] for start, stop in spans):
        return None
    return _listed(text, spans, indent)


def _listed(text: str, items: list[Span] | None, indent: int | None) -> Listed | None:
    """The list, if it has items and little around them."""
    if not items or items[0][0] + len(text) - items[-1][1] > _MAX_AROUND:
        return None
    return Listed(items, indent)
