"""YAML nodes with the exact range of text they came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

SCALAR, MAP, SEQ, ALIAS = range(4)
KIND_NAMES = ("scalar", "mapping", "sequence", "alias")


class Node:
    """One YAML node; a slots class because a large file makes a hundred thousand of them.

    kind    SCALAR, MAP, SEQ or ALIAS
    text    a scalar's value after unquoting, an alias's name; "" otherwise
    items   MAP: key, value, key, value... in file order, duplicates kept; SEQ: the items;
            ALIAS: exactly one node, the target; SCALAR: empty
    start   offset of the first character in the file's text (an anchor or tag is part of the span)
    end     offset after the last character. For block collections and block scalars it may run
            over blank lines and comments that follow: use `page.content_end`
    style   scalar: "" plain, "'", '"', "|" or ">"; collection: "" block, "{" or "[" flow
    anchor  name of the anchor, or None
    tag     explicit tag, or None
    """

    __slots__ = ("anchor", "cache", "end", "items", "kind", "start", "style", "tag", "text")

    def __init__(
        self,
        kind: int,
        text: str,
        items: Sequence[Node],
        start: int,
        end: int,
        style: str,
        anchor: str | None = None,
        tag: str | None = None,
    ) -> None:
        self.kind = kind
        self.text = text
        self.items = items
        self.start = start
        self.end = end
        self.style = style
        self.anchor = anchor
        self.tag = tag
        self.cache: object = None

    def __repr__(self) -> str:
        content = repr(self.text) if self.kind in (SCALAR, ALIAS) else f"{len(self.items)} nodes"
        return f"<{KIND_NAMES[self.kind]} {content} {self.start}:{self.end}>"

    @property
    def flow(self) -> bool:
        return self.style in ("{", "[")


def pairs(mapping: Node) -> Iterator[tuple[Node, Node]]:
    """The (key, value) nodes of a mapping in file order, duplicates and merge keys included."""
    items = mapping.items
    for index in range(0, len(items), 2):
        yield items[index], items[index + 1]


def deref(node: Node) -> Node:
    """The node itself, or the node an alias stands for."""
    while node.kind == ALIAS:
        node = node.items[0]
    return node
