"""From the checked tree to Python closures: what a selector gives on a device.

A closure takes the frame: the device's map, the budget of steps, then one slot for each variable of
a macro. CEL has no recursion, so all slots are known beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dralint.cel.device.access import has, no_such_key, select
from dralint.cel.device.limits import Budget
from dralint.cel.device.registry import implementations
from dralint.cel.device.tree import (
    Call,
    Comprehension,
    Const,
    Ident,
    ListLiteral,
    MapLiteral,
    Node,
    Select,
)
from dralint.cel.device.values import (
    EMPTY,
    CelError,
    LimitReached,
    Optional,
    TypeValue,
    Uint,
    to_key,
    type_name,
)

Frame = list[Any]
Run = Callable[[Frame], Any]

DEVICE, BUDGET, FIRST_SLOT = 0, 1, 2
NOT_CONSTANT = object()
_MAPS = {"device.attributes": "attributes", "device.capacity": "capacity"}
_KEYS = frozenset((str, int, bool))


class Compiler:
    """Makes the closures of trees; `slots` is the length of the frame that they need, `size` their number.

    loops  the steps that one round of a macro takes from the budget, by node id
    """

    def __init__(self, loops: Mapping[int, int]) -> None:
        self.loops = loops
        self.slots = FIRST_SLOT
        self.size = 0
        self.scope: dict[str, Run] = {}
        self._constants: dict[int, Any] = {}

    def slot(self) -> int:
        """A new place in the frame."""
        self.slots += 1
        return self.slots - 1

    def compile(self, node: Node) -> Run:
        """The closure of a node."""
        self.size += 1
        value = self.constant(node)
        if value is not NOT_CONSTANT:
            return lambda _: value
        match node:
            case Ident():
                return self._ident(node)
            case Select():
                return _select(self, node)
            case Call():
                from dralint.cel.device.calls import compile_call

                return compile_call(self, node)
            case ListLiteral():
                return _list(self, node)
            case MapLiteral():
                return _map(self, node)
            case Comprehension():
                from dralint.cel.device.folds import compile_fold

                return compile_fold(self, node)
        raise AssertionError(node)

    def _ident(self, node: Ident) -> Run:
        name = node.name
        if name in self.scope:
            return self.scope[name]
        if name == "device":
            return lambda frame: frame[DEVICE]
        if name in _MAPS:
            which = _MAPS[name]
            return lambda frame: frame[DEVICE][which]
        value = TypeValue(name)
        return lambda _: value

    def constant(self, node: Node) -> Any:
        """The value of a node that holds literals only and does not fail, else NOT_CONSTANT."""
        if node.id not in self._constants:
            self._constants[node.id] = self._evaluated(node)
        return self._constants[node.id]

    def _evaluated(self, node: Node) -> Any:
        match node:
            case Const():
                return node.value
            case ListLiteral() if not node.optional:
                items = [self.constant(item) for item in node.items]
                return NOT_CONSTANT if any(item is NOT_CONSTANT for item in items) else items
            case Call():
                args = [self.constant(part) for part in parts(node)]
                if not args or any(arg is NOT_CONSTANT for arg in args):
                    return NOT_CONSTANT
                implementation = implementations(node.function)[0].get(tuple(map(type, args)))
                try:
                    return implementation(*args) if implementation else NOT_CONSTANT
                except (CelError, LimitReached):
                    return NOT_CONSTANT
        return NOT_CONSTANT

    def frame(self, device: Mapping[str, Any], budget: Budget) -> Frame:
        """A fresh frame for one evaluation."""
        return [device, budget, *[None] * (self.slots - FIRST_SLOT)]


def parts(call: Call) -> tuple[Node, ...]:
    """What a call is made with: the receiver of a method first."""
    return call.args if call.target is None else (call.target, *call.args)


def domain_of(node: Node) -> tuple[str, str] | None:
    """(map, domain) of `device.attributes["domain"]`, also by a select and of capacity; else None."""
    match node:
        case Call(_, "_[_]", None, (Ident(_, name), Const(_, str(domain)))) if name in _MAPS:
            return _MAPS[name], domain
        case Select(_, Ident(_, name), domain, False) if name in _MAPS:
            return _MAPS[name], domain
    return None


def compile_attribute(node: Node, operand: Node, name: str) -> Run | None:
    """The closure of `device.attributes["domain"].name`, which is what most selectors are made of."""
    found = domain_of(operand)
    if found is None:
        return None
    (which, domain), id_ = found, node.id

    def attribute(frame: Frame) -> Any:
        try:
            return frame[DEVICE][which][domain][name]
        except KeyError:
            error = no_such_key(name)
            error.node = id_
            raise error from None

    return attribute


def _select(compiler: Compiler, node: Select) -> Run:
    field, id_ = node.field, node.id
    operand = compiler.compile(node.operand)
    if node.test:
        return lambda frame: has(operand(frame), field)
    attribute = compile_attribute(node, node.operand, field)
    if attribute:
        return attribute

    def run(frame: Frame) -> Any:
        try:
            return select(operand(frame), field)
        except CelError as error:
            if error.node is None:
                error.node = id_
            raise

    return run


def _list(compiler: Compiler, node: ListLiteral) -> Run:
    items = [compiler.compile(item) for item in node.items]
    if not node.optional:
        return lambda frame: [item(frame) for item in items]
    optional = [index in node.optional for index in range(len(items))]

    def run(frame: Frame) -> list[Any]:
        made: list[Any] = []
        for item, maybe in zip(items, optional, strict=True):
            value = item(frame)
            if not maybe:
                made.append(value)
            elif type(value) is not Optional:
                raise CelError(
                    f"cannot initialize optional list element from non-optional value {type_name(value)}"
                )
            elif value is not EMPTY:
                made.append(value.value)
        return made

    return run


def _map(compiler: Compiler, node: MapLiteral) -> Run:
    entries = [
        (compiler.compile(entry.key), compiler.compile(entry.value), entry.optional) for entry in node.entries
    ]

    def run(frame: Frame) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key_of, value_of, maybe in entries:
            key, value = key_of(frame), value_of(frame)
            if type(key) not in _KEYS and type(key) is not Uint:
                raise CelError(f"unsupported key type: {type_name(key)}")
            if maybe:
                if type(value) is not Optional:
                    raise CelError(
                        f"cannot initialize optional entry '{key}' from non-optional value {type_name(value)}"
                    )
                if value is EMPTY:
                    continue
                value = value.value
            made[to_key(key)] = value
        return made

    return run
