"""Edits of one scalar: another value or another key in its place, the kind of quotes kept."""

from __future__ import annotations

from dralint.yamltext.action import Change
from dralint.yamltext.node import ALIAS, Node
from dralint.yamltext.page import Page
from dralint.yamltext.piece import INLINE, Piece, Refused, rank
from dralint.yamltext.render import is_plain, quoted, scalar
from dralint.yamltext.sheet import Sheet
from dralint.yamltext.style import flow_style
from dralint.yamltext.view import Plain

_LINES = "a block scalar is only edited line by line"


def _same_quotes(old: Node, value: Plain, *, flow: bool, quote: bool) -> str:
    """A scalar written as `old` was: single or double quotes, or none where that is possible."""
    if not isinstance(value, str):
        return scalar(value)
    if old.style == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if old.style == '"' or (quote and old.kind != ALIAS) or not is_plain(value, flow=flow):
        return quoted(value)
    return value


def _literal(page: Page, old: Node, value: str, level: tuple[int, int], group: int) -> Piece:
    """Lines of a literal block scalar written anew in their places; raises Refused where their number changes."""
    lines, wanted = old.text.split("\n"), value.split("\n")
    if len(lines) != len(wanted) or not all(map(str.isprintable, wanted)):
        raise Refused(_LINES, old.start)
    position = page.line_end(old.start)
    found: list[tuple[int, int, str]] = []
    for line, new in zip(lines, wanted, strict=True):
        if line != new:
            end = page.text_end(position)
            start = end - len(line)
            if page.text[start:end] != line or page.text[page.line_start(position) : start].strip(" "):
                raise Refused(_LINES, old.start)
            found.append((start, end, new))
        position = page.line_end(position)
    if not found:
        return Piece(old.end, old.end, "", level, group)
    (first, _, _), (_, last, _) = found[0], found[-1]
    text, position = "", first
    for start, end, new in found:
        text += page.text[position:start] + new
        position = end
    return Piece(first, last, text, level, group)


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
