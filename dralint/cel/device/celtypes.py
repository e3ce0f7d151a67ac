"""Types of CEL expressions as plain tuples: ("list", ("string",)), and how Kubernetes writes them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from dralint.cel.device.wire import blob, blobs, fields, number, text

# The name first, then the parameters; a name that is no builtin is a message's or an opaque type's.
Type = tuple[Any, ...]

DYN: Type = ("dyn",)
ANY: Type = ("any",)
BOOL: Type = ("bool",)
INT: Type = ("int",)
STRING: Type = ("string",)
BYTES: Type = ("bytes",)

_PRIMITIVES = ("unspecified", "bool", "int", "uint", "double", "string", "bytes")
_WELL_KNOWN = ("unspecified", "any", "timestamp", "duration")
_LONG_NAMES = {
    "any": "any",
    "timestamp": "google.protobuf.Timestamp",
    "duration": "google.protobuf.Duration",
}


@lru_cache(maxsize=1024)
def decode(message: bytes) -> Type:
    """A `cel.expr.Type` message."""
    found = fields(message)
    if not found:
        return DYN
    kind = next(iter(found))
    match kind:
        case 2:
            return ("null_type",)
        case 3:
            return (_PRIMITIVES[number(found, 3)],)
        case 4:
            return ("wrapper", (_PRIMITIVES[number(found, 4)],))
        case 5:
            return (_WELL_KNOWN[number(found, 5)],)
        case 6:
            return ("list", decode(blob(fields(blob(found, 6)), 1)))
        case 7:
            entry = fields(blob(found, 7))
            return ("map", decode(blob(entry, 1)), decode(blob(entry, 2)))
        case 9:
            return (text(found, 9),)
        case 11:
            return ("type", decode(blob(found, 11)))
        case 14:
            opaque = fields(blob(found, 14))
            return (text(opaque, 1), *map(decode, blobs(opaque, 2)))
    return DYN


def show(kind: Type) -> str:
    """As Kubernetes writes it: `map(string, any)`."""
    name: str = _LONG_NAMES.get(kind[0]) or kind[0]
    return f"{name}({', '.join(map(show, kind[1:]))})" if len(kind) > 1 else name
