"""Edits of a flow mapping or sequence: YAML's `{...}`, KYAML and JSON, on one line or on many."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from dralint.yamltext.action import Added, Change
from dralint.yamltext.flow_items import Item, colon_in, items_of
from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.piece import AFTER, BEFORE, INLINE, Piece, Refused, rank
from dralint.yamltext.render import flow_entry, flow_value
from dralint.yamltext.sheet import Sheet
from dralint.yamltext.style import flow_style
from dralint.yamltext.tree import subtree
from dralint.yamltext.view import Plain

_BLANKS = re.compile(r"[ \t]*")


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
        self.lines = (
            first is not None and self.page.first_on_line(first.start) and self.page.first_on_line(self.close)
        )
        if first is not None and not sheet.root.style and "\t" in self.page.indent(first.start):
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
        return self.page.first_on_line(item.start) and self.page.last_on_line(item.stop)

    def cut(self, start: int, end: int, nodes: list[Node]) -> Iterator[Piece]:
        """Cut [start, end), except for comment lines in it."""
        scalars = [node for top in nodes for node in subtree(top) if node.kind == SCALAR]
        position = start
        for begin, stop in self.page.own_line_comments(start, end, scalars):
            # The line break before a comment stays where it ends what is left of the line above.
            whole_line = position == self.page.line_start(position)
            upto = begin if whole_line else self.page.text_end(begin - 1)
            if position < upto:
                yield self.piece(position, upto, "")
            position = stop
        if position < end:
            yield self.piece(position, end, "")

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
            start = page.before_blanks(start)
        yield from self.cut(start, end, item.nodes)

    def cut_before(self, index: int) -> bool:
        """Whether the item before goes, too, and takes the blanks between with it."""
        if index - 1 not in self.change.removed:
            return False
        return "\n" not in self.page.text[self.items[index - 1].stop : self.items[index].start]

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
            before = bisect_left(self.kept, added.gap) - 1
            by_anchor.setdefault(self.kept[before] if before >= 0 else -1, []).append(added)
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


def fill_flow(sheet: Sheet, change: Change) -> list[Piece]:
    """The pieces that write values in the places of nulls in a flow collection; raises Refused."""
    if not change.filled:
        return []
    _, _, items = items_of(sheet.page, change.container)
    return [piece for index in change.filled for piece in _fill(sheet, change, index, items)]


def _fill(sheet: Sheet, change: Change, index: int, items: list[Item]) -> list[Piece]:
    page = sheet.page
    value, group = change.filled[index]
    container = change.container
    null = sheet.value(container, index)
    style = flow_style(page, sheet.tree, container, lines=page.first_on_line(items[index].start))
    text = flow_value(value, style, page.indent(null.start))
    at = rank(INLINE, sheet.tree.depth(null))
    if null.end > null.start:
        start = page.properties_end(null)
        blank = " " if start > null.start else ""
        return [Piece(start, null.end, blank + text, at, group)]
    key = container.items[2 * index]
    colon = colon_in(page, key)
    if colon is None:
        return [Piece(key.end, key.end, style.colon + text, at, group)]
    # In two pieces: an entry that is added behind this one stands at the colon, too.
    written = Piece(colon, colon, style.colon[1:] + text, at, group)
    blanks = _BLANKS.match(page.text, colon)
    stop = min(blanks.end() if blanks else colon, null.start)
    return [written, Piece(colon, stop, "", at, group)] if stop > colon else [written]
