"""Equality and order of values, with cel-go's oddities.

Source: cel-go common/types: Equal and Compare of each type; kubernetes apiserver/pkg/cel/*.go for its own types.
"""

from __future__ import annotations

import math
from typing import Any

from dralint.cel.device import quantity, semver
from dralint.cel.device.limits import Budget, spend
from dralint.cel.device.quantity import Quantity
from dralint.cel.device.semver import Semver
from dralint.cel.device.values import (
    EMPTY,
    NO_SUCH_OVERLOAD,
    CelError,
    Domains,
    Duration,
    Optional,
    Timestamp,
    TypeValue,
    Uint,
)

_SAME = frozenset((str, int, bool, bytes, float, Uint, Duration, Timestamp, TypeValue))
_NUMBERS = frozenset((int, Uint, float))
# Kubernetes' types refuse to be compared with others when they stand on the left.
STRICT: set[type] = {Quantity, Semver}


def equal(budget: Budget, left: Any, right: Any) -> bool:
    """`left == right`. Raises CelError where Kubernetes' types are compared with others."""
    kind, other = type(left), type(right)
    if kind is other and kind in _SAME:
        return bool(left == right)
    if left is None or right is None:
        return left is right
    if kind in _NUMBERS:
        return other in _NUMBERS and compare_numbers(left, right) == 0
    if kind in STRICT:
        return _strictly_equal(left, right)
    if kind is list:
        return other is list and _lists_equal(budget, left, right)
    if kind is dict or kind is Domains:
        return (other is dict or other is Domains) and _maps_equal(budget, left, right)
    if kind is Optional:
        return other is Optional and _optionals_equal(budget, left, right)
    return False


def _strictly_equal(left: Any, right: Any) -> bool:
    if type(left) is not type(right):
        raise CelError(NO_SUCH_OVERLOAD)
    if type(left) is Quantity:
        # A result of add() or sub() is a pointer in Go, which its own Equal does not know on the right.
        if right.result:
            raise CelError(NO_SUCH_OVERLOAD)
        return quantity.compare(left, right) == 0
    if type(left) is Semver:
        return semver.compare(left, right) == 0
    return bool(left == right)


def same(budget: Budget, left: Any, right: Any) -> bool | None:
    """Like `equal`, with None for an error: inside lists and maps an error does not make values unequal."""
    try:
        return equal(budget, left, right)
    except CelError:
        return None


def _lists_equal(budget: Budget, left: list[Any], right: list[Any]) -> bool:
    if left is right:
        return True
    if len(left) != len(right):
        return False
    spend(budget, len(left) // 10 + 1)
    return all(same(budget, a, b) is not False for a, b in zip(left, right, strict=True))


def _maps_equal(budget: Budget, left: dict[Any, Any], right: dict[Any, Any]) -> bool:
    if left is right:
        return True
    if len(left) != len(right):
        return False
    spend(budget, len(left) // 10 + 1)
    for key, value in left.items():
        if key in right:
            other = right[key]
        elif type(right) is Domains:
            other = {}
        else:
            return False
        if same(budget, value, other) is False:
            return False
    return True


def _optionals_equal(budget: Budget, left: Optional, right: Optional) -> bool:
    if left is EMPTY or right is EMPTY:
        return left is right
    return equal(budget, left.value, right.value)


def contains(budget: Budget, items: list[Any], value: Any) -> bool:
    """`value in items`: what cannot be compared is not found."""
    spend(budget, len(items))
    return any(same(budget, value, item) is True for item in items)


def compare_numbers(left: float, right: float) -> int | None:
    """-1, 0 or 1 across int, uint and double; None with a NaN."""
    if type(left) is float or type(right) is float:
        a, b = float(left), float(right)
        if math.isnan(a) or math.isnan(b):
            return None
        return (a > b) - (a < b)
    return (left > right) - (left < right)


_ORDERED = frozenset((str, bytes, bool, Duration, Timestamp))


def compare(left: Any, right: Any) -> int:
    """-1, 0 or 1. Raises CelError for values without an order between them."""
    kind, other = type(left), type(right)
    if kind in _NUMBERS and other in _NUMBERS:
        order = compare_numbers(left, right)
        if order is None:
            raise CelError("NaN values cannot be ordered")
        return order
    if kind is other and kind in _ORDERED:
        return int(left > right) - int(left < right)
    raise CelError(NO_SUCH_OVERLOAD)
