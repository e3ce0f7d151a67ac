"""From the tree of a parsed expression to its parts: what it reads and compares, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from dralint.cel.device.extents import Extents
from dralint.cel.device.folds import is_bind
from dralint.cel.device.parts import Comparison, Constant, Form, Key, Read
from dralint.cel.device.tree import Call, Comprehension, Const, Ident, ListLiteral, Node, Select
from dralint.cel.device.validate import children

_MAPS = ("attributes", "capacity", "driver")
_ACCESS = {"_[_]": False, "_[?_]": True, "_?._": True}
_ORDER = ("<", "<=", ">", ">=")
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "in": "not in"}
_METHODS = {"isGreaterThan": ">", "isLessThan": "<"}
_TEXT_METHODS = ("contains", "startsWith", "endsWith", "matches", "equals", "includes")
_WRAPPERS = ("quantity", "semver")
# A bound name that stands for another one, and so on.
_MOST_HOPS = 16


class _Place(NamedTuple):
    """Where in the logic of the expression a node stands; see Comparison and Anatomy."""

    sign: int = 1
    certain: bool = True
    condition: bool = False


_ROOT = _Place(condition=True)


class Walk:
    """Collects the parts of a tree; `visit` its root."""

    def __init__(self, extents: Extents) -> None:
        self._extents = extents
        self._bound: dict[str, Node] = {}
        self.reads: list[Read] = []
        self.comparisons: list[Comparison] = []
        self.guards: set[tuple[str, str, str]] = set()
        self.calls: list[Constant] = []
        self.conditions: list[Read] = []

    def visit(self, node: Node, place: _Place = _ROOT) -> None:
        """Look at a node and at everything below it."""
        found = self._read(node, used=True)
        if found is not None:
            if place.condition:
                self.conditions.append(found)
            return
        match node:
            case Call(_, "_&&_" | "_||_", _, args):
                decides = (node.function == "_&&_") == (place.sign > 0) and place.sign != 0
                for each in args:
                    self.visit(each, _Place(place.sign, place.certain and decides, place.condition))
                return
            case Call(_, "!_", _, (arg,)):
                self.visit(arg, _Place(-place.sign, place.certain, place.condition))
                return
            case Comprehension() if is_bind(node):
                self._visit_bind(node, place)
                return
            case Call():
                self._call(node, place)
        for child in children(node):
            self.visit(child, _Place(0, certain=False))

    def _visit_bind(self, node: Comprehension, place: _Place) -> None:
        if self._read(node.init, used=False) is None:
            self.visit(node.init, _Place(0, certain=False))
        before = self._bound.get(node.accumulator)
        self._bound[node.accumulator] = node.init
        self.visit(node.result, place)
        self._bound.pop(node.accumulator)
        if before is not None:
            self._bound[node.accumulator] = before

    # What is read

    def _chain(self, node: Node, hops: int = 0) -> tuple[list[Key], bool] | None:
        """The steps from `device`, and whether all stand in the text here; None: it is something else."""
        if isinstance(node, Ident):
            if node.name == "device":
                return [], True
            bound = self._bound.get(node.name)
            below = self._chain(bound, hops + 1) if bound is not None and hops < _MOST_HOPS else None
            return (below[0], False) if below else None
        if isinstance(node, Select):
            below = self._chain(node.operand, hops)
            return (self._step(below, node, node.field, optional=False)) if below else None
        if isinstance(node, Call) and node.function in _ACCESS:
            below = self._chain(node.args[0], hops)
            key = node.args[1]
            text = key.value if isinstance(key, Const) and isinstance(key.value, str) else None
            return self._step(below, node, text, optional=_ACCESS[node.function]) if below else None
        return None

    def _step(
        self, below: tuple[list[Key], bool], node: Node, text: str | None, *, optional: bool
    ) -> tuple[list[Key], bool]:
        keys, written = below
        return [*keys, Key(text, optional, self._extents.key(node))], written

    def _read(self, node: Node, *, used: bool) -> Read | None:
        found = self._made(node, used=used)
        if found is not None:
            self.reads.append(found)
            if found.guarded:
                self._guard(found.map, found.domain, found.name)
            self._keys(node)
        return found

    def _made(self, node: Node, *, used: bool = True) -> Read | None:
        chain = self._chain(node)
        if chain is None or not chain[0]:
            return None
        (first, *keys), written = chain
        which: Any = first.text if first.text in _MAPS else "other"
        tested = isinstance(node, Select) and node.test
        of_device = keys if which != "other" else [first, *keys]
        return Read(which, tuple(of_device), tested, written, used and not tested, self._extents.of(node))

    def _keys(self, node: Node) -> None:
        """Expressions inside of brackets."""
        while isinstance(node, (Select, Call)):
            if isinstance(node, Call):
                if not isinstance(node.args[1], Const):
                    self.visit(node.args[1], _Place(0, certain=False))
                node = node.args[0]
            else:
                node = node.operand

    def _guard(self, which: str, domain: str | None, name: str | None) -> None:
        self.guards.add((which, domain or "", name or ""))

    # What is compared

    def _constant(self, node: Node) -> Constant | None:
        if isinstance(node, Const):
            place = self._extents.of(node)
            return Constant(node.value, "", False, place, place)
        if isinstance(node, Call) and node.function in _WRAPPERS and node.target is None and node.args:
            inner = node.args[0]
            lenient = len(node.args) > 1 and isinstance(node.args[1], Const) and node.args[1].value is True
            if isinstance(inner, Const):
                return Constant(
                    inner.value, node.function, lenient, self._extents.of(inner), self._extents.of(node)
                )
        return None

    def _constants(self, nodes: Sequence[Node]) -> tuple[Constant, ...] | None:
        found = [self._constant(each) for each in nodes]
        known = tuple(each for each in found if each is not None)
        return known if known and len(known) == len(found) else None

    def _through(self, node: Node) -> tuple[Read, tuple[str, ...]] | None:
        """The read at the root of a chain of methods."""
        names: list[str] = []
        while isinstance(node, Call) and node.target is not None:
            names.append(node.function)
            node = node.target
        found = self._made(node)
        return (found, tuple(reversed(names))) if found else None

    def _call(self, node: Call, place: _Place) -> None:
        call = self._constant(node)
        if call is not None and call.function:
            self.calls.append(call)
        operator = node.function.removeprefix("@").strip("_")
        if operator in _FLIPPED and len(node.args) == 2:
            self._operator(node, operator, place)
        elif operator == "in":
            self._in(node, place)
        elif node.target is not None and (node.function in _METHODS or node.function in _TEXT_METHODS):
            self._method(node, place)

    def _operator(self, node: Call, operator: str, place: _Place) -> None:
        left, right = node.args
        for subject, other, swapped in ((left, right, False), (right, left, True)):
            as_meant = _FLIPPED[operator] if swapped else operator
            if (
                isinstance(subject, Call)
                and subject.function == "compareTo"
                and subject.target is not None
                and isinstance(other, Const)
                and other.value == 0
            ):
                self._add(
                    node, "difference", as_meant, operator, subject.target, subject.args, swapped, place
                )
                return
            if self._constant(other) is not None:
                self._add(node, "operator", as_meant, operator, subject, (other,), swapped, place)
                return

    def _in(self, node: Call, place: _Place) -> None:
        left, right = node.args
        if isinstance(right, ListLiteral):
            self._add(node, "operator", "in", "in", left, right.items, False, place)
            return
        found = self._made(right)
        key = self._constant(left)
        if found is not None and key is not None and isinstance(key.value, str) and len(found.keys) < 2:
            names = [found.domain, key.value] if found.keys else [key.value, None]
            self._guard(found.map, *names)

    def _method(self, node: Call, place: _Place) -> None:
        assert node.target is not None
        meant = _METHODS.get(node.function, node.function)
        self._add(node, "method", meant, node.function, node.target, node.args, False, place)

    def _add(
        self,
        node: Call,
        form: Form,
        operator: str,
        written: str,
        subject: Node,
        others: Sequence[Node],
        swapped: bool,
        place: _Place,
    ) -> None:
        base, constants = self._through(subject), self._constants(others)
        if base is None or constants is None:
            return
        whole = self._extents.of(node)
        place_of_subject = self._extents.with_parentheses(subject)
        method = form == "method"
        sign_range = (place_of_subject[1], whole[1]) if method else self._extents.operator(node)
        self.comparisons.append(
            Comparison(
                base[0],
                _NEGATED.get(operator, f"not {operator}") if place.sign < 0 else operator,
                written,
                form,
                base[1],
                constants,
                swapped,
                place.certain,
                place.sign,
                whole,
                place_of_subject,
                sign_range,
            )
        )
