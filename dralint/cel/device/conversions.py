"""Conversions between types (`int(x)`, `string(x)`...), with Go's texts of numbers.

Source: cel-go common/types (ConvertToType of each type); Go's strconv.
"""

from __future__ import annotations

import re
from typing import Any

from dralint.cel.device.registry import function, generic
from dralint.cel.device.values import (
    EMPTY,
    MAX_INT,
    MAX_UINT,
    MIN_INT,
    CelError,
    Duration,
    Optional,
    Timestamp,
    TypeValue,
    Uint,
    type_name,
)

_INTEGER = re.compile(r"[+-]?[0-9]+\Z", re.ASCII)
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z", re.ASCII)
_HEX_FLOAT = re.compile(
    r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+\Z", re.ASCII
)
_NAMED = re.compile(r"[+-]?(?:inf|infinity|nan)\Z", re.ASCII | re.IGNORECASE)
_TRUE, _FALSE = ("1", "t", "T", "TRUE", "true", "True"), ("0", "f", "F", "FALSE", "false", "False")
_SPECIAL = {"nan": "NaN", "inf": "+Inf", "-inf": "-Inf"}
_SECOND = 10**9


def _cannot(value: Any, target: str) -> CelError:
    return CelError(f"type conversion error from '{type_name(value)}' to '{target}'")


def _same(value: Any) -> Any:
    return value


for _name, _kind in {
    "int": int,
    "uint": Uint,
    "double": float,
    "string": str,
    "bytes": bytes,
    "bool": bool,
    "duration": Duration,
    "timestamp": Timestamp,
}.items():
    function(_name, _kind)(_same)


@function("int", float)
def _double_to_int(value: float) -> int:
    # Go takes the open interval: 2**63 itself and -2**63 are out of range.
    if not -9223372036854775808.0 < value < 9223372036854775808.0:
        raise CelError("integer overflow")
    return int(value)


@function("int", Uint)
def _uint_to_int(value: Uint) -> int:
    if value > MAX_INT:
        raise CelError("integer overflow")
    return int(value)


@function("int", str)
def _string_to_int(text: str) -> int:
    if len(text) <= 30 and _INTEGER.match(text) and MIN_INT <= int(text) <= MAX_INT:
        return int(text)
    raise _cannot(text, "int")


@function("int", Timestamp)
def _timestamp_to_int(value: Timestamp) -> int:
    return int(value) // _SECOND


@function("int", Duration)
def _duration_to_int(value: Duration) -> int:
    return int(value)


@function("uint", int)
def _int_to_uint(value: int) -> Uint:
    if value < 0:
        raise CelError("unsigned integer overflow")
    return Uint(value)


@function("uint", float)
def _double_to_uint(value: float) -> Uint:
    if not 0 <= value < 18446744073709551616.0:
        raise CelError("unsigned integer overflow")
    return Uint(int(value))


@function("uint", str)
def _string_to_uint(text: str) -> Uint:
    if len(text) <= 30 and text.isascii() and text.isdigit() and int(text) <= MAX_UINT:
        return Uint(int(text))
    raise _cannot(text, "uint")


@function("double", Uint)
@function("double", int)
def _integer_to_double(value: int) -> float:
    return float(value)


@function("double", str)
def _string_to_double(text: str) -> float:
    if _FLOAT.match(text) or _NAMED.match(text):
        value = float(text)
        if value not in (float("inf"), float("-inf")) or _NAMED.match(text):
            return value
    elif _HEX_FLOAT.match(text):
        try:
            return float.fromhex(text)
        except OverflowError:
            pass
    raise _cannot(text, "double")


@function("bool", str)
def _string_to_bool(text: str) -> bool:
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    raise _cannot(text, "bool")


@function("bytes", str)
def _string_to_bytes(text: str) -> bytes:
    return text.encode()


@function("string", bytes)
def _bytes_to_string(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise CelError("invalid UTF-8 in bytes, cannot convert to string") from None


@function("string", bool)
def _bool_to_string(value: bool) -> str:
    return "true" if value else "false"


@function("string", Uint)
@function("string", int)
def _integer_to_string(value: int) -> str:
    return str(int(value))


@function("string", float)
def double_to_string(value: float) -> str:
    """As Go's %g writes it: the shortest digits that read back the same, an exponent below -4 and above 5."""
    text = repr(value)
    if text in _SPECIAL:
        return _SPECIAL[text]
    sign = "-" if text[0] == "-" else ""
    base, _, shift = text.lstrip("-").partition("e")
    whole, _, fraction = base.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = int(shift or 0) + len(whole) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if not digits:
        return f"{sign}0"
    if not -4 <= point - 1 < 6:
        rest = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{rest}e{point - 1:+03d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    digits = digits.ljust(point, "0")
    return f"{sign}{digits[:point]}.{digits[point:]}".rstrip(".")


@generic("type")
def _type(_: Any, value: Any) -> TypeValue:
    return TypeValue(type_name(value))


@generic("dyn")
def _dyn(_: Any, value: Any) -> Any:
    return value


@generic("optional.of")
def _of(_: Any, value: Any) -> Optional:
    return Optional(value)


@generic("optional.none")
def _none(_: Any) -> Optional:
    return EMPTY


@generic("optional.ofNonZeroValue")
def _of_non_zero(_: Any, value: Any) -> Optional:
    return EMPTY if is_zero(value) else Optional(value)


def is_zero(value: Any) -> bool:
    """Whether a value is its type's zero value: "", 0, [], {}, null, an empty optional."""
    kind = type(value)
    if kind is Optional:
        return value is EMPTY
    if kind is TypeValue:
        return False
    if kind is Timestamp:
        return False
    return isinstance(value, bool | int | float | str | bytes | list | dict | None) and not value


@function("hasValue", Optional)
def _has_value(value: Optional) -> bool:
    return value is not EMPTY


@function("value", Optional)
def _value(value: Optional) -> Any:
    if value is EMPTY:
        raise CelError("optional.none() dereference")
    return value.value
