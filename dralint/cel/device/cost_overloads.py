"""What CEL's own functions and operators cost that are not done in one step, by overload.

Source: cel-go checker/cost.go (functionCost).
"""

from __future__ import annotations

from dralint.cel.device.cost_values import (
    ONE,
    REGEX_FACTOR,
    STRING_FACTOR,
    TOP,
    Argument,
    Estimate,
    Estimator,
    Range,
    add,
    scaled,
    times,
    traversal,
)


def search(target: Argument | None, args: list[Argument]) -> Estimate | None:
    """A regular expression: the text times a quarter of the pattern."""
    if not target or not args:
        return None
    text = scaled(add(target.length, ONE), STRING_FACTOR)
    return Estimate(times(text, scaled(args[0].length, REGEX_FACTOR)))


def _quoted(_: Argument | None, args: list[Argument]) -> Estimate | None:
    size = args[0].length
    return Estimate(traversal(args[0]), Range(min(TOP, size.low + 2), min(TOP, size.high * 2 + 2)))


def _to_bytes(_: Argument | None, args: list[Argument]) -> Estimate | None:
    size = args[0].length
    return Estimate(traversal(args[0]), Range(size.low, size.high * 4 % (TOP + 1)))


def _to_text(_: Argument | None, args: list[Argument]) -> Estimate | None:
    size = args[0].length
    return Estimate(traversal(args[0]), Range(size.low // 4, size.high))


def _affix(_: Argument | None, args: list[Argument]) -> Estimate | None:
    return Estimate(traversal(args[0])) if len(args) == 1 else None


def _in_list(_: Argument | None, args: list[Argument]) -> Estimate | None:
    return Estimate(scaled(args[1].length, 1)) if len(args) == 2 else None


def _contains(target: Argument | None, args: list[Argument]) -> Estimate | None:
    if not target or len(args) != 1:
        return None
    return Estimate(times(traversal(target), traversal(args[0])))


def _joined(_: Argument | None, args: list[Argument]) -> Estimate | None:
    size = add(args[0].length, args[1].length)
    return Estimate(scaled(size, STRING_FACTOR), size)


def _joined_lists(_: Argument | None, args: list[Argument]) -> Estimate | None:
    return Estimate(ONE, add(args[0].length, args[1].length))


def _compared(_: Argument | None, args: list[Argument]) -> Estimate | None:
    most = min(args[0].length.high, args[1].length.high)
    return Estimate(scaled(Range(1 if most else 0, most), STRING_FACTOR))


OVERLOADS: dict[str, Estimator] = {
    "string_format": lambda target, _: Estimate(traversal(target)) if target else None,
    "strings_quote": _quoted,
    "string_to_bytes": _to_bytes,
    "bytes_to_string": _to_text,
    "starts_with_string": _affix,
    "ends_with_string": _affix,
    "in_list": _in_list,
    "matches_string": lambda target, args: search(target, args) if len(args) == 1 else None,
    "matches": lambda target, args: search(target, args) if len(args) == 1 else None,
    "contains_string": _contains,
    "add_string": _joined,
    "add_bytes": _joined,
    "add_list": _joined_lists,
    "equals": _compared,
    "not_equals": _compared,
    **{
        f"{order}_{kind}": _compared
        for order in ("less", "greater", "less_equals", "greater_equals")
        for kind in ("string", "bytes")
    },
}
