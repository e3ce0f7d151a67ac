"""The checked expression as a tree, decoded from the bytes that the type checker hands out.

Field numbers: cel-spec, proto/cel/expr/checked.proto and syntax.proto.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from dralint.cel.device import celtypes
from dralint.cel.device.celtypes import Type
from dralint.cel.device.values import Uint
from dralint.cel.device.wire import Fields, blob, blobs, double, fields, number, signed, text

# Python's stack must hold a walk of the tree; the parser's own limit is far below.
MAX_DEPTH = 250


class TooDeep(Exception):
    """The tree is nested more than MAX_DEPTH levels deep."""


class Const(NamedTuple):
    """A literal: None, bool, int, Uint, float, str or bytes."""

    id: int
    value: Any


class Ident(NamedTuple):
    """A variable, or a dotted name that the checker took for one (`device.attributes`)."""

    id: int
    name: str


class Select(NamedTuple):
    """`operand.field`, or with `test` the macro `has(operand.field)`."""

    id: int
    operand: Node
    field: str
    test: bool


class Call(NamedTuple):
    """A function, operator or, with a target, a method."""

    id: int
    function: str
    target: Node | None
    args: tuple[Node, ...]


class ListLiteral(NamedTuple):
    """`[a, ?b]`; optional: the indexes of the items with a question mark."""

    id: int
    items: tuple[Node, ...]
    optional: frozenset[int]


class Entry(NamedTuple):
    """One entry of a map literal."""

    key: Node
    value: Node
    optional: bool


class MapLiteral(NamedTuple):
    """`{a: b, ?c: d}`, or a message literal when it has a name (which no selector may hold)."""

    id: int
    entries: tuple[Entry, ...]
    message: str


class Comprehension(NamedTuple):
    """What every macro becomes: a fold over a list or map."""

    id: int
    variable: str
    variable2: str
    range: Node
    accumulator: str
    init: Node
    condition: Node
    step: Node
    result: Node


Node = Const | Ident | Select | Call | ListLiteral | MapLiteral | Comprehension


class Checked(NamedTuple):
    """A checked expression.

    types      by node id; a missing one is dyn
    overloads  ids of the overloads that a call may mean, by node id
    positions  code point offset in the text, by node id
    """

    root: Node
    types: dict[int, Type]
    overloads: dict[int, tuple[str, ...]]
    positions: dict[int, int]

    def type(self, node: Node) -> Type:
        """The type of a node."""
        return self.types.get(node.id, celtypes.DYN)


def _constant(found: Fields) -> Any:
    kind = next(iter(found), 1)
    match kind:
        case 2:
            return bool(number(found, 2))
        case 3:
            return signed(found, 3)
        case 4:
            return Uint(number(found, 4))
        case 5:
            return double(found, 5)
        case 6:
            return text(found, 6)
        case 7:
            return blob(found, 7)
    return None


def _entry(message: bytes, depth: int) -> Entry:
    found = fields(message)
    # Only message literals have field keys; the validators refuse those by their name.
    key = _node(blob(found, 3), depth) if 3 in found else Const(0, text(found, 2))
    return Entry(key, _node(blob(found, 4), depth), bool(number(found, 5)))


def _packed(message: bytes) -> frozenset[int]:
    """A packed repeated int32 field."""
    values, value, shift = [], 0, 0
    for byte in message:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            values.append(value)
            value, shift = 0, 0
    return frozenset(values)


def _node(message: bytes, depth: int = 0) -> Node:
    if depth > MAX_DEPTH:
        raise TooDeep
    depth += 1
    found = fields(message)
    id_ = number(found, 2)
    kind = next((each for each in found if each != 2), 0)
    inner = fields(blob(found, kind)) if kind else {}
    match kind:
        case 3:
            return Const(id_, _constant(inner))
        case 4:
            return Ident(id_, text(inner, 1))
        case 5:
            return Select(id_, _node(blob(inner, 1), depth), text(inner, 2), bool(number(inner, 3)))
        case 6:
            target = _node(blob(inner, 1), depth) if 1 in inner else None
            return Call(id_, text(inner, 2), target, tuple(_node(each, depth) for each in blobs(inner, 3)))
        case 7:
            items = tuple(_node(each, depth) for each in blobs(inner, 1))
            return ListLiteral(id_, items, _packed(blob(inner, 2)))
        case 8:
            entries = tuple(_entry(each, depth) for each in blobs(inner, 2))
            return MapLiteral(id_, entries, text(inner, 1))
        case 9:
            parts = {each: _node(blob(inner, each), depth) for each in (2, 4, 5, 6, 7)}
            names = (text(inner, 1), text(inner, 8))
            return Comprehension(
                id_, *names, parts[2], text(inner, 3), parts[4], parts[5], parts[6], parts[7]
            )
    raise ValueError(f"expression kind {kind}")


def _positions(source_info: bytes) -> dict[int, int]:
    """Code point offsets by node id."""
    entries = (fields(each) for each in blobs(fields(source_info), 4))
    return {number(entry, 1): number(entry, 2) for entry in entries}


def decode(serialized: bytes) -> Checked:
    """The tree from `Expression.serialize()`. Raises TooDeep."""
    found = fields(blob(fields(serialized), 2))
    overloads: dict[int, tuple[str, ...]] = {}
    for each in blobs(found, 2):
        entry = fields(each)
        reference = fields(blob(entry, 2))
        overloads[number(entry, 1)] = tuple(value.decode() for value in blobs(reference, 3))
    types = {}
    for each in blobs(found, 3):
        entry = fields(each)
        types[number(entry, 1)] = celtypes.decode(blob(entry, 2))
    return Checked(_node(blob(found, 4)), types, overloads, _positions(blob(found, 5)))


def decode_parsed(serialized: bytes) -> tuple[Node, dict[int, int]]:
    """The tree of an expression that was parsed and not checked, and the offsets of its nodes. Raises TooDeep."""
    found = fields(blob(fields(serialized), 2))
    return _node(blob(found, 2)), _positions(blob(found, 3))
