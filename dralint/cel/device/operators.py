"""The operators of CEL on values: arithmetic with Go's bounds, order, membership.

Source: cel-go common/types (Add, Subtract... of each type) and common/types/overflow.go.
"""

from __future__ import annotations

import math
from typing import Any

from dralint.cel.device.equality import compare, contains
from dralint.cel.device.limits import Budget, bounded, room_for, spend_ours
from dralint.cel.device.registry import function, generic
from dralint.cel.device.values import (
    MAX_INT,
    MAX_UINT,
    MIN_INT,
    NO_SUCH_OVERLOAD,
    CelError,
    Domains,
    Duration,
    Timestamp,
    Uint,
    to_key,
)

# Years 1 to 9999 in nanoseconds since 1970.
_FIRST, _LAST = -62_135_596_800 * 10**9, 253_402_300_799 * 10**9 + 999_999_999


def checked_int(value: int) -> int:
    """Within 64 bits, or CelError."""
    if not MIN_INT <= value <= MAX_INT:
        raise CelError("integer overflow")
    return value


def checked_uint(value: int) -> Uint:
    """Within unsigned 64 bits, or CelError."""
    if not 0 <= value <= MAX_UINT:
        raise CelError("unsigned integer overflow")
    return Uint(value)


def checked_duration(value: int) -> Duration:
    """Within 64 bits of nanoseconds, or CelError."""
    if not MIN_INT <= value <= MAX_INT:
        raise CelError("duration overflow")
    return Duration(value)


def checked_timestamp(value: int) -> Timestamp:
    """Within the years 1 to 9999, or CelError."""
    if not _FIRST <= value <= _LAST:
        raise CelError("timestamp overflow")
    return Timestamp(value)


@function("_+_", int, int)
def _add_int(left: int, right: int) -> int:
    return checked_int(left + right)


@function("_+_", Uint, Uint)
def _add_uint(left: int, right: int) -> Uint:
    return checked_uint(int(left) + int(right))


@function("_+_", float, float)
def _add_double(left: float, right: float) -> float:
    return left + right


@function("_+_", bytes, bytes)
@function("_+_", str, str)
def _concatenate(left: Any, right: Any) -> Any:
    room_for(len(left) + len(right))
    return left + right


@generic("_+_")
def _add_other(budget: Budget, left: Any, right: Any) -> Any:
    if type(left) is list and type(right) is list:
        spend_ours(budget, (len(left) + len(right)) // 10)
        return bounded(left + right)
    raise CelError(NO_SUCH_OVERLOAD)


@function("_+_", Duration, Duration)
def _add_durations(left: int, right: int) -> Duration:
    return checked_duration(int(left) + int(right))


@function("_+_", Timestamp, Duration)
@function("_+_", Duration, Timestamp)
def _add_time(left: int, right: int) -> Timestamp:
    return checked_timestamp(int(left) + int(right))


@function("_-_", int, int)
def _subtract_int(left: int, right: int) -> int:
    return checked_int(left - right)


@function("_-_", Uint, Uint)
def _subtract_uint(left: int, right: int) -> Uint:
    return checked_uint(int(left) - int(right))


@function("_-_", float, float)
def _subtract_double(left: float, right: float) -> float:
    return left - right


@function("_-_", Timestamp, Timestamp)
@function("_-_", Duration, Duration)
def _subtract_durations(left: int, right: int) -> Duration:
    return checked_duration(int(left) - int(right))


@function("_-_", Timestamp, Duration)
def _subtract_time(left: int, right: int) -> Timestamp:
    return checked_timestamp(int(left) - int(right))


@function("_*_", int, int)
def _multiply_int(left: int, right: int) -> int:
    return checked_int(left * right)


@function("_*_", Uint, Uint)
def _multiply_uint(left: int, right: int) -> Uint:
    return checked_uint(int(left) * int(right))


@function("_*_", float, float)
def _multiply_double(left: float, right: float) -> float:
    return left * right


def _truncated(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


@function("_/_", int, int)
def _divide_int(left: int, right: int) -> int:
    if right == 0:
        raise CelError("division by zero")
    return checked_int(_truncated(left, right))


@function("_/_", Uint, Uint)
def _divide_uint(left: int, right: int) -> Uint:
    if right == 0:
        raise CelError("division by zero")
    return Uint(int(left) // int(right))


@function("_/_", float, float)
def _divide_double(left: float, right: float) -> float:
    if right:
        return left / right
    if not left or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


@function("_%_", int, int)
def _modulo_int(left: int, right: int) -> int:
    if right == 0:
        raise CelError("modulus by zero")
    if left == MIN_INT and right == -1:
        raise CelError("integer overflow")
    return left - right * _truncated(left, right)


@function("_%_", Uint, Uint)
def _modulo_uint(left: int, right: int) -> Uint:
    if right == 0:
        raise CelError("modulus by zero")
    return Uint(int(left) % int(right))


@function("-_", int)
def _negate_int(value: int) -> int:
    return checked_int(-value)


@function("-_", float)
def _negate_double(value: float) -> float:
    return -value


@function("!_", bool)
def _not(value: bool) -> bool:
    return not value


@generic("_<_")
def _less(_: Budget, left: Any, right: Any) -> bool:
    return compare(left, right) < 0


@generic("_<=_")
def _less_equals(_: Budget, left: Any, right: Any) -> bool:
    return compare(left, right) <= 0


@generic("_>_")
def _greater(_: Budget, left: Any, right: Any) -> bool:
    return compare(left, right) > 0


@generic("_>=_")
def _greater_equals(_: Budget, left: Any, right: Any) -> bool:
    return compare(left, right) >= 0


@generic("@in")
def _in(budget: Budget, value: Any, container: Any) -> bool:
    if type(container) is list:
        return contains(budget, container, value)
    if type(container) is dict or type(container) is Domains:
        return to_key(value) in container
    raise CelError(NO_SUCH_OVERLOAD)
