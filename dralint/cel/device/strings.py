"""Functions on strings: CEL's own and cel-go's `strings` extension, version 2.

Source: cel-go ext/strings.go. Positions count code points, as Python's do.
"""

from __future__ import annotations

from typing import Any

from dralint.cel.device.limits import Budget, bounded, room_for, spend_ours
from dralint.cel.device.registry import function, generic
from dralint.cel.device.values import NO_SUCH_OVERLOAD, CelError, Domains

# What Go's unicode.IsSpace holds; Python's strip() takes more.
_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
_SPACE += "\u2028\u2029\u202f\u205f\u3000"
_UPPER = {ord(c): c.upper() for c in "abcdefghijklmnopqrstuvwxyz"}
_LOWER = {ord(c): c.lower() for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_QUOTED = {ord(c): f"\\{letter}" for c, letter in zip('\a\b\f\n\r\t\v\\"', 'abfnrtv\\"', strict=True)}


def _out_of_range(index: int) -> CelError:
    return CelError(f"index out of range: {index}")


function("contains", str, str)(str.__contains__)
function("startsWith", str, str)(str.startswith)
function("endsWith", str, str)(str.endswith)


@generic("size")
def _size(_: Budget, value: Any) -> int:
    if type(value) in (str, list, dict, bytes, Domains):
        return len(value)
    raise CelError(NO_SUCH_OVERLOAD)


@function("charAt", str, int)
def _char_at(text: str, index: int) -> str:
    if not 0 <= index <= len(text):
        raise _out_of_range(index)
    return text[index : index + 1]


@function("indexOf", str, str)
def _index_of(text: str, part: str) -> int:
    return text.find(part)


@function("indexOf", str, str, int)
def _index_of_after(text: str, part: str, offset: int) -> int:
    if not part:
        return offset
    if not 0 <= offset < len(text):
        raise _out_of_range(offset)
    return text.find(part, offset)


@function("lastIndexOf", str, str)
def _last_index_of(text: str, part: str) -> int:
    return text.rfind(part)


@function("lastIndexOf", str, str, int)
def _last_index_of_before(text: str, part: str, offset: int) -> int:
    if not part:
        return offset
    if not 0 <= offset < len(text):
        raise _out_of_range(offset)
    return text.rfind(part, 0, offset + len(part))


@function("substring", str, int)
def _substring_from(text: str, start: int) -> str:
    if not 0 <= start <= len(text):
        raise _out_of_range(start)
    return text[start:]


@function("substring", str, int, int)
def _substring(text: str, start: int, end: int) -> str:
    if start > end:
        raise CelError(f"invalid substring range. start: {start}, end: {end}")
    for index in (start, end):
        if not 0 <= index <= len(text):
            raise _out_of_range(index)
    return text[start:end]


@function("lowerAscii", str)
def _lower(text: str) -> str:
    return text.lower() if text.isascii() else text.translate(_LOWER)


@function("upperAscii", str)
def _upper(text: str) -> str:
    return text.upper() if text.isascii() else text.translate(_UPPER)


@function("trim", str)
def _trim(text: str) -> str:
    return text.strip(_SPACE)


@function("replace", str, str, str)
def _replace_all(text: str, old: str, new: str) -> str:
    return _replace(text, old, new, -1)


@function("replace", str, str, str, int)
def _replace(text: str, old: str, new: str, count: int) -> str:
    if len(new) > len(old):
        places = text.count(old)
        room_for(len(text) + (places if count < 0 else min(places, count)) * len(new))
    return text.replace(old, new, -1 if count < 0 else count)


@generic("split")
def _split(budget: Budget, text: Any, separator: Any, limit: Any = -1) -> list[str]:
    if type(text) is not str or type(separator) is not str or type(limit) is not int:
        raise CelError(NO_SUCH_OVERLOAD)
    spend_ours(budget, len(text) // 10)
    if limit == 0:
        return []
    if separator:
        return text.split(separator, -1 if limit < 0 else limit - 1)
    if 0 < limit < len(text):
        return [*text[: limit - 1], text[limit - 1 :]]
    return list(text)


@generic("join")
def _join(budget: Budget, items: Any, separator: Any = "") -> str:
    if type(items) is not list or type(separator) is not str or any(type(item) is not str for item in items):
        raise CelError(NO_SUCH_OVERLOAD)
    spend_ours(budget, len(items) // 10)
    room_for(sum(map(len, items)) + len(separator) * len(items))
    return separator.join(items)


@function("strings.quote", str)
def _quote(text: str) -> str:
    return bounded(f'"{text.translate(_QUOTED)}"')  # type: ignore[no-any-return]
