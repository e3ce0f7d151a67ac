"""Edits of one scalar: another value or another key in its place, the kind of quotes kept."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import NamedTuple

from dralint.yamltext.action import Change
from dralint.yamltext.node import ALIAS, Node
from dralint.yamltext.page import Page
from dralint.yamltext.piece import INLINE, Piece, Refused, rank
from dralint.yamltext.render import is_plain, quoted, scalar
from dralint.yamltext.sheet import Sheet
from dralint.yamltext.style import flow_style
from dralint.yamltext.view import Plain

_LINES = "a block scalar is only edited line by line"
# Lines that are compared with lines; longer texts are not edited.
_MOST_COMPARED = 4_000_000


def _same_quotes(old: Node, value: Plain, *, flow: bool, quote: bool) -> str:
    """A scalar written as `old` was: single or double quotes, or none where that is possible."""
    if not isinstance(value, str):
        return scalar(value)
    if old.style == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if old.style == '"' or (quote and old.kind != ALIAS) or not is_plain(value, flow=flow):
        return quoted(value)
    return value


class _Line(NamedTuple):
    """A line of a literal block scalar: where it and its text begin, where that ends, and the next line begins."""

    begin: int
    start: int
    end: int
    next: int


def _lines_of(page: Page, old: Node) -> list[_Line]:
    """The lines of a literal block scalar, as many as its text has; raises Refused."""
    found: list[_Line] = []
    position = page.line_end(old.start)
    for line in old.text.split("\n"):
        end = page.text_end(position)
        start = end - len(line)
        if page.text[start:end] != line or page.text[position:start].strip(" "):
            # Behind its last line break the text has an empty line, and the file any other.
            if line:
                raise Refused(_LINES, old.start)
            start = end
        found.append(_Line(position, start, end, page.line_end(position)))
        position = found[-1].next
    return found


def _literal(page: Page, old: Node, value: str, level: tuple[int, int], group: int) -> Piece:
    """The lines of a literal block scalar that differ, written anew in their places; raises Refused.

    The blank lines at its end must stay: they may be no part of it.
    """
    lines, wanted = old.text.split("\n"), value.split("\n")
    ending = [len(text) - len(text.rstrip("\n")) for text in (old.text, value)]
    if ending[0] != ending[1] or not all(map(str.isprintable, wanted)) or not value.strip():
        raise Refused(_LINES, old.start)
    if len(lines) * len(wanted) > _MOST_COMPARED:
        raise Refused(_LINES, old.start)
    spans = _lines_of(page, old)
    first = next(index for index, line in enumerate(lines) if line)
    indent = page.text[spans[first].begin : spans[first].start]
    pieces: list[tuple[int, int, str]] = []
    for kind, start, end, new_start, new_end in SequenceMatcher(
        None, lines, wanted, autojunk=False
    ).get_opcodes():
        if kind == "equal":
            continue
        if end - start == new_end - new_start:
            pieces += (
                (span.start, span.end, line)
                for span, line in zip(spans[start:end], wanted[new_start:new_end], strict=True)
            )
            continue
        position = spans[start].begin if start < len(spans) else spans[-1].next
        line_break = page.line_break(old.start)
        text = "".join(f"{indent if line else ''}{line}{line_break}" for line in wanted[new_start:new_end])
        pieces.append((position, spans[end - 1].next if end > start else position, text))
    if not pieces:
        return Piece(old.end, old.end, "", level, group)
    text, position = "", pieces[0][0]
    for begin, stop, new in pieces:
        text += page.text[position:begin] + new
        position = stop
    return Piece(pieces[0][0], position, text, level, group)


def _write(sheet: Sheet, container: Node, old: Node, value: Plain, group: int, *, key: bool) -> Piece:
    level = rank(INLINE, sheet.tree.depth(container))
    if old.style == "|" and isinstance(value, str):
        return _literal(sheet.page, old, value, level, group)
    flow = bool(container.style)
    style = flow_style(sheet.page, sheet.tree, container, lines=False) if flow else None
    quote = style is not None and (style.json or (style.kyaml and not key))
    text = _same_quotes(old, value, flow=flow, quote=quote)
    start = sheet.page.body(old)
    return Piece(start, old.end, text, level, group)


def plan_scalars(sheet: Sheet, change: Change) -> list[Piece]:
    """The pieces that replace values and rename keys of one collection."""
    container = change.container
    pieces = [
        _write(sheet, container, sheet.value(container, index), value, group, key=False)
        for index, (value, group) in change.replaced.items()
    ]
    pieces += [
        _write(sheet, container, container.items[2 * index], name, group, key=True)
        for index, (name, group) in change.renamed.items()
    ]
    return pieces
