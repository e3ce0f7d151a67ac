"""Reaching into values: fields, indexes, optional access and `has`.

Source: cel-go interpreter/attributes.go (qualifiers), common/types/list.go and map.go.
"""

from __future__ import annotations

from typing import Any

from dralint.cel.device.values import (
    EMPTY,
    BoolKey,
    CelError,
    Domains,
    Optional,
    Uint,
    to_key,
    type_name,
)

_MISSING = object()


def _shown(key: Any) -> str:
    if type(key) is bool:
        return "true" if key else "false"
    return str(key.value if type(key) is BoolKey else key)


def no_such_key(key: Any) -> CelError:
    """The error of a missing map entry, in Kubernetes' words."""
    return CelError(f"no such key: {_shown(key)}", key)


def _entry(container: dict[Any, Any], key: Any) -> Any:
    found = container.get(to_key(key), _MISSING)
    return {} if found is _MISSING and type(container) is Domains and type(key) is str else found


def _position(index: Any) -> int | None:
    kind = type(index)
    if kind is int or kind is Uint:
        return int(index)
    if kind is float and index.is_integer():
        return int(index)
    return None


def _find(container: Any, key: Any) -> Any:
    """The entry or item, or _MISSING."""
    kind = type(container)
    if kind is dict or kind is Domains:
        return _entry(container, key)
    if kind is list:
        position = _position(key)
        if position is not None and 0 <= position < len(container):
            return container[position]
    return _MISSING


def select(container: Any, key: Any) -> Any:
    """`container.key` and `container[key]`; on an optional the result is optional, too."""
    kind = type(container)
    if kind is Optional:
        return select_optional(container, key)
    found = _find(container, key)
    if found is not _MISSING:
        return found
    if kind is list:
        if _position(key) is None:
            raise CelError(f"unsupported index type '{type_name(key)}' in list")
        raise CelError(f"index out of bounds: {_shown(key)}")
    raise no_such_key(key)


def select_optional(container: Any, key: Any) -> Optional:
    """`container.?key` and `container[?key]`: nothing is an error."""
    if type(container) is Optional:
        if container is EMPTY:
            return EMPTY
        container = container.value
    found = _find(container, key)
    return EMPTY if found is _MISSING else Optional(found)


def has(container: Any, field: str) -> bool:
    """`has(container.field)`; false for what has no fields."""
    if type(container) is Optional:
        return container is not EMPTY and has(container.value, field)
    return _find(container, field) is not _MISSING
