"""One document that is to be edited: its page, its tree, and the entries of its mappings by key."""

from __future__ import annotations

from dralint.yamltext.compose import Document
from dralint.yamltext.node import MAP, SCALAR, SEQ, Node, deref, pairs
from dralint.yamltext.page import Page
from dralint.yamltext.piece import Refused
from dralint.yamltext.scalars import is_merge_key, key_text, resolve
from dralint.yamltext.tree import Tree
from dralint.yamltext.view import Path, entries


class Sheet:
    """A document with what editing it needs; raises Refused where it must not be edited at all."""

    __slots__ = ("_merges", "_positions", "document", "page", "root", "tree")

    def __init__(self, page: Page, document: Document) -> None:
        if document.template:
            raise Refused("a template is never edited", document.start)
        if document.root is None:
            what = document.problem.what if document.problem else "the document is empty or was not read"
            raise Refused(what, document.problem.offset if document.problem else document.start)
        if "\ufeff" in page.text[document.start : document.end]:
            inner = page.text.index("\ufeff", document.start)
            raise Refused("a byte order mark stands inside the document", inner)
        self.page = page
        self.document = document
        self.root: Node = document.root
        self.tree = Tree(document.root)
        self._positions: dict[int, dict[str, list[int]]] = {}
        self._merges: dict[int, list[Node]] = {}

    def positions(self, mapping: Node) -> dict[str, list[int]]:
        """The entry numbers of every key a mapping writes itself, merge keys aside."""
        found = self._positions.get(id(mapping))
        if found is None:
            found = {}
            for index, (key, _) in enumerate(pairs(mapping)):
                name = None if is_merge_key(key) else key_text(deref(key))
                if name is not None:
                    found.setdefault(name, []).append(index)
            self._positions[id(mapping)] = found
        return found

    def merged(self, mapping: Node, name: str) -> bool:
        """Whether a merge key of the mapping brings in a key of that name, though it may not count."""
        found = self._merges.get(id(mapping))
        if found is None:
            values = [value for key, value in pairs(mapping) if is_merge_key(key)]
            found = [
                each
                for value in values
                for each in (map(deref, value.items) if value.kind == SEQ else [deref(value)])
            ]
            self._merges[id(mapping)] = found
        return any(name in entries(each) for each in found)

    def entry(self, mapping: Node, name: str) -> int | None:
        """The number of the entry with that key, None where there is none; Refused where it is unclear."""
        found = self.positions(mapping).get(name, [])
        if len(found) > 1:
            raise Refused(f"the key {name} stands twice in one mapping", mapping.items[2 * found[0]].start)
        if self.merged(mapping, name):
            raise Refused(f"{name} comes in through a merge key", mapping.start)
        return found[0] if found else None

    def index(self, node: Node, step: str | int) -> int:
        """The number of the entry or item a path's step leads to."""
        if isinstance(step, int):
            if node.kind != SEQ or not 0 <= step < len(node.items):
                raise Refused(f"there is no item {step}", node.start)
            return step
        found = self.entry(node, step) if node.kind == MAP else None
        if found is None:
            raise Refused(f"there is no {step}", node.start)
        return found

    def value(self, node: Node, index: int) -> Node:
        """The value of an entry or the item of that number, as written: perhaps an alias."""
        return node.items[2 * index + 1] if node.kind == MAP else node.items[index]

    def find(self, path: Path) -> Node:
        """The node at a path, as written; every step before the last follows aliases."""
        node = self.root
        for step in path:
            target = deref(node)
            node = self.value(target, self.index(target, step))
        return node


def is_null(node: Node) -> bool:
    return node.kind == SCALAR and resolve(node) is None
