"""Which attribute of the device a failed evaluation asked for, and where in the text."""

from __future__ import annotations

from typing import Any, NamedTuple

from dralint.cel.device.evaluate import domain_of
from dralint.cel.device.folds import is_bind
from dralint.cel.device.tree import Call, Checked, Comprehension, Ident, Node, Select
from dralint.cel.device.validate import children

_MAX_HOPS = 32


class Origin(NamedTuple):
    """Where an error arose.

    offset     in code points from 0
    map        "attributes" or "capacity", where the missing key is one of these; else None
    domain     the key before the missing one
    """

    offset: int
    map: str | None = None
    domain: str | None = None


class Origins:
    """Looks nodes of one tree up."""

    def __init__(self, checked: Checked, expression: str) -> None:
        self._checked = checked
        self._expression = expression
        self._nodes: dict[int, Node] = {}
        self._bound: dict[str, Node] = {}
        self._known: dict[tuple[int | None, Any], Origin] = {}

    def find(self, node_id: int | None, key: Any) -> Origin:
        """The origin of an error at a node, with the key that was missing."""
        if (node_id, key) not in self._known:
            if not self._nodes:
                self._index(self._checked.root)
            self._known[node_id, key] = self._find(node_id, key)
        return self._known[node_id, key]

    def _index(self, node: Node) -> None:
        self._nodes[node.id] = node
        if isinstance(node, Comprehension) and is_bind(node):
            self._bound[node.accumulator] = node.init
        for child in children(node):
            self._index(child)

    def _find(self, node_id: int | None, key: Any) -> Origin:
        node = self._nodes.get(node_id) if node_id is not None else None
        if node is None:
            return Origin(0)
        offset = self._checked.positions.get(node.id, 0)
        operand: Node | None = None
        if isinstance(node, Select):
            operand = node.operand
            # The node's place is its dot.
            rest = self._expression[offset:]
            offset += len(rest) - len(rest.lstrip(".? \t\r\n"))
        elif isinstance(node, Call) and node.function == "_[_]":
            operand = node.args[0]
        for _ in range(_MAX_HOPS):
            if not isinstance(operand, Ident) or operand.name not in self._bound:
                break
            operand = self._bound[operand.name]
        found = domain_of(operand) if operand is not None and isinstance(key, str) else None
        return Origin(offset, *found) if found else Origin(offset)
