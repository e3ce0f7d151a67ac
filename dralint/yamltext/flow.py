"""Edits of a flow mapping or sequence: YAML's `{...}`, KYAML and JSON, on one line or on many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dralint.yamltext.action import Added, Change
from dralint.yamltext.node import MAP, SCALAR, SEQ, Node
from dralint.yamltext.page import Page
from dralint.yamltext.piece import AFTER, BEFORE, INLINE, Piece, Refused, rank
from dralint.yamltext.render import flow_entry, flow_value
from dralint.yamltext.sheet import Sheet
from dralint.yamltext.style import flow_style
from dralint.yamltext.tree import subtree
from dralint.yamltext.view import Plain

_BLANKS = re.compile(r"[ \t]*")


class Item(NamedTuple):
    """One entry or item: its first character, the offset after its last, and that of its comma."""

    start: int
    end: int
    comma: int | None
    nodes: list[Node]

    @property
    def stop(self) -> int:
        """The offset after the item and its comma."""
        return self.end if self.comma is None else self.comma + 1


def colon_in(page: Page, key: Node) -> int | None:
    """The offset after the colon of a flow entry, None where it has none (`{a}`)."""
    found = page.next_token(key.end)
    return found + 1 if page.text[found : found + 1] == ":" else None


def _entry_end(page: Page, key: Node, value: Node) -> int:
    if value.kind == SCALAR and value.start == value.end:
        # The parser puts an empty value before the comma, perhaps lines below.
        return colon_in(page, key) or key.end
    return value.end


def items_of(page: Page, container: Node) -> tuple[int, int, list[Item]]:
    """The offset after the opening bracket, that of the closing one, and the items between.

    Raises Refused for what is written too unusually.
    """
    opening = page.body(container)
    close = container.end - 1
    if page.text[opening : opening + 1] != container.style or page.text[close] not in "}]":
        raise Refused("a mapping without braces is not edited", container.start)
    items: list[Item] = []
    position = opening + 1
    step = 2 if container.kind == MAP else 1
    for index in range(0, len(container.items), step):
        nodes = list(container.items[index : index + step])
        start = page.next_token(position)
        if start != nodes[0].start:
            raise Refused("an entry written with `? key` is not edited", nodes[0].start)
        end = _entry_end(page, nodes[0], nodes[1]) if container.kind == MAP else nodes[0].end
        after = page.next_token(end)
        comma = after if page.text[after] == "," else None
        if comma is None and after != close:
            raise Refused("the comma after this was not found", nodes[0].start)
        items.append(Item(start, end, comma, nodes))
        position = items[-1].stop
    return opening + 1, close, items


class _Flow:
    """One flow collection that changes, and the pieces of its change."""

    def __init__(self, sheet: Sheet, change: Change) -> None:
        self.page = sheet.page
        self.change = change
        self.open, self.close, self.items = items_of(sheet.page, change.container)
        self.depth = sheet.tree.depth(change.container)
        self.kept = [index for index in range(len(self.items)) if index not in change.removed]
        self.last_comma = bool(self.items) and self.items[-1].comma is not None
        first = self.items[0] if self.items else None
        close_alone = self.page.first_on_line(self.close)
        self.lines = first is not None and self.page.first_on_line(first.start) and close_alone
        if (
            self.lines
            and not sheet.root.style
            and first is not None
            and "\t" in self.page.indent(first.start)
        ):
            # There a number at the end of a line, followed by a tab, is an error.
            raise Refused("braces indented by tabs inside block style are not edited", first.start)
        self.replaced = False
        self.style = flow_style(self.page, sheet.tree, change.container, lines=self.lines)

    def piece(self, start: int, end: int, text: str, phase: int = INLINE) -> Piece:
        return Piece(start, end, text, rank(phase, self.depth), self.change.group)

    def rendered(self, added: Added, indent: str) -> str:
        if added.key is None:
            return flow_value(added.value, self.style, indent)
        return flow_entry(added.key, added.value, self.style, indent)

    def alone(self, item: Item) -> bool:
        """Whether the item has its lines for itself."""
        own_end = self.page.last_on_line(item.stop)
        return own_end and self.page.first_on_line(item.start)

    def cut(self, start: int, end: int, nodes: list[Node]) -> Iterator[Piece]:
        """Cut [start, end), except for comment lines in it."""
        scalars = [node for top in nodes for node in subtree(top) if node.kind == SCALAR]
        position = start
        for begin, stop in self.page.own_line_comments(start, end, scalars):
            # The line break before a comment stays, it ends what is left of the line above.
            upto = (
                self.page.text_end(begin - 1)
                if begin > position and position != self._line(position)
                else begin
            )
            if position < upto:
                yield self.piece(position, upto, "")
            position = stop
        if position < end:
            yield self.piece(position, end, "")

    def _line(self, offset: int) -> int:
        return self.page.line_start(offset)

    def cut_item(self, index: int) -> Iterator[Piece]:
        page = self.page
        item = self.items[index]
        if self.alone(item):
            yield from self.cut(page.line_start(item.start), page.line_end(item.stop), item.nodes)
            return
        start, end = item.start, item.stop
        found = _BLANKS.match(page.text, end)
        blanks = found.end() if found else end
        after = page.text[blanks : blanks + 1]
        inner = item.comma is not None and after not in ("#", "\r", "\n", "}", "]")
        if inner:
            end = blanks
        last = not self.kept or index > self.kept[-1]
        if (last or not inner) and not self.cut_before(index):
            before = page.text[page.line_start(start) : start]
            start -= len(before) - len(before.rstrip(" \t"))
        yield from self.cut(start, end, item.nodes)

    def cut_before(self, index: int) -> bool:
        """Whether the item before goes, too, and takes the blanks between with it."""
        page = self.page
        same_line = index > 0 and page.line_start(self.items[index - 1].stop) == page.line_start(
            self.items[index].start
        )
        return same_line and index - 1 in self.change.removed

    def removals(self) -> Iterator[Piece]:
        if self.kept or not self.items:
            start, end, text = 0, 0, None
        elif not self.change.added:
            start, end, text = self.open, self.close, ""
        elif not self.lines:
            # New entries on one line take the place of all that was there.
            start, end = self.items[0].start, self.items[-1].end
            indent = self.page.indent(start)
            text = self.style.comma.join(self.rendered(added, indent) for added in self.change.added)
        else:
            start, end, text = 0, 0, None
        if text is not None and not any(self.page.own_line_comments(start, end, self._scalars())):
            self.replaced = True
            yield self.piece(start, end, text)
            return
        for index in sorted(self.change.removed):
            yield from self.cut_item(index)

    def _scalars(self) -> list[Node]:
        return [node for node in subtree(self.change.container) if node.kind == SCALAR]

    def commas(self) -> Iterator[Piece]:
        """Write or delete the commas after kept items that get or lose a follower."""
        for index in self.kept:
            item = self.items[index]
            followed = index != self.kept[-1] or any(
                added.gap > index and self.below(index) for added in self.change.added
            )
            needed = followed or self.last_comma
            if needed and item.comma is None:
                yield self.piece(item.end, item.end, ",")
            elif not needed and item.comma is not None:
                # Without the comma, a comment that touches it would become part of the value.
                touching = self.page.text[item.comma + 1 : item.comma + 2] == "#"
                yield self.piece(item.comma, item.comma + 1, " " if touching else "")

    def below(self, index: int) -> bool:
        """Whether new entries after this item go on lines of their own below it."""
        return self.lines and self.page.last_on_line(self.items[index].stop)

    def additions(self) -> Iterator[Piece]:
        page = self.page
        if self.replaced:
            return
        if not self.items:
            yield from self.into_empty()
            return
        by_anchor: dict[int, list[Added]] = {}
        for added in self.change.added:
            before = [index for index in self.kept if index < added.gap]
            by_anchor.setdefault(before[-1] if before else -1, []).append(added)
        for anchor, group in by_anchor.items():
            if anchor < 0:
                yield from self.in_front(group)
            elif self.below(anchor):
                yield from self.as_lines(anchor, group)
            else:
                end = self.items[anchor].end
                indent = page.indent(end)
                texts = [self.rendered(added, indent) for added in group]
                blank = ""
                if page.text[end - 1] == ":":
                    # After an empty value; a colon needs a blank.
                    blank = "" if page.text[end] in " \t" else " "
                    end += 1 - len(blank)
                yield self.piece(end, end, blank + "".join(self.style.comma + text for text in texts))

    def as_lines(self, anchor: int, group: list[Added]) -> Iterator[Piece]:
        page = self.page
        item = self.items[anchor]
        indent = page.indent(self.items[0].start)
        followed = anchor != self.kept[-1] or self.last_comma
        position = page.after_deeper_comments(page.line_end(item.stop), len(indent))
        texts = [indent + self.rendered(added, indent) for added in group]
        line_break = self.style.line_break
        text = ("," + line_break).join(texts) + ("," if followed else "") + line_break
        yield self.piece(position, position, text, AFTER)

    def in_front(self, group: list[Added]) -> Iterator[Piece]:
        """New entries that no kept item stands before."""
        page = self.page
        first = self.items[self.kept[0] if self.kept else 0]
        comma = self.kept or self.last_comma
        indent = page.indent(first.start)
        texts = [self.rendered(added, indent) for added in group]
        if page.first_on_line(first.start) and (self.lines or self.kept):
            start = page.line_start(first.start)
            joined = ("," + self.style.line_break).join(indent + text for text in texts)
            yield self.piece(start, start, joined + ("," if comma else "") + self.style.line_break, BEFORE)
        elif self.kept:
            joined = "".join(text + self.style.comma for text in texts)
            yield self.piece(first.start, first.start, joined, BEFORE)
        else:
            # Only comments are left between the brackets.
            touching = " " if page.text[self.open] == "#" else ""
            joined = self.style.comma.join(texts) + ("," if self.last_comma else "") + touching
            yield self.piece(self.open, self.open, joined, BEFORE)

    def into_empty(self) -> Iterator[Piece]:
        page = self.page
        indent = page.indent(self.open)
        inside = page.text[self.open : self.close]
        container = self.change.container
        value: Plain = [added.value for added in self.change.added]
        if container.kind == MAP:
            value = {str(added.key): added.value for added in self.change.added}
        text = flow_value(value, self.style, indent)[1:-1]
        if not inside.strip():
            yield self.piece(self.open, self.close, text)
        else:
            yield self.piece(self.open, self.open, text + (" " if inside[0] == "#" else ""))


def plan_flow(sheet: Sheet, change: Change) -> list[Piece]:
    """The pieces that remove and add entries of a flow collection; raises Refused."""
    flow = _Flow(sheet, change)
    return [*flow.removals(), *flow.commas(), *flow.additions()]


def fill_flow(sheet: Sheet, change: Change, index: int) -> list[Piece]:
    """The pieces that write a value in the place of a null in a flow collection."""
    page = sheet.page
    value, group = change.filled[index]
    container = change.container
    _, _, items = items_of(page, container)
    null = sheet.value(container, index)
    style = flow_style(page, sheet.tree, container, lines=page.first_on_line(items[index].start))
    text = flow_value(value, style, page.indent(null.start))
    at = rank(INLINE, sheet.tree.depth(null))
    if container.kind == SEQ:
        return [Piece(page.properties_end(null), null.end, text, at, group)]
    key = container.items[2 * index]
    colon = colon_in(page, key)
    if colon is None:
        return [Piece(key.end, key.end, style.colon + text, at, group)]
    if null.end > null.start:
        start = page.properties_end(null)
        blank = " " if start > null.start else ""
        return [Piece(page.body(null) if not blank else start, null.end, blank + text, at, group)]
    # In two pieces: an entry that is added behind this one stands at the colon, too.
    written = Piece(colon, colon, style.colon[1:] + text, at, group)
    blanks = _BLANKS.match(page.text, colon)
    stop = min(blanks.end() if blanks else colon, null.start)
    return [written, Piece(colon, stop, "", at, group)] if stop > colon else [written]
