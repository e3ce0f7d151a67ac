"""Where the entries and items of a flow collection and their commas are."""

from __future__ import annotations

from typing import NamedTuple

from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.page import Page
from dralint.yamltext.piece import Refused


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
