"""Kubernetes quantities (`80Gi`) with the two forms that Go gives them, which CEL lets one see.

Source: k8s.io/apimachinery pkg/api/resource/quantity.go and amount.go.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from dralint.cel.device.values import (
    GO_TYPE_NAMES,
    MAX_INT,
    MIN_INT,
    TYPE_NAMES,
    CelError,
    LimitReached,
)

# Go computes with numbers of any size; these bounds keep us from it.
MAX_DIGITS = 400
MAX_EXPONENT = 100

_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_SUFFIX = "unable to parse quantity's suffix"
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_PARTS = re.compile(r"([+-]?)(0*)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)\Z", re.ASCII)
_MAX_INT64_DIGITS = 18
_NANO = -9


class Quantity(NamedTuple):
    """unscaled * 10**scale.

    exact   it has Go's decimal form (inf.Dec), which is never an integer to CEL
    result  it came out of add() or sub(): a pointer in Go, which equals nothing from the left
    """

    unscaled: int
    scale: int
    exact: bool = False
    result: bool = False


TYPE_NAMES[Quantity] = "kubernetes.Quantity"
GO_TYPE_NAMES[Quantity] = "cel.Quantity"


def parse(text: str) -> Quantity:
    """A quantity from its text. Raises CelError with Kubernetes' words, LimitReached for absurd sizes."""
    found = _PARTS.match(text) if text else None
    if not found:
        raise CelError(_FORMAT)
    sign, _, whole, fraction, suffix = found[1], found[2], found[3], found[4] or "", found[5]
    if len(text) > MAX_DIGITS:
        raise LimitReached(f"a quantity of more than {MAX_DIGITS} characters")
    number = whole or "0"
    negative = sign == "-"
    if suffix in _DECIMAL:
        exponent, binary = _DECIMAL[suffix], False
    elif suffix in _BINARY:
        exponent, binary = _BINARY[suffix], True
    elif suffix[:1] in ("e", "E") and re.fullmatch(r"[+-]?[0-9]+", suffix[1:]):
        exponent, binary = int(suffix[1:]), False
        if abs(exponent) > MAX_EXPONENT:
            raise LimitReached(f"a quantity with an exponent of more than {MAX_EXPONENT}")
    else:
        raise CelError(_SUFFIX)
    fast = _fast(number, fraction, exponent, binary)
    if fast is not None:
        return Quantity(-fast.unscaled if negative else fast.unscaled, fast.scale)
    return _decimal(int(number + fraction), -len(fraction), exponent, binary, negative)


def _fast(whole: str, fraction: str, exponent: int, binary: bool) -> Quantity | None:
    """Go's form of an int64 and a scale, where it thinks that the number fits."""
    if binary:
        if fraction:
            return None
        factor, scale = 1 << exponent, 0
        precision = 15 - len(whole) - int(exponent * 3 / 10) - 1
    else:
        factor, scale = 1, exponent - len(fraction)
        precision = _MAX_INT64_DIGITS - len(whole) - len(fraction)
    if precision < 0 or scale < _NANO:
        return None
    value = int(whole + fraction) * factor
    return Quantity(value, scale) if value <= MAX_INT else None


def _decimal(unscaled: int, scale: int, exponent: int, binary: bool, negative: bool) -> Quantity:
    """Go's decimal form: rounded up to nanos, binary ones capped at the largest int64."""
    if binary:
        unscaled <<= exponent
    else:
        scale += exponent
    if scale < _NANO:
        unscaled, scale = -(-unscaled // 10 ** (_NANO - scale)), _NANO
    else:
        unscaled, scale = unscaled * 10 ** (scale - _NANO), _NANO
    if binary and unscaled > MAX_INT * 10**-_NANO:
        unscaled, scale = MAX_INT, 0
    return Quantity(-unscaled if negative else unscaled, scale, exact=True)


def compare(left: Quantity, right: Quantity) -> int:
    """-1, 0 or 1."""
    lowest = min(left.scale, right.scale)
    a: int = left.unscaled * 10 ** (left.scale - lowest)
    b: int = right.unscaled * 10 ** (right.scale - lowest)
    return (a > b) - (a < b)


def as_int(quantity: Quantity) -> int | None:
    """The whole number, where Go's form of the quantity shows one."""
    if quantity.exact or quantity.scale < 0:
        return None
    value: int = quantity.unscaled * 10**quantity.scale
    return value if MIN_INT <= value <= MAX_INT else None


def as_float(quantity: Quantity) -> float:
    """The nearest double, computed as Go does."""
    try:
        base = float(quantity.unscaled)
    except OverflowError:
        base = math.inf
    return base * 10.0**quantity.scale if quantity.scale else base


def add(left: Quantity, right: Quantity) -> Quantity:
    """The sum, kept in Go's short form as long as it fits."""
    if not left.exact and not right.exact:
        if right.unscaled == 0:
            return left._replace(result=True)
        if left.unscaled == 0:
            return right._replace(result=True)
    scale = min(left.scale, right.scale)
    a = left.unscaled * 10 ** (left.scale - scale)
    b = right.unscaled * 10 ** (right.scale - scale)
    fits = all(MIN_INT <= each <= MAX_INT for each in (a, b, a + b))
    if len(str(a + b)) > MAX_DIGITS:
        raise LimitReached(f"a quantity of more than {MAX_DIGITS} digits")
    return Quantity(a + b, scale, left.exact or right.exact or not fits, result=True)


def subtract(left: Quantity, right: Quantity) -> Quantity:
    """The difference."""
    return add(left, right._replace(unscaled=-right.unscaled))
