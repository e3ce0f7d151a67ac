"""Values that CEL has and Python has not, and the errors of an evaluation.

bool, int, float, str, bytes, None, list and dict are Python's own. Subclasses of int serve for speed:
code always asks for the exact type, so that none is taken for another.
"""

from __future__ import annotations

from typing import Any, NamedTuple

MIN_INT, MAX_INT, MAX_UINT = -(2**63), 2**63 - 1, 2**64 - 1


class Uint(int):
    """An unsigned 64-bit integer."""

    __slots__ = ()


class Duration(int):
    """A time span in nanoseconds, within 64 bits."""

    __slots__ = ()


class Timestamp(int):
    """A point in time in nanoseconds since 1970, within the years 1 to 9999."""

    __slots__ = ()


class Optional:
    """`optional.of(value)`; an empty one is the only instance EMPTY."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


EMPTY = Optional(None)


class TypeValue(NamedTuple):
    """A type as a value: `type(1)`."""

    name: str


class BoolKey(NamedTuple):
    """A bool as a map's key, which Python would take for 0 or 1."""

    value: bool


TRUE_KEY, FALSE_KEY = BoolKey(True), BoolKey(False)


class Domains(dict[str, dict[str, Any]]):
    """`device.attributes` and `device.capacity`: an unknown domain reads as an empty map."""


class CelError(Exception):
    """An evaluation that has no result; `&&`, `||` and macros may still swallow it.

    message  as Kubernetes words it
    node     id of the node that failed, once it is known
    key      the map key that was missing, or None
    """

    def __init__(self, message: str, key: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.node: int | None = None
        self.key = key


class LimitReached(Exception):
    """dralint's own bound was hit; nothing in the expression swallows this.

    certain  Kubernetes' bound is hit, too: it is an error there
    """

    def __init__(self, what: str, certain: bool = False) -> None:
        super().__init__(what)
        self.certain = certain


# CEL's name of a type and Go's, which shows in one error text of cel-go. Types of libraries add themselves.
TYPE_NAMES: dict[type, str] = {
    bool: "bool",
    int: "int",
    Uint: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    type(None): "null_type",
    list: "list",
    dict: "map",
    Domains: "map",
    Duration: "google.protobuf.Duration",
    Timestamp: "google.protobuf.Timestamp",
    Optional: "optional_type",
    TypeValue: "type",
}
GO_TYPE_NAMES: dict[type, str] = {
    bool: "types.Bool",
    int: "types.Int",
    Uint: "types.Uint",
    float: "types.Double",
    str: "types.String",
    bytes: "types.Bytes",
    type(None): "types.Null",
    Duration: "types.Duration",
    Timestamp: "types.Timestamp",
    Optional: "*types.Optional",
    TypeValue: "*types.Type",
}


def type_name(value: Any) -> str:
    """The name of a value's type, as `type(value)` prints it."""
    return TYPE_NAMES[type(value)]


def no_such_overload(function: str, *args: Any) -> CelError:
    """The error of a function that does not take these values."""
    return CelError(f"no such overload: {function}({', '.join(map(type_name, args))})")


NO_SUCH_OVERLOAD = "no such overload"


def to_key(value: Any) -> Any:
    """A value as a key of a Python dict, so that exactly CEL's equal keys are equal; raises CelError.

    1, 1u and 1.0 find each other, true does not find 1. What can be no key finds nothing.
    """
    kind = type(value)
    if kind is str or kind is int or kind is Uint:
        return value
    if kind is bool:
        return TRUE_KEY if value else FALSE_KEY
    if kind is float and value.is_integer():
        return int(value)
    return None


def from_key(key: Any) -> Any:
    """The value of a key that `to_key` made."""
    return key.value if type(key) is BoolKey else key
