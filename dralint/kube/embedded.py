"""Mappings of an object, and of the configurations that its strings hold, with their places in the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dralint.kube.objects import KubeObject, ParsedFile
from dralint.yamltext.compose import Document, compose
from dralint.yamltext.node import ALIAS, MAP, SCALAR, SEQ, Node
from dralint.yamltext.view import Path, entries

# A string that holds a configuration is small, and an object has few of them.
_LONGEST = 100_000
_MOST_STRINGS = 20


class Found(NamedTuple):
    """A mapping.

    path    of the mapping, or of the string that it is the root of
    inside  it comes from a string
    placed  its nodes' offsets are those in the file
    """

    path: Path
    node: Node
    inside: bool
    placed: bool

    def span(self, node: Node) -> tuple[int, int] | None:
        """What to mark for a node of a configuration in a string; None where the path says it all."""
        return (node.start, node.end) if self.inside and self.placed else None


def _move(root: Node, shift: int) -> None:
    """Add to the offsets of a tree, whose nodes are its own."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        node.start += shift
        node.end += shift
        if node.kind != ALIAS:
            waiting.extend(node.items)


def documents_of_string(file: ParsedFile, node: Node) -> Iterator[tuple[Document, bool]]:
    """The documents that a string of the file holds, and whether their offsets are those in the file.

    A literal block keeps its lines, so they can be read where they stand.
    """
    text, placed, begin = node.text, node.style == "|", 0
    if placed:
        begin = file.text.text.find("\n", node.start) + 1
        text = file.text.text[begin : node.end]
    for document in compose(text):
        if placed and document.root is not None:
            _move(document.root, begin)
        yield document, placed


def _in_string(obj: KubeObject, node: Node, path: Path) -> Iterator[Found]:
    """The mappings that are the documents of a string."""
    for document, placed in documents_of_string(obj.file, node):
        if document.root is not None and document.root.kind == MAP and document.problem is None:
            yield Found(path, document.root, inside=True, placed=placed)


def mappings(obj: KubeObject, words: Sequence[str]) -> Iterator[Found]:
    """The mappings of an object, and the roots of its strings that hold all the words; aliases are not followed."""
    if not all(obj.file.holds(word.encode()) for word in words):
        return
    waiting: list[tuple[Path, Node]] = [(obj.path, obj.node)]
    strings = 0
    while waiting:
        path, node = waiting.pop()
        if node.kind == SCALAR:
            telling = "\n" in node.text and all(word in node.text for word in words)
            if telling and len(node.text) < _LONGEST and strings < _MOST_STRINGS:
                strings += 1
                yield from _in_string(obj, node, path)
        elif node.kind == MAP:
            yield Found(path, node, inside=False, placed=True)
            below = [((*path, key), entry.value) for key, entry in entries(node).items() if not entry.merged]
            waiting.extend(reversed(below))
        elif node.kind == SEQ:
            waiting.extend(reversed([((*path, index), item) for index, item in enumerate(node.items)]))
