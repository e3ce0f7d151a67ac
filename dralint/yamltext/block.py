"""Edits of a block mapping or sequence: whole lines, and the first entry on the line of its dash."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dralint.yamltext.action import Added, Change
from dralint.yamltext.node import MAP, SCALAR, Node, pairs
from dralint.yamltext.page import Page
from dralint.yamltext.piece import AFTER, BEFORE, INLINE, Piece, Refused, rank
from dralint.yamltext.render import BlockStyle, mapping_lines, scalar, sequence_lines
from dralint.yamltext.sheet import Sheet
from dralint.yamltext.style import block_style, item_gap
from dralint.yamltext.tree import subtree

_DASHES = re.compile(r" *(?:- +)+\Z")
_COLON = re.compile(r"[ \t]*:")


class Line(NamedTuple):
    """One entry or item: where it begins (key or dash), where its content ends, and its nodes."""

    start: int
    end: int
    nodes: list[Node]


def colon_after(page: Page, key: Node) -> int:
    """The offset after the colon of an entry; raises Refused for `? key` entries."""
    found = _COLON.match(page.text, key.end)
    if not found:
        raise Refused("an entry written with `? key` is not edited", key.start)
    return found.end()


def entries_of(page: Page, container: Node) -> list[Line]:
    """The entries or items of a block collection; raises Refused for what is written too unusually."""
    lines: list[Line] = []
    position = page.body(container)
    if container.kind == MAP:
        for key, value in pairs(container):
            if page.next_token(position) != key.start:
                raise Refused("an entry written with `? key` is not edited", key.start)
            position = max(colon_after(page, key), page.content_end(value))
            lines.append(Line(key.start, position, [key, value]))
        return lines
    for item in container.items:
        dash = page.next_token(position)
        if page.text[dash : dash + 1] != "-":
            raise Refused("the dash of this item was not found", item.start)
        position = max(dash + 1, page.content_end(item))
        lines.append(Line(dash, position, [item]))
    return lines


class _Block:
    """One block collection that changes, and the pieces of its change."""

    def __init__(self, sheet: Sheet, change: Change) -> None:
        self.page = sheet.page
        self.sheet = sheet
        self.change = change
        self.container = change.container
        self.lines = entries_of(sheet.page, change.container)
        self.empty = "{}" if change.container.kind == MAP else "[]"
        self.depth = sheet.tree.depth(change.container)
        kept = (index for index in range(len(self.lines)) if index not in change.removed)
        self.first_kept = next(kept, len(self.lines))
        first = self.lines[0].start
        before = self.page.text[self.page.line_start(first) : first]
        self.column = len(before)
        self.inline = bool(before.strip(" "))
        if self.inline and not _DASHES.match(before):
            raise Refused("something else stands before the first entry on its line", first)
        self.style: BlockStyle | None = None

    def piece(self, start: int, end: int, text: str, phase: int = INLINE) -> Piece:
        return Piece(start, end, text, rank(phase, self.depth), self.change.group)

    def rendered(self, added: Added) -> list[str]:
        """The lines of a new entry or item, the first without its indent."""
        style = self.style
        if style is None:
            style = self.style = block_style(self.page, self.sheet.tree, self.container, self.lines[-1].end)
        if added.key is not None:
            lines = mapping_lines({added.key: added.value}, self.column, style)
        else:
            own_gap = item_gap(self.page, self.lines[0].start, self.container.items[0])
            lines = sequence_lines([added.value], self.column, style._replace(gap=own_gap))
        return [lines[0][self.column :], *lines[1:]]

    def comments(self, start: int, end: int, entries: list[Line]) -> list[tuple[int, int]]:
        nodes = (node for line in entries for top in line.nodes for node in subtree(top))
        scalars = [node for node in nodes if node.kind == SCALAR]
        return list(self.page.own_line_comments(start, end, scalars))

    def cut_lines(self, start: int, line: Line) -> Iterator[Piece]:
        """Cut the lines from `start`, a line start, to the entry's last; comment lines stay."""
        position = start
        end = self.page.line_end(line.end)
        for begin, stop in self.comments(start, end, [line]):
            if position < begin:
                yield self.piece(position, begin, "")
            position = stop
        if position < end:
            yield self.piece(position, end, "")

    def head(self, first_kept: int) -> Iterator[Piece]:
        """The removal of the first entries where the first stands on a dash's line."""
        page = self.page
        lines = self.lines[:first_kept]
        start = self.lines[0].start
        new = [added for added in self.change.added if added.gap <= first_kept]
        if new or first_kept == len(self.lines):
            blocks = [self.rendered(added) for added in new] or [[self.empty]]
            below = [line for first, *others in blocks[1:] for line in (" " * self.column + first, *others)]
            text = page.line_break(start).join([*blocks[0], *below])
            yield self.piece(start, page.text_end(start), text)
            yield from self.cut_lines(page.line_end(start), lines[0])
            for line in lines[1:]:
                yield from self.cut_lines(page.line_start(line.start), line)
            return
        # The next entry moves up to the dash, so comments between must move above it.
        following = self.lines[first_kept].start
        column = len(page.indent(start))
        moved = [
            " " * column + page.text[begin:stop].lstrip(" \t")
            for begin, stop in self.comments(page.line_end(start), page.line_start(following), lines)
        ]
        if moved:
            above = page.line_start(start)
            yield self.piece(above, above, "".join(moved), BEFORE)
        yield self.piece(start, following, "")

    def removals(self) -> Iterator[Piece]:
        done = 0
        if self.inline and self.first_kept:
            yield from self.head(self.first_kept)
            done = self.first_kept
        elif self.first_kept == len(self.lines) and not self.change.added:
            yield from self.emptied()
        for index in sorted(self.change.removed):
            if index >= done:
                line = self.lines[index]
                yield from self.cut_lines(self.page.line_start(line.start), line)

    def emptied(self) -> Iterator[Piece]:
        """`{}` or `[]` in the place of a collection that loses all its entries."""
        page = self.page
        if self.container is self.sheet.root and self.container.anchor is None and self.container.tag is None:
            start = page.line_start(self.lines[0].start)
            yield self.piece(start, start, self.empty + page.line_break(start), BEFORE)
        else:
            end = header_end(self.sheet, self.container)
            yield self.piece(end, end, " " + self.empty)

    def additions(self) -> Iterator[Piece]:
        page = self.page
        indent = " " * self.column
        for added in self.change.added:
            if self.inline and self.first_kept and added.gap <= self.first_kept:
                continue  # written by head
            gap = added.gap
            if gap == len(self.lines) and added.key is not None and self.text_runs_to_end():
                gap -= 1
            first, *others = self.rendered(added)
            if gap == 0 and self.inline:
                start = self.lines[0].start
                line_break = page.line_break(start)
                yield self.piece(start, start, line_break.join([first, *others, indent]), BEFORE)
                continue
            if gap == 0:
                position, phase = page.line_start(self.lines[0].start), BEFORE
            else:
                position, phase = page.line_end(self.lines[gap - 1].end), AFTER
                position = page.after_deeper_comments(position, self.column)
            line_break = page.line_break(position - 1 if position else 0)
            if position == len(page.text) and self.text_runs_to_end():
                raise Refused(
                    "text at the end of the file without line break would change", self.lines[-1].start
                )
            lines = [indent + first, *others, ""]
            yield self.piece(position, position, line_break.join(lines), phase)

    def text_runs_to_end(self) -> bool:
        """Whether a block scalar ends the file without line break: a line after it would add one to it."""
        page = self.page
        scalars = self.sheet.tree.scalars
        if not page.lacks_line_break or not scalars or self.lines[-1].end < page.length:
            return False
        if len(self.lines) - 1 in self.change.removed:
            return False
        last = scalars[-1]
        return page.content_end(last) >= page.length and "-" not in (page.block_scalar(last) or "")


def header_end(sheet: Sheet, node: Node) -> int:
    """The offset after what introduces a value: its colon or dash, or its own anchor and tag."""
    page = sheet.page
    if node.anchor is not None or node.tag is not None:
        return page.properties_end(node)
    found = sheet.tree.parents.get(id(node))
    if found is None:
        return node.start
    parent, index = found
    if parent.kind == MAP:
        return colon_after(page, parent.items[index - 1])
    before = page.content_end(parent.items[index - 1]) if index else page.properties_end(parent)
    return page.next_token(before) + 1


def plan_block(sheet: Sheet, change: Change) -> list[Piece]:
    """The pieces that remove and add entries of a block collection; raises Refused."""
    block = _Block(sheet, change)
    return [*block.removals(), *block.additions()]


def fill_block(sheet: Sheet, change: Change) -> list[Piece]:
    """The pieces that write values in the places of nulls in a block collection; raises Refused."""
    if not change.filled:
        return []
    lines = entries_of(sheet.page, change.container)
    return [piece for index in change.filled for piece in _fill(sheet, change, index, lines[index])]


def _fill(sheet: Sheet, change: Change, index: int, line: Line) -> list[Piece]:
    page = sheet.page
    value, group = change.filled[index]
    null = sheet.value(change.container, index)
    start = header_end(sheet, null)
    at = rank(AFTER, sheet.tree.depth(null))
    style = block_style(page, sheet.tree, change.container, line.start)
    line_break = page.line_break(line.start)
    column = page.column(line.start)
    if "\n" in page.text[start : null.end]:
        written = (page.line_start(null.end), page.line_end(null.end))
    else:
        written = (start, max(start, null.end))
    cut = [Piece(*written, "", rank(INLINE, 0), group)] if null.end > start else []
    in_mapping = change.container.kind == MAP
    # After an anchor or tag a block collection must begin on the next line, also behind a dash.
    if (in_mapping or page.properties_end(null) > null.start) and value and isinstance(value, (dict, list)):
        inner = column + 1 + style.gap
        if isinstance(value, dict):
            lines = mapping_lines(value, column + style.step if in_mapping else inner, style)
        else:
            lines = sequence_lines(value, column + style.dash if in_mapping else inner, style)
        below = page.line_end(start)
        return [*cut, Piece(below, below, line_break.join([*lines, ""]), at, group)]
    text = _after_header(value, column, style, line_break, sequence=not in_mapping)
    return [Piece(start, start, text, rank(INLINE, 0), group), *cut]


def _after_header(value: object, column: int, style: BlockStyle, line_break: str, *, sequence: bool) -> str:
    """A value on the line of its colon or dash."""
    if not sequence:
        return f" {scalar(value)}"  # type: ignore[arg-type]
    lines = sequence_lines([value], column, style)  # type: ignore[list-item]
    return line_break.join([lines[0][column + 1 :], *lines[1:]])
