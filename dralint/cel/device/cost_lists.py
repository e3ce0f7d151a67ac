"""What cel-go's `lists` and `sets` extensions cost.

Source: cel-go ext/lists.go (version 3), ext/sets.go.
"""

from __future__ import annotations

from dralint.cel.device.celtypes import Type
from dralint.cel.device.cost_values import (
    ONE,
    STRING_FACTOR,
    TOP,
    Argument,
    Estimate,
    Estimator,
    Range,
    add,
    fixed,
    scaled,
    times,
)
from dralint.cel.device.tree import Const

_CREATE_LIST = 10


def _uint(argument: Argument, default: int) -> int:
    """The value of an int literal, or a default."""
    node = argument.node
    if isinstance(node, Const) and type(node.value) is int:
        return max(node.value, 0)
    return default


def _allocating(factor: float, size: Range) -> Estimate:
    return Estimate(add(scaled(size, factor), ONE, fixed(_CREATE_LIST)), size)


def _slice(target: Argument | None, args: list[Argument]) -> Estimate | None:
    if not target or len(args) != 2:
        return None
    start, end = _uint(args[0], 0), _uint(args[1], target.length.high)
    return _allocating(1, fixed((end - start) % (TOP + 1)))


def _range(_: Argument | None, args: list[Argument]) -> Estimate | None:
    return _allocating(1, fixed(_uint(args[0], TOP))) if args else None


def _reverse(target: Argument | None, _: list[Argument]) -> Estimate | None:
    return _allocating(1, target.length) if target else None


def _flatten(target: Argument | None, args: list[Argument]) -> Estimate | None:
    depth = _uint(args[0], TOP) if args else 1
    return _allocating(float(depth), target.length) if target else None


def _square(size: Range, element: Type) -> Estimate:
    factor = 2.0 + (STRING_FACTOR if element in (("string",), ("bytes",)) else 0.0)
    return _allocating(factor, times(size, size))


def _distinct(target: Argument | None, _: list[Argument]) -> Estimate | None:
    return _allocating(2.0, times(target.length, target.length)) if target else None


def _sort(target: Argument | None, _: list[Argument]) -> Estimate | None:
    return _square(target.length, target.type[1]) if target and len(target.type) > 1 else None


def _sort_by(_: Argument | None, args: list[Argument]) -> Estimate | None:
    keys = args[0] if args else None
    return _square(keys.length, keys.type[1]) if keys and len(keys.type) > 1 else None


def _sets(factor: float) -> Estimator:
    def estimate(_: Argument | None, args: list[Argument]) -> Estimate | None:
        if len(args) != 2:
            return None
        return Estimate(add(scaled(times(args[0].length, args[1].length), factor), ONE))

    return estimate


EXTENSIONS: dict[str, Estimator] = {
    "slice": _slice,
    "lists.range": _range,
    "reverse": _reverse,
    "flatten": _flatten,
    "distinct": _distinct,
    "sort": _sort,
    "@sortByAssociatedKeys": _sort_by,
    "sets.contains": _sets(1),
    "sets.intersects": _sets(1),
    "sets.equivalent": _sets(2),
}
