"""What Kubernetes refuses after the type check: result type, mixed literals, literals that cannot work.

Sources: dynamic-resource-allocation/cel/compile.go (result); cel-go cel/validator.go, ext/strings.go (format),
interpreter/decorators.go (constant folding), all switched on in apiserver/pkg/cel/environment/base.go.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from dralint.cel.device.celtypes import BOOL, DYN, Type, show
from dralint.cel.device.evaluate import NOT_CONSTANT, parts
from dralint.cel.device.registry import implementations
from dralint.cel.device.tree import (
    Call,
    Checked,
    Comprehension,
    Const,
    Ident,
    ListLiteral,
    MapLiteral,
    Node,
    Select,
)
from dralint.cel.device.values import CelError, LimitReached

_CONVERSIONS = frozenset(
    ("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint")
)
_PATTERNS = frozenset(("matches", "find", "findAll"))


class Fault(NamedTuple):
    """Something that does not compile: what, and the node to point at (None: the whole expression)."""

    what: str
    node: int | None
    kind: str


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below."""
    match node:
        case Select():
            yield node.operand
        case Call():
            yield from parts(node)
        case ListLiteral():
            yield from node.items
        case MapLiteral():
            for entry in node.entries:
                yield entry.key
                yield entry.value
        case Comprehension():
            yield from (node.range, node.init, node.condition, node.step, node.result)


def faults(checked: Checked, attribute: Type, hidden: frozenset[str]) -> list[Fault]:
    """Everything that is wrong with a checked expression.

    attribute  the type of an attribute: any, or dyn where attributes can be lists
    hidden     names of messages that are no identifiers
    """
    walk = _Walk(checked, hidden)
    walk.visit(checked.root, exempt=False)
    found = walk.found
    kind = checked.type(checked.root)
    if kind not in (BOOL, attribute) and not (kind == DYN and walk.loosely_typed):
        found.append(
            Fault(f"must evaluate to bool or the unknown type, not {show(kind)}", None, "result-type")
        )
    return found


def _alike(left: Type, right: Type) -> bool:
    """Whether a value of one type may be looked for among those of the other."""
    if left[0] in ("any", "dyn") or right[0] in ("any", "dyn"):
        return True
    return left[0] == right[0] and len(left) == len(right) and all(map(_alike, left[1:], right[1:]))


class _Walk:
    def __init__(self, checked: Checked, hidden: frozenset[str]) -> None:
        self.found: list[Fault] = []
        self.loosely_typed = False
        self._checked = checked
        self._hidden = hidden

    def _report(self, what: str, node: Node, kind: str) -> None:
        self.found.append(Fault(what, node.id, kind))

    def visit(self, node: Node, exempt: bool) -> None:
        match node:
            case Const(_, float(value)) if math.isinf(value):
                self._report("invalid double literal", node, "literal")
            case Ident(_, name) if name in self._hidden:
                self._report(f"undeclared reference to '{name}'", node, "undeclared")
            case Select(_, operand, "attributes" | "capacity", _):
                # A message cannot say `any`: below another name for the device everything is dyn.
                self.loosely_typed |= self._checked.type(operand)[0] == "kubernetes.DRADevice"
            case ListLiteral():
                if not exempt:
                    self._same_types(
                        [(item, index in node.optional) for index, item in enumerate(node.items)]
                    )
            case MapLiteral():
                if node.message:
                    self._report(f"undeclared reference to '{node.message}'", node, "undeclared")
                elif not exempt:
                    self._same_types([(entry.key, False) for entry in node.entries])
                    self._same_types([(entry.value, entry.optional) for entry in node.entries])
            case Call():
                self._call(node)
                exempt = exempt or node.function == "format"
        for child in children(node):
            self.visit(child, exempt)

    def _same_types(self, items: list[tuple[Node, bool]]) -> None:
        wanted: Type | None = None
        for item, optional in items:
            kind = self._checked.type(item)
            if optional and len(kind) > 1:
                kind = kind[1]
            if wanted is None:
                wanted = kind
            elif kind != wanted:
                what = f"expected type '{show(wanted)}' but found '{show(kind)}'"
                self._report(what, item, "mixed-literal")
                return

    def _call(self, node: Call) -> None:
        if node.function == "matches" and node.target is None:
            # cel-go checks the first argument, which is no pattern in this form.
            self._pattern(node, node.args[0])
        if node.function in _PATTERNS and len(parts(node)) > 1:
            self._pattern(node, parts(node)[1])
        if node.function in _CONVERSIONS:
            self._conversion(node)
        if node.function in ("indexOf", "lastIndexOf"):
            self._search(node)
        if node.function == "format":
            from dralint.cel.device.validate_format import format_faults

            self.found += format_faults(self._checked, node)

    def _pattern(self, node: Call, literal: Node) -> None:
        if isinstance(literal, Const) and isinstance(literal.value, str):
            from dralint.cel.device.patterns import compiled

            try:
                compiled(literal.value)
            except CelError as error:
                self._report(f"invalid {node.function} argument: {error.message}", literal, "literal")
            except LimitReached:
                pass

    def _conversion(self, node: Call) -> None:
        """Conversions of constants are computed beforehand, wherever they stand."""
        try:
            self._folded(node)
        except CelError as error:
            argument = node.args[0]
            if node.function in ("duration", "timestamp") and isinstance(argument, Const):
                self._report(f"invalid {node.function} argument: {error.message}", argument, "literal")
            else:
                self._report(error.message, node, "literal")

    def _folded(self, node: Node) -> Any:
        """The value of what cel-go's planner takes for a constant, else NOT_CONSTANT; raises CelError."""
        if isinstance(node, Const):
            return node.value
        if isinstance(node, ListLiteral) and not node.optional:
            items = [self._folded(item) for item in node.items]
            return NOT_CONSTANT if any(item is NOT_CONSTANT for item in items) else items
        if isinstance(node, Call) and node.function in _CONVERSIONS and node.target is None:
            (value,) = map(self._folded, node.args)
            if value is not NOT_CONSTANT:
                table, generic = implementations(node.function)
                convert = table.get((type(value),))
                return convert(value) if convert else generic([0], value) if generic else NOT_CONSTANT
        return NOT_CONSTANT

    def _search(self, node: Call) -> None:
        """Our checker knows the search in lists for any element only."""
        if node.target is None or not node.args:
            return
        kind, wanted = self._checked.type(node.target), self._checked.type(node.args[0])
        if kind[0] == "list" and not _alike(kind[1], wanted):
            what = (
                f"found no matching overload for '{node.function}' applied to '{show(kind)}.({show(wanted)})'"
            )
            self._report(what, node, "no-overload")
