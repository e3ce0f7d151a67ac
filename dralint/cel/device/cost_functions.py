"""What calls of functions cost, and how large their results can be.

Sources: cel-go checker/cost.go, ext/lists.go, ext/sets.go; kubernetes apiserver/pkg/cel/library/cost.go.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from dralint.cel.device.celtypes import Type
from dralint.cel.device.cost_values import (
    ONE,
    REGEX_FACTOR,
    STRING_FACTOR,
    TOP,
    UNKNOWN,
    ZERO,
    Argument,
    Range,
    add,
    device_size,
    fixed,
    scaled,
    times,
)
from dralint.cel.device.tree import Const

_CREATE_LIST = 10
_MAX_INCLUDES = 48
_MAX_FORMAT_SIZE = 64
_MAX_NAME_PATTERN = 128
# An address is 4 or 16 bytes.
_ADDRESS = Range(4, 16)


class Estimate(NamedTuple):
    """A call's own cost, without its arguments; result: the size of what it gives, None if unknown."""

    cost: Range
    result: Range | None = None


Estimator = Callable[[Argument | None, list[Argument]], Estimate | None]


def _traversal(argument: Argument, factor: float = STRING_FACTOR) -> Range:
    return scaled(argument.length, factor)


def _parsed(_: Argument | None, args: list[Argument]) -> Estimate | None:
    return Estimate(_traversal(args[0])) if args else None


def _url(_: Argument | None, args: list[Argument]) -> Estimate | None:
    return Estimate(_traversal(args[0]), args[0].length) if len(args) == 1 else None


def _whole_text(target: Argument | None, _: list[Argument]) -> Estimate | None:
    return Estimate(_traversal(target), target.length) if target else None


def _element(target: Argument) -> Argument | None:
    """The elements of a list; None when the type has none (a string, any)."""
    if len(target.type) < 2:
        return None
    path = (*target.path, "@items") if target.path else ()
    return Argument(target.node, target.type[1], path, device_size(path))


def _list_or_text(target: Argument | None, _: list[Argument]) -> Estimate | None:
    """isSorted, sum, min, max, indexOf, lastIndexOf: each element, and texts to their ends."""
    if not target:
        return None
    element = _element(target)
    if element is None:
        return Estimate(_traversal(target))
    each = add(ONE, _traversal(element)) if element.type[0] in ("string", "bytes") else ONE
    return Estimate(times(target.length, each))


def _replace(target: Argument | None, args: list[Argument]) -> Estimate | None:
    if not target or len(args) < 2:
        return None
    size, old, new = target.length, args[0].length, args[1].length
    most, kept_most = _replacements(size.high, old.low, new.high <= old.low)
    least, kept_least = _replacements(size.low, old.high, old.high <= new.low)
    result = add(times(Range(least, most), new), Range(kept_least, kept_most))
    return Estimate(_traversal(target, 2 * STRING_FACTOR), result)


def _replacements(size: int, old: int, keeps_size: bool) -> tuple[int, int]:
    """How often a text of `size` can hold one of `old` characters, and how much of it stays."""
    if old == 0:
        return min(TOP, size + 1), size
    if keeps_size:
        return 0, size
    return math.ceil(float(size) / float(old)) if size < TOP or old > 1 else TOP, 0


def _split(target: Argument | None, args: list[Argument]) -> Estimate | None:
    if not target:
        return None
    most = target.length.high
    if len(args) > 1 and isinstance(args[1].node, Const) and type(args[1].node.value) is int:
        most = args[1].node.value % (TOP + 1)
    return Estimate(_traversal(target, 2 * STRING_FACTOR), Range(0, most))


def _join(target: Argument | None, args: list[Argument]) -> Estimate | None:
    if not target:
        return None
    count, separator = target.length, args[0].length if args else ZERO
    element = _element(target)
    each = element.length if element else UNKNOWN
    gaps = Range(max(count.low - 1, 0), max(count.high - 1, 0))
    size = add(times(count, each), times(gaps, separator))
    return Estimate(scaled(size, STRING_FACTOR), size)


def _search(target: Argument | None, args: list[Argument]) -> Estimate | None:
    """matches, find, findAll: the text times a quarter of the pattern."""
    if not target or not args:
        return None
    text = scaled(add(target.length, ONE), STRING_FACTOR)
    return Estimate(times(text, scaled(args[0].length, REGEX_FACTOR)))


def _find(target: Argument | None, args: list[Argument]) -> Estimate | None:
    found = _search(target, args)
    return found and target and Estimate(found.cost, target.length)


def _contains_address(_: Argument | None, args: list[Argument]) -> Estimate | None:
    if not args:
        return None
    cost = scaled(add(_ADDRESS, _ADDRESS), STRING_FACTOR)
    return Estimate(add(cost, _traversal(args[0])) if args[0].type == ("string",) else cost)


def _contains_network(target: Argument | None, args: list[Argument]) -> Estimate | None:
    found = _contains_address(target, args)
    return found and Estimate(add(found.cost, ONE))


def _canonical(_: Argument | None, args: list[Argument]) -> Estimate | None:
    return Estimate(_traversal(args[0], 2 * STRING_FACTOR)) if args else None


def _validate(target: Argument | None, args: list[Argument]) -> Estimate | None:
    if not target or not args:
        return None
    return Estimate(scaled(_traversal(args[0]), _MAX_NAME_PATTERN * REGEX_FACTOR))


def _includes(target: Argument | None, _: list[Argument]) -> Estimate | None:
    return Estimate(fixed(_MAX_INCLUDES)) if target else None


_SAME_TYPE_ONE = frozenset(("net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver"))


def _equality(_: Argument | None, args: list[Argument]) -> Estimate | None:
    """Kubernetes' own types compare at a cost of one."""
    if len(args) != 2 or args[0].type != args[1].type:
        return None
    name = args[0].type[0]
    if name in _SAME_TYPE_ONE:
        return Estimate(ONE)
    if name == "kubernetes.NamedFormat":
        return Estimate(scaled(Range(1, _MAX_FORMAT_SIZE), STRING_FACTOR))
    if name == "kubernetes.URL":
        known = args[1].size
        return Estimate(scaled(Range(1, known.high if known else 1), STRING_FACTOR))
    return None


_KUBERNETES: dict[str, Estimator] = {
    **dict.fromkeys(("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"), _list_or_text),
    **dict.fromkeys(("lowerAscii", "upperAscii", "substring", "trim"), _whole_text),
    **dict.fromkeys(("quantity", "isQuantity", "semver", "isSemver", "cidr", "isIP", "isCIDR"), _parsed),
    **dict.fromkeys(("find", "findAll"), _find),
    "url": _url,
    "replace": _replace,
    "split": _split,
    "join": _join,
    "containsIP": _contains_address,
    "containsCIDR": _contains_network,
    "ip.isCanonical": _canonical,
    "validate": _validate,
    "includes": _includes,
    "_==_": _equality,
}


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


def _range(target: Argument | None, args: list[Argument]) -> Estimate | None:
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


def _sort(target: Argument | None, args: list[Argument]) -> Estimate | None:
    return _square(target.length, target.type[1]) if target and len(target.type) > 1 else None


def _sort_by(target: Argument | None, args: list[Argument]) -> Estimate | None:
    keys = args[0] if args else None
    return _square(keys.length, keys.type[1]) if keys and len(keys.type) > 1 else None


def _sets(factor: float) -> Estimator:
    def estimate(_: Argument | None, args: list[Argument]) -> Estimate | None:
        if len(args) != 2:
            return None
        return Estimate(add(scaled(times(args[0].length, args[1].length), factor), ONE))

    return estimate


_EXTENSIONS: dict[str, Estimator] = {
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


def _quoted(_: Argument | None, args: list[Argument]) -> Estimate | None:
    size = args[0].length
    return Estimate(_traversal(args[0]), Range(min(TOP, size.low + 2), min(TOP, size.high * 2 + 2)))


def _to_bytes(_: Argument | None, args: list[Argument]) -> Estimate | None:
    size = args[0].length
    return Estimate(_traversal(args[0]), Range(size.low, size.high * 4 % (TOP + 1)))


def _to_text(_: Argument | None, args: list[Argument]) -> Estimate | None:
    size = args[0].length
    return Estimate(_traversal(args[0]), Range(size.low // 4, size.high))


def _affix(_: Argument | None, args: list[Argument]) -> Estimate | None:
    return Estimate(_traversal(args[0])) if len(args) == 1 else None


def _in_list(_: Argument | None, args: list[Argument]) -> Estimate | None:
    return Estimate(scaled(args[1].length, 1)) if len(args) == 2 else None


def _contains(target: Argument | None, args: list[Argument]) -> Estimate | None:
    if not target or len(args) != 1:
        return None
    return Estimate(times(_traversal(target), _traversal(args[0])))


def _joined(_: Argument | None, args: list[Argument]) -> Estimate | None:
    size = add(args[0].length, args[1].length)
    return Estimate(scaled(size, STRING_FACTOR), size)


def _joined_lists(_: Argument | None, args: list[Argument]) -> Estimate | None:
    return Estimate(ONE, add(args[0].length, args[1].length))


def _compared(_: Argument | None, args: list[Argument]) -> Estimate | None:
    most = min(args[0].length.high, args[1].length.high)
    return Estimate(scaled(Range(1 if most else 0, most), STRING_FACTOR))


_OVERLOADS: dict[str, Estimator] = {
    "string_format": lambda target, _: Estimate(_traversal(target)) if target else None,
    "strings_quote": _quoted,
    "string_to_bytes": _to_bytes,
    "bytes_to_string": _to_text,
    "starts_with_string": _affix,
    "ends_with_string": _affix,
    "in_list": _in_list,
    "matches_string": lambda target, args: _search(target, args) if len(args) == 1 else None,
    "matches": lambda target, args: _search(target, args) if len(args) == 1 else None,
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


def estimate_call(name: str, overload: str, target: Argument | None, args: list[Argument]) -> Estimate:
    """One overload of a function."""
    for estimator in (_EXTENSIONS.get(name), _KUBERNETES.get(name), _OVERLOADS.get(overload)):
        found = estimator(target, args) if estimator else None
        if found is not None:
            return found
    if name == "ip" and target is None and args:
        return Estimate(_traversal(args[0]))
    return Estimate(ONE)
