"""The comments of a text: every `#` that stands in no scalar, with what stands before it on its line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from dralint.yamltext.compose import Document, compose
from dralint.yamltext.node import SCALAR, Node
from dralint.yamltext.tree import subtree

_BEFORE_OWN = " \t-"


class Comment(NamedTuple):
    """A comment, from its `#` to the end of its line.

    alone  it has the line to itself, or shares it with dashes only (`---`, `- # like this`)
    """

    start: int
    end: int
    alone: bool


def _content(text: str, node: Node) -> tuple[int, int]:
    """The range of a scalar in which a `#` is no comment; a block scalar's first line may end in one."""
    if node.style not in ("|", ">"):
        return node.start, node.end
    first = text.find("\n", node.start, node.end)
    return (first, node.end) if first >= 0 else (node.end, node.end)


def _scalars(text: str, root: Node) -> list[tuple[int, int]]:
    """The ranges of scalars that hold a `#`, in the order of the text."""
    ranges = (_content(text, node) for node in subtree(root) if node.kind == SCALAR)
    return sorted(each for each in ranges if text.find("#", *each) >= 0)


def _read(text: str, document: Document) -> tuple[Document, int]:
    """The document, read now if it was not wanted before, and the offset its nodes count from."""
    if document.root is not None or document.problem is not None:
        return document, 0
    read = compose(text[document.start : document.end])
    return (read[0], document.start) if len(read) == 1 else (document, 0)


def comments(text: str, document: Document) -> Iterator[Comment]:
    """The comments of one document of a text, in order; of one that cannot be read those on own lines."""
    read, base = _read(text, document)
    piece = text[base:] if base else text
    scalars = [(start + base, end + base) for start, end in _scalars(piece, read.root)] if read.root else []
    starts = [start for start, _ in scalars]
    known = read.problem is None
    at = text.find("#", document.start, document.end)
    while at >= 0:
        line = text.rfind("\n", 0, at) + 1
        before = text[max(line, document.start) : at]
        inside = bisect_right(starts, at) - 1
        position = at + 1
        if not before or before[-1] in " \t":
            alone = not before.strip(_BEFORE_OWN)
            if (known or alone) and not (inside >= 0 and at < scalars[inside][1]):
                end = text.find("\n", at, document.end)
                end = document.end if end < 0 else end
                yield Comment(at, end, alone)
                position = end
        at = text.find("#", position, document.end)
