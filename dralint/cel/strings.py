"""Functions for cel-python: CEL's `strings` extension (version 0), which it lacks, and a stricter size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from celpy import celtypes


def _strings(*values: Any) -> None:
    if not all(isinstance(value, str) for value in values):
        raise TypeError("no such overload")


def _lower(text: Any) -> Any:
    _strings(text)
    return celtypes.StringType("".join(c.lower() if c.isascii() else c for c in text))


def _upper(text: Any) -> Any:
    _strings(text)
    return celtypes.StringType("".join(c.upper() if c.isascii() else c for c in text))


def _trim(text: Any) -> Any:
    _strings(text)
    return celtypes.StringType(text.strip())


def _split(text: Any, separator: Any, limit: Any = -1) -> Any:
    _strings(text, separator)
    if limit == 0:
        return celtypes.ListType([])
    if separator:
        parts = str(text).split(separator, -1 if limit < 0 else int(limit) - 1)
    elif 0 < limit < len(text):
        parts = [*text[: limit - 1], text[limit - 1 :]]
    else:
        parts = list(text)
    return celtypes.ListType(map(celtypes.StringType, parts))


def _replace(text: Any, old: Any, new: Any, limit: Any = -1) -> Any:
    _strings(text, old, new)
    return celtypes.StringType(str(text).replace(old, new, int(limit)))


def _checked(index: Any, text: Any) -> int:
    if not isinstance(index, celtypes.IntType) or not 0 <= index <= len(text):
        raise ValueError("index out of range")
    return int(index)


def _substring(text: Any, start: Any, end: Any = None) -> Any:
    _strings(text)
    first, last = _checked(start, text), len(text) if end is None else _checked(end, text)
    if first > last:
        raise ValueError("start after end")
    return celtypes.StringType(text[first:last])


def _char_at(text: Any, index: Any) -> Any:
    _strings(text)
    position = _checked(index, text)
    return celtypes.StringType(text[position : position + 1])


def _index_of(text: Any, part: Any, start: Any = None) -> Any:
    _strings(text, part)
    return celtypes.IntType(str(text).find(part, 0 if start is None else _checked(start, text)))


def _last_index_of(text: Any, part: Any, start: Any = None) -> Any:
    _strings(text, part)
    end = len(text) if start is None else _checked(start, text) + len(part)
    return celtypes.IntType(str(text).rfind(part, 0, end))


def _size(value: Any) -> Any:
    """cel-python takes null for an empty list."""
    if value is None:
        raise TypeError("no such overload")
    return celtypes.IntType(len(value))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "charAt": _char_at,
    "indexOf": _index_of,
    "lastIndexOf": _last_index_of,
    "lowerAscii": _lower,
    "replace": _replace,
    "size": _size,
    "split": _split,
    "substring": _substring,
    "trim": _trim,
    "upperAscii": _upper,
}
