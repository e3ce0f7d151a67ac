"""Edits of one scalar: another value or another key in its place, the kind of quotes kept."""

from __future__ import annotations

from dralint.yamltext.action import Change
from dralint.yamltext.node import ALIAS, Node
from dralint.yamltext.piece import INLINE, Piece, rank
from dralint.yamltext.render import is_plain, quoted, scalar
from dralint.yamltext.sheet import Sheet
from dralint.yamltext.style import flow_style
from dralint.yamltext.view import Plain


def _same_quotes(old: Node, value: Plain, *, flow: bool, quote: bool) -> str:
    """A scalar written as `old` was: single or double quotes, or none where that is possible."""
    if not isinstance(value, str):
        return scalar(value)
    if old.style == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if old.style == '"' or (quote and old.kind != ALIAS) or not is_plain(value, flow=flow):
        return quoted(value)
    return value


def _write(sheet: Sheet, container: Node, old: Node, value: Plain, group: int, *, key: bool) -> Piece:
    flow = bool(container.style)
    style = flow_style(sheet.page, sheet.tree, container, lines=False) if flow else None
    quote = style is not None and (style.json or (style.kyaml and not key))
    text = _same_quotes(old, value, flow=flow, quote=quote)
    start = sheet.page.body(old)
    return Piece(start, old.end, text, rank(INLINE, sheet.tree.depth(container)), group)


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
