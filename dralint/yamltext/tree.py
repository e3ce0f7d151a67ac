"""One walk over a document: who contains whom, which aliases stand for what, where block scalars are."""

from __future__ import annotations

from dralint.yamltext.node import ALIAS, MAP, SCALAR, SEQ, Node, pairs


def is_block_sequence(node: Node) -> bool:
    return node.kind == SEQ and not node.style and bool(node.items)


class Tree:
    """What nodes do not say themselves.

    root       the top node
    parents    id of a node -> the collection it is written in and its index in `items`
    aliases    id of a node -> the alias nodes that stand for it
    scalars    block scalars, in the order of the text
    sequences  block sequences that are values of block mappings, in the order of the text: (key, sequence)
    siblings   id of a block mapping -> those among `sequences` that are values of it
    steps      id of a mapping -> the indent below it, as `style` found it
    """

    __slots__ = ("aliases", "parents", "root", "scalars", "sequences", "siblings", "steps")

    def __init__(self, root: Node) -> None:
        self.root = root
        self.parents: dict[int, tuple[Node, int]] = {}
        self.aliases: dict[int, list[Node]] = {}
        self.scalars: list[Node] = []
        self.sequences: list[tuple[Node, Node]] = []
        self.siblings: dict[int, list[tuple[Node, Node]]] = {}
        self.steps: dict[int, int | None] = {}
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if node.kind == ALIAS:
                self.aliases.setdefault(id(node.items[0]), []).append(node)
            elif node.kind == SCALAR:
                if node.style in ("|", ">"):
                    self.scalars.append(node)
            else:
                for index, child in enumerate(node.items):
                    self.parents[id(child)] = (node, index)
                waiting.extend(reversed(node.items))
                if node.kind == MAP and not node.style:
                    found = [each for each in pairs(node) if is_block_sequence(each[1])]
                    if found:
                        self.siblings[id(node)] = found
                        self.sequences += found
        self.sequences.sort(key=lambda each: each[1].start)

    def depth(self, node: Node) -> int:
        """How many collections a node stands in."""
        depth = 0
        while found := self.parents.get(id(node)):
            node = found[0]
            depth += 1
        return depth


def subtree(node: Node) -> list[Node]:
    """A node and everything written inside it; aliases are leaves."""
    found = [node]
    for each in found:
        if each.kind in (MAP, SEQ):
            found.extend(each.items)
    return found
