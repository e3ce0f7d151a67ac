"""Where functions are found: by name, then by the types of what they are called with.

A method's receiver is its first argument. Modules of rarely used functions are imported when an
expression names one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

Implementation = Callable[..., Any]
Table = dict[tuple[type, ...], Implementation]
_F = TypeVar("_F", bound=Implementation)

_tables: dict[str, Table] = {}
_generic: dict[str, Implementation] = {}

_ALWAYS = ("operators", "conversions", "strings", "kubernetes")
_RARE = {
    "moments": (
        "timestamp",
        "duration",
        *("getFullYear", "getMonth", "getDayOfYear", "getDayOfMonth", "getDate", "getDayOfWeek"),
        *("getHours", "getMinutes", "getSeconds", "getMilliseconds"),
    ),
    "formatting": ("format",),
    "patterns": ("matches", "find", "findAll"),
    "lists": (
        *("isSorted", "sum", "min", "max", "first", "last", "optional.unwrap", "unwrapOpt", "lists.range"),
        *("distinct", "flatten", "reverse", "slice", "sort", "@sortByAssociatedKeys"),
        *("indexOf", "lastIndexOf", "sets.contains", "sets.equivalent", "sets.intersects", "cel.@mapInsert"),
    ),
    "addresses": ("ip", "isIP", "ip.isCanonical", "cidr", "isCIDR"),
    "urls": ("url", "isURL"),
    "named_formats": (
        "format.named",
        *("format.dns1123Label", "format.dns1123Subdomain", "format.dns1035Label", "format.qualifiedName"),
        *("format.dns1123LabelPrefix", "format.dns1123SubdomainPrefix", "format.dns1035LabelPrefix"),
        *("format.labelValue", "format.uri", "format.uuid", "format.byte", "format.date", "format.datetime"),
    ),
}
_MODULE_OF = {name: module for module, names in _RARE.items() for name in names}
_loaded: set[str] = set()


def function(name: str, *types: type) -> Callable[[_F], _F]:
    """Registers a function for arguments of exactly these types; it may raise CelError."""

    def register(implementation: _F) -> _F:
        _tables.setdefault(name, {})[types] = implementation
        return implementation

    return register


def generic(name: str) -> Callable[[_F], _F]:
    """Registers a function of any arguments; it is called with the budget of steps before them."""

    def register(implementation: _F) -> _F:
        _generic[name] = implementation
        return implementation

    return register


def _load(module: str) -> None:
    if module not in _loaded:
        _loaded.add(module)
        import_module(f"dralint.cel.device.{module}")


def implementations(name: str) -> tuple[Table, Implementation | None]:
    """The table of a function by argument types (it may still grow), and the one for any types."""
    for module in _ALWAYS:
        _load(module)
    if name in _MODULE_OF:
        _load(_MODULE_OF[name])
    return _tables.setdefault(name, {}), _generic.get(name)
