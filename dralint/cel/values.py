"""Facts made safe for an engine: what C++ would cut, misread or die of is replaced or refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dralint.cel.engines import CelFailure
from dralint.yamltext.view import Plain

# A value 100,000 levels deep kills the native engine (SIGSEGV); YAML is read 200 levels deep.
MAX_DEPTH = 250
MAX_VALUES = 100_000
MAX_TEXT = 65_536
# `map` and `filter` copy their result in every step: 3,000 items 0.4 s, 9,000 items 5 s and 1.3 GB (L9).
MAX_LIST = 1_000

_MIN, _MAX = -(2**63), 2**63 - 1


class _Look:
    """One look over the values of a subject: is anything to be replaced, how long is the longest list."""

    def __init__(self) -> None:
        self.left = MAX_VALUES
        self.dirty = False
        self.longest = 0

    def at(self, value: Any, depth: int) -> None:
        kind = type(value)
        if kind is str:
            if not value.isprintable() or len(value) > MAX_TEXT:
                self.dirty = True
        elif kind is dict or kind is list:
            self.left -= len(value)
            if self.left < 0:
                raise CelFailure(f"its facts hold more than {MAX_VALUES:,} values", limit=True)
            if depth > MAX_DEPTH:
                raise CelFailure(f"its facts are nested more than {MAX_DEPTH} levels deep", limit=True)
            if kind is list:
                self.longest = max(self.longest, len(value))
                items = value
            else:
                self.dirty = self.dirty or not all(map(str.isprintable, value))
                items = value.values()
            for item in items:
                # Most are none of those that take a closer look.
                if item is not None and item is not True and item is not False:
                    self.at(item, depth + 1)
        elif (kind is int and not _MIN <= value <= _MAX) or kind is tuple:
            self.dirty = True


def _text(value: str) -> str:
    """Strings end at a NUL in C++ and lone surrogates raise: U+FFFD stands for both (L6)."""
    cut = value[:MAX_TEXT].replace("\0", "\ufffd")
    return cut.encode("utf-8", "surrogatepass").decode("utf-8", "replace") if not cut.isascii() else cut


def _replaced(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return {_text(key): _replaced(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_replaced(item) for item in value]
    if isinstance(value, int) and not _MIN <= value <= _MAX:
        try:
            return float(value)
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
    return value


def clean(values: Mapping[str, Plain]) -> tuple[Mapping[str, Plain], int]:
    """The values with every string valid UTF-8 without NUL and every integer within 64 bits, and the
    length of the longest list among them.

    Raises CelFailure (limit) for what is too large or too deep to be handed to an engine.
    """
    look = _Look()
    for value in values.values():
        look.at(value, 1)
    if look.dirty:
        return {name: _replaced(value) for name, value in values.items()}, look.longest
    return values, look.longest
