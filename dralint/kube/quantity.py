"""Kubernetes quantities, and the whole numbers that GPU counts must be."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from dralint.yamltext.node import SCALAR, Node, deref
from dralint.yamltext.scalars import resolve

_NUMBER = re.compile(
    r"(?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))(?P<suffix>[A-Za-z]{0,2}|[eE][+-]?[0-9]+)\Z"
)
_SUFFIXES = {
    "": Decimal(1),
    **{f"{letter}i": Decimal(1024**power) for power, letter in enumerate("KMGTPE", 1)},
    **{suffix: Decimal(10) ** power for suffix, power in zip("kMGTPE", range(3, 19, 3), strict=True)},
    **{suffix: Decimal(10) ** -power for suffix, power in zip("mun", (3, 6, 9), strict=True)},
}
_PLAIN = re.compile(r"[1-9][0-9]*\Z")
# The API server takes any integer, no node has this many devices; past it a count is a slip.
_MAX_DIGITS = 9
_MAX_LENGTH = 64


class Quantity(NamedTuple):
    """A quantity; `value` in units of 1 (bytes for memory)."""

    value: Decimal

    @property
    def whole(self) -> int | None:
        """The value as an integer, None when it is a fraction."""
        return int(self.value) if self.value == self.value.to_integral_value() else None


def parse_quantity(text: str) -> Quantity | None:
    """`500m`, `1Gi`, `1e3`; None for what k8s.io/apimachinery's ParseQuantity refuses."""
    match = _NUMBER.match(text) if len(text) <= _MAX_LENGTH else None
    if match is None:
        return None
    suffix = match["suffix"]
    if suffix[1:].lstrip("+-").isdigit():
        exponent = int(suffix[1:])
        return Quantity(Decimal(match["number"]).scaleb(exponent)) if abs(exponent) <= _MAX_LENGTH else None
    factor = _SUFFIXES.get(suffix)
    return None if factor is None else Quantity(Decimal(match["number"]) * factor)


class Count(NamedTuple):
    """A count of devices as a manifest writes it.

    text     the source text, quotes taken off; None for null
    value    the whole number Kubernetes reads, None when it reads none
    exact    the text is the decimal number itself, so that it can be taken over as it stands
    problem  why it is not to be converted, None when `exact`
    """

    text: str | None
    value: int | None
    exact: bool
    problem: str | None


def parse_count(node: Node | None) -> Count:
    """The count at a node. Only `0` and `[1-9][0-9]*` are exact: `010` is 8 in Kubernetes, `1_0` is 10."""
    if node is None:
        return Count(None, None, exact=False, problem="the count is missing")
    node = deref(node)
    if node.kind != SCALAR:
        return Count(None, None, exact=False, problem="the count is not a number")
    value = resolve(node)
    text = node.text
    if value is None:
        return Count(None, None, exact=False, problem="the count is empty")
    if isinstance(value, bool):
        return Count(text, None, exact=False, problem="the count is not a number")
    if (_PLAIN.match(text) and len(text) <= _MAX_DIGITS) or text == "0":
        return Count(text, int(text), exact=True, problem=None)
    if isinstance(value, str) and ("{{" in text or "$" in text):
        return Count(text, None, exact=False, problem="the count is filled in by a template")
    quantity = parse_quantity(
        value if isinstance(value, str) else format(value, "g" if isinstance(value, float) else "")
    )
    if quantity is None:
        return Count(text, None, exact=False, problem="the count is not a number")
    if quantity.whole is None:
        return Count(text, None, exact=False, problem="the count is not a whole number")
    if quantity.whole < 0:
        return Count(text, quantity.whole, exact=False, problem="the count is negative")
    problem = f"the count is written in a way that Kubernetes reads as {quantity.whole}"
    return Count(text, quantity.whole, exact=False, problem=problem)
