"""What calls of functions cost, and how large their results can be: Kubernetes' own, then cel-go's.

Source: kubernetes apiserver/pkg/cel/library/cost.go.
"""

from __future__ import annotations

import math

from dralint.cel.device.cost_lists import EXTENSIONS
from dralint.cel.device.cost_overloads import OVERLOADS, search
from dralint.cel.device.cost_values import (
    ONE,
    REGEX_FACTOR,
    STRING_FACTOR,
    TOP,
    UNKNOWN,
    ZERO,
    Argument,
    Estimate,
    Estimator,
    Range,
    add,
    device_size,
    fixed,
    scaled,
    times,
    traversal,
)
from dralint.cel.device.tree import Const

_MAX_INCLUDES = 48
_MAX_FORMAT_SIZE = 64
_MAX_NAME_PATTERN = 128
# An address is 4 or 16 bytes.
_ADDRESS = Range(4, 16)


def _parsed(_: Argument | None, args: list[Argument]) -> Estimate | None:
    return Estimate(traversal(args[0])) if args else None


def _url(_: Argument | None, args: list[Argument]) -> Estimate | None:
    return Estimate(traversal(args[0]), args[0].length) if len(args) == 1 else None


def _whole_text(target: Argument | None, _: list[Argument]) -> Estimate | None:
    return Estimate(traversal(target), target.length) if target else None


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
        return Estimate(traversal(target))
    each = add(ONE, traversal(element)) if element.type[0] in ("string", "bytes") else ONE
    return Estimate(times(target.length, each))


def _replace(target: Argument | None, args: list[Argument]) -> Estimate | None:
    if not target or len(args) < 2:
        return None
    size, old, new = target.length, args[0].length, args[1].length
    most, kept_most = _replacements(size.high, old.low, new.high <= old.low)
    least, kept_least = _replacements(size.low, old.high, old.high <= new.low)
    result = add(times(Range(least, most), new), Range(kept_least, kept_most))
    return Estimate(traversal(target, 2 * STRING_FACTOR), result)


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
    return Estimate(traversal(target, 2 * STRING_FACTOR), Range(0, most))


def _join(target: Argument | None, args: list[Argument]) -> Estimate | None:
    if not target:
        return None
    count, separator = target.length, args[0].length if args else ZERO
    element = _element(target)
    each = element.length if element else UNKNOWN
    gaps = Range(max(count.low - 1, 0), max(count.high - 1, 0))
    size = add(times(count, each), times(gaps, separator))
    return Estimate(scaled(size, STRING_FACTOR), size)


def _find(target: Argument | None, args: list[Argument]) -> Estimate | None:
    found = search(target, args)
    return found and target and Estimate(found.cost, target.length)


def _contains_address(_: Argument | None, args: list[Argument]) -> Estimate | None:
    if not args:
        return None
    cost = scaled(add(_ADDRESS, _ADDRESS), STRING_FACTOR)
    return Estimate(add(cost, traversal(args[0])) if args[0].type == ("string",) else cost)


def _contains_network(target: Argument | None, args: list[Argument]) -> Estimate | None:
    found = _contains_address(target, args)
    return found and Estimate(add(found.cost, ONE))


def _canonical(_: Argument | None, args: list[Argument]) -> Estimate | None:
    return Estimate(traversal(args[0], 2 * STRING_FACTOR)) if args else None


def _validate(target: Argument | None, args: list[Argument]) -> Estimate | None:
    if not target or not args:
        return None
    return Estimate(scaled(traversal(args[0]), _MAX_NAME_PATTERN * REGEX_FACTOR))


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


def estimate_call(name: str, overload: str, target: Argument | None, args: list[Argument]) -> Estimate:
    """One overload of a function."""
    for estimator in (EXTENSIONS.get(name), _KUBERNETES.get(name), OVERLOADS.get(overload)):
        found = estimator(target, args) if estimator else None
        if found is not None:
            return found
    if name == "ip" and target is None and args:
        return Estimate(traversal(args[0]))
    return Estimate(ONE)
