"""Numbers of the cost estimate: ranges of sizes and costs, and what the device's parts can be long.

Sources: cel-go checker/cost.go; dynamic-resource-allocation/cel/compile.go (sizeEstimator).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from dralint.cel.device.celtypes import Type
from dralint.cel.device.tree import Node

TOP = 2**64 - 1
STRING_FACTOR = 0.1
REGEX_FACTOR = 0.25

Path = tuple[str, ...]


class Range(NamedTuple):
    """From `low` to `high`, sizes or costs."""

    low: int
    high: int


UNKNOWN = Range(0, TOP)
ZERO, ONE = Range(0, 0), Range(1, 1)


def fixed(value: int) -> Range:
    """Exactly this."""
    return Range(value, value)


def add(*ranges: Range) -> Range:
    """The sum, which stays at TOP."""
    return Range(min(TOP, sum(each.low for each in ranges)), min(TOP, sum(each.high for each in ranges)))


def times(left: Range, right: Range) -> Range:
    """The product, which stays at TOP."""
    return Range(min(TOP, left.low * right.low), min(TOP, left.high * right.high))


def _scaled(value: int, factor: float) -> int:
    product = math.ceil(float(value) * factor)
    return TOP if product >= 2**64 else product


def scaled(size: Range, factor: float) -> Range:
    """The product with a factor, rounded up, in floating point as Go computes it."""
    return Range(_scaled(size.low, factor), _scaled(size.high, factor))


def union(left: Range, right: Range) -> Range:
    """What covers both."""
    return Range(min(left.low, right.low), max(left.high, right.high))


class Argument(NamedTuple):
    """A receiver or argument of a call.

    size  None where nothing is known of it
    """

    node: Node
    type: Type
    path: Path
    size: Range | None

    @property
    def length(self) -> Range:
        """The size, UNKNOWN where nothing is known."""
        return UNKNOWN if self.size is None else self.size


# resource.k8s.io/v1 types.go: DriverNameMaxLength, DeviceMaxDomainLength, DeviceMaxIDLength,
# ResourceSliceMaxAttributesAndCapacitiesPerDevice, DeviceAttributeMaxValueLength.
_DRIVER, _DOMAIN, _ID, _ENTRIES, _ATTRIBUTE = 63, 63, 32, 32, 64
_KEYS, _VALUES = "@keys", "@values"


def device_size(path: Path) -> Range | None:
    """How long the part of the device under this path can be; None where Kubernetes does not say."""
    if not path or path[0] != "device":
        return None
    match path[1:]:
        case ():
            return ZERO
        case ("driver",):
            return Range(0, _DRIVER)
        case ("allowMultipleAllocations",):
            return Range(0, 1)
        case ("attributes" | "capacity",):
            return Range(0, _ENTRIES)
        case ("attributes" | "capacity", inner):
            return {_KEYS: Range(0, _DOMAIN), _VALUES: Range(0, _ENTRIES)}.get(inner)
        case ("attributes" | "capacity", inner, key) if inner == _VALUES and key == _KEYS:
            return Range(0, _ID)
        case ("attributes", inner, _) if inner == _VALUES:
            # Kubernetes gives every attribute this size, whatever its name.
            return Range(0, _ATTRIBUTE)
        case ("capacity", inner, value) if inner == _VALUES and value == _VALUES:
            return ZERO
    return None


class Estimate(NamedTuple):
    """A call's own cost, without its arguments; result: the size of what it gives, None if unknown."""

    cost: Range
    result: Range | None = None


Estimator = Callable[[Argument | None, list[Argument]], Estimate | None]


def traversal(argument: Argument, factor: float = STRING_FACTOR) -> Range:
    """The cost of going through a text once."""
    return scaled(argument.length, factor)
