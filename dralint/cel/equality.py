"""cel-python's comparisons as CEL defines them now: values of different types are unequal, not an error.

cel-python raises for `"x" == 1`, `null != []` or `"x" in [1]`, and takes true for 1. The definition:
"Equality" in the CEL language definition (cel-spec, doc/langdef.md).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from celpy import celtypes
from celpy.evaluation import CELEvalError

_NUMBERS = (celtypes.IntType, celtypes.UintType, celtypes.DoubleType)


def _equal(left: Any, right: Any) -> bool:
    if isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
        # As Python numbers: exact across int and float.
        return _number(left) == _number(right)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_equal, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return len(left) == len(right) and all(
            key in right and _equal(value, right[key]) for key, value in left.items()
        )
    if left is None or right is None or type(left) is not type(right):
        return left is right
    return bool(left == right)


def _number(value: Any) -> int | float:
    return float(value) if isinstance(value, float) else int(value)


def _errors_first(function: Callable[[Any, Any], bool]) -> Callable[[Any, Any], Any]:
    def called(left: Any, right: Any) -> Any:
        for value in (left, right):
            if isinstance(value, CELEvalError):
                return value
        return celtypes.BoolType(function(left, right))

    return called


def _contained(item: Any, container: Any) -> bool:
    if not isinstance(container, list | dict):
        raise TypeError("no such overload")
    return any(_equal(item, each) for each in container)


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], Any]:
    def called(left: Any, right: Any) -> bool:
        if isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
            return compare(_number(left), _number(right))
        if left is None or isinstance(left, list | dict) or type(left) is not type(right):
            raise TypeError("no such overload")
        return bool(compare(left, right))

    return _errors_first(called)


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "_==_": _errors_first(_equal),
    "_!=_": _errors_first(lambda left, right: not _equal(left, right)),
    "_in_": _errors_first(_contained),
    "_<_": _ordered(lambda left, right: left < right),
    "_<=_": _ordered(lambda left, right: left <= right),
    "_>_": _ordered(lambda left, right: left > right),
    "_>=_": _ordered(lambda left, right: left >= right),
}
