"""From a place inside an expression to the place in the file, whatever kind of scalar holds it.

A scalar's characters are read again as the YAML parser reads them, with the offset of each. What comes
out is compared with the parser's own text, so that a wrong place is never shown. Source: libyaml's scanner.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from dralint.yamltext.node import SCALAR, Node

# A character of the content and where it comes from in the file.
_Character = tuple[str, int]
# One character at an offset, and where the next begins.
_Reader = Callable[[str, int], tuple[str, int]]

_PROPERTY = re.compile(r"[&!][^\s]*[ \t]+")
_HEADER = re.compile(r"[|>][0-9+-]*[ \t]*(?:#[^\n]*)?\r?\n")
_BREAK = re.compile(r"\r\n|\n|\r")
_ESCAPED = '0abt\tnvfre "/\\N_LP'
_MEANT = '\0\a\b\t\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029'
_ESCAPES = dict(zip(_ESCAPED, _MEANT, strict=True))
_HEX = {"x": 2, "u": 4, "U": 8}


def line_and_column(expression: str, offset: int) -> tuple[int, int]:
    """Both from 1, as Kubernetes counts them in an expression."""
    return expression.count("\n", 0, offset) + 1, offset - expression.rfind("\n", 0, offset)


def file_offset(text: str, node: Node, offset: int) -> int:
    """The offset in the file of a character of a scalar's text.

    text    the whole file's text
    node    a scalar
    offset  into `node.text`; its length is the place after the last character

    Where the scalar cannot be followed it is the scalar's first character.
    """
    assert node.kind == SCALAR
    start, offsets = _followed(text, node)
    if offsets is None:
        return start
    return offsets[max(0, min(offset, len(offsets) - 1))]


@lru_cache(maxsize=8)
def _followed(text: str, node: Node) -> tuple[int, list[int] | None]:
    """The scalar's first character and `_offsets`: a selector with many mistakes is followed once."""
    start = _content_start(text, node)
    return start, _offsets(text, node, start)


def _content_start(text: str, node: Node) -> int:
    """After the anchor and the tag, which belong to the scalar's range."""
    start = node.start
    while node.anchor is not None or node.tag is not None:
        found = _PROPERTY.match(text, start, node.end)
        if not found:
            break
        start = found.end()
    return start


def _offsets(text: str, node: Node, start: int) -> list[int] | None:
    """The offset of each character and of the end; None where the characters are not those of the node."""
    if node.style in ("|", ">"):
        found = _block(text, node, start)
    elif node.style == '"':
        found = _flow(text, start + 1, node.end - 1, _double)
    elif node.style == "'":
        found = _flow(text, start + 1, node.end - 1, _single)
    else:
        found = _flow(text, start, node.end, _plain)
    characters = "".join(character for character, _ in found)
    size = len(node.text)
    if characters[:size].ljust(size, "\n") != node.text:
        return None
    offsets = [offset for _, offset in found[:size]]
    last = found[size][1] if len(found) > size else offsets[-1] + 1 if offsets else start
    return offsets + [last] * (size + 1 - len(offsets))


def _plain(text: str, at: int) -> tuple[str, int]:
    return text[at], at + 1


def _single(text: str, at: int) -> tuple[str, int]:
    return text[at], at + (2 if text.startswith("''", at) else 1)


def _double(text: str, at: int) -> tuple[str, int]:
    """One character and where the next begins; "" for an escaped line break, which takes the blanks after it."""
    if text[at] != "\\":
        return text[at], at + 1
    letter = text[at + 1]
    if letter in _HEX:
        end = at + 2 + _HEX[letter]
        try:
            return chr(int(text[at + 2 : end], 16)), end
        except (ValueError, OverflowError):
            return "\ufffd", end
    found = _BREAK.match(text, at + 1)
    if found:
        end = found.end()
        while text[end] in " \t":
            end += 1
        return "", end
    return _ESCAPES.get(letter, "\ufffd"), at + 2


def _flow(text: str, start: int, end: int, read: _Reader) -> list[_Character]:
    """A plain or quoted scalar: a line break is a space, of several one is dropped; blanks around them go."""
    found: list[_Character] = []
    at = start
    while at < end:
        blanks = at
        while blanks < end and text[blanks] in " \t":
            blanks += 1
        first = _BREAK.match(text, blanks, end) if blanks < end else None
        if first is None:
            character, after = read(text, at)
            found += [(character, at)] if character else []
            at = after
            continue
        breaks = []
        at = blanks
        while (one := _BREAK.match(text, at, end)) is not None:
            breaks.append(one.start())
            at = one.end()
            while at < end and text[at] in " \t":
                at += 1
        found += [("\n", each) for each in breaks[1:]] or [(" ", breaks[0])]
    return found


def _block(text: str, node: Node, start: int) -> list[_Character]:
    """A literal or folded scalar, with all its line ends: what the chomping drops stands last."""
    header = _HEADER.match(text, start)
    if not header:
        return []
    lines = _lines(text, header.end(), node.end)
    indent = _indent(lines, node.text)
    found: list[_Character] = []
    pending: list[int] = []  # line ends since the last line with content
    started, was_more = False, False
    for content, at, end in lines:
        body = content[indent:]
        if not body:
            pending.append(end)
            continue
        more = body[0] in " \t"
        breaks = [("\n", each) for each in pending]
        if node.style == ">" and started and not was_more and not more:
            breaks = breaks[1:] or [(" ", pending[0])]
        found += breaks
        found += [(character, at + indent + index) for index, character in enumerate(body)]
        pending, started, was_more = [end], True, more
    return found + [("\n", each) for each in pending]


def _lines(text: str, start: int, end: int) -> list[tuple[str, int, int]]:
    """(line without its end, its offset, offset of its end)"""
    found = []
    while start < end:
        stop = _BREAK.search(text, start)
        line_end = stop.start() if stop else len(text)
        found.append((text[start:line_end], start, line_end))
        start = stop.end() if stop else len(text)
    return found


def _indent(lines: list[tuple[str, int, int]], content: str) -> int:
    """By how much the lines stand in: the first with content tells, less the blanks it keeps."""
    line = next((line for line, _, _ in lines if line.strip(" ")), "")
    kept = next((each for each in content.split("\n") if each.strip(" ")), "")
    return max(len(line) - len(line.lstrip(" ")) - (len(kept) - len(kept.lstrip(" "))), 0)
