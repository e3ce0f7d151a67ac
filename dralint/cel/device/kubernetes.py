"""Functions on quantities and versions, and `includes` on attributes.

Source: kubernetes apiserver/pkg/cel/library/quantity.go, semverlib.go; dynamic-resource-allocation/cel/compile.go.
"""

from __future__ import annotations

from typing import Any

from dralint.cel.device import quantity, semver
from dralint.cel.device.equality import contains, equal
from dralint.cel.device.limits import Budget
from dralint.cel.device.operators import checked_int
from dralint.cel.device.quantity import Quantity
from dralint.cel.device.registry import function, generic
from dralint.cel.device.semver import Semver
from dralint.cel.device.values import CelError

# resource.k8s.io/v1 types.go: the most values that an attribute's list may hold.
MAX_INCLUDES = 48

function("quantity", str)(quantity.parse)


@function("isQuantity", str)
def _is_quantity(text: str) -> bool:
    try:
        quantity.parse(text)
    except CelError:
        return False
    return True


@function("sign", Quantity)
def _sign(value: Quantity) -> int:
    return (value.unscaled > 0) - (value.unscaled < 0)


@function("isGreaterThan", Quantity, Quantity)
def _greater(left: Quantity, right: Quantity) -> bool:
    return quantity.compare(left, right) > 0


@function("isLessThan", Quantity, Quantity)
def _less(left: Quantity, right: Quantity) -> bool:
    return quantity.compare(left, right) < 0


function("compareTo", Quantity, Quantity)(quantity.compare)
function("asApproximateFloat", Quantity)(quantity.as_float)
function("add", Quantity, Quantity)(quantity.add)
function("sub", Quantity, Quantity)(quantity.subtract)


@function("asInteger", Quantity)
def _as_integer(value: Quantity) -> int:
    number = quantity.as_int(value)
    if number is None:
        raise CelError("cannot convert value to integer")
    return number


@function("isInteger", Quantity)
def _is_integer(value: Quantity) -> bool:
    return quantity.as_int(value) is not None


@function("add", Quantity, int)
def _add_int(left: Quantity, right: int) -> Quantity:
    return quantity.add(left, Quantity(right, 0))


@function("sub", Quantity, int)
def _subtract_int(left: Quantity, right: int) -> Quantity:
    return quantity.subtract(left, Quantity(right, 0))


function("semver", str)(semver.parse)


@function("semver", str, bool)
def _semver(text: str, normalize: bool) -> Semver:
    return semver.parse_normalized(text) if normalize else semver.parse(text)


@function("isSemver", str)
def _is_semver(text: str, normalize: bool = False) -> bool:
    try:
        _semver(text, normalize)
    except CelError:
        return False
    return True


function("isSemver", str, bool)(_is_semver)


@function("isGreaterThan", Semver, Semver)
def _newer(left: Semver, right: Semver) -> bool:
    return left.rank > right.rank


@function("isLessThan", Semver, Semver)
def _older(left: Semver, right: Semver) -> bool:
    return left.rank < right.rank


function("compareTo", Semver, Semver)(semver.compare)


@function("major", Semver)
def _major(version: Semver) -> int:
    return checked_int(version.major)


@function("minor", Semver)
def _minor(version: Semver) -> int:
    return checked_int(version.minor)


@function("patch", Semver)
def _patch(version: Semver) -> int:
    return checked_int(version.patch)


@generic("includes")
def _includes(budget: Budget, attribute: Any, value: Any) -> bool:
    if type(attribute) is not list:
        return equal(budget, attribute, value)
    if len(attribute) > MAX_INCLUDES:
        raise CelError(f"'includes' function cannot be applied to lists longer than {MAX_INCLUDES} values")
    return contains(budget, attribute, value)
