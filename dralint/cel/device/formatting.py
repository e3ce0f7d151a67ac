"""`"...".format([...])` as cel-go's strings extension before version 4 writes it.

Source: cel-go ext/formatting.go; numbers are written in the locale en_US without group separators.
"""

from __future__ import annotations

import re
from typing import Any

from dralint.cel.device.conversions import double_to_string
from dralint.cel.device.limits import Budget, bounded, room_for, spend_ours
from dralint.cel.device.registry import generic, implementations
from dralint.cel.device.values import (
    NO_SUCH_OVERLOAD,
    CelError,
    Domains,
    Duration,
    Timestamp,
    TypeValue,
    Uint,
    from_key,
    type_name,
)

CLAUSE = re.compile(r"%(?:%|(?:\.([0-9]*))?(.?))", re.DOTALL)
MAX_PRECISION = 1_000
_DEFAULT_PRECISION = 6
_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_INTEGERS = (int, Uint)


@generic("format")
def _format(budget: Budget, text: Any, args: Any) -> str:
    if type(text) is not str or type(args) is not list:
        raise CelError(NO_SUCH_OVERLOAD)
    made: list[str] = []
    position, used, size = 0, 0, 0
    for clause in CLAUSE.finditer(text):
        made.append(text[position : clause.start()])
        position = clause.end()
        if clause.group() == "%%":
            made.append("%")
            continue
        if used >= len(args):
            raise CelError(f"index {used} out of range")
        made.append(_clause(budget, clause, args[used]))
        used += 1
        size += len(made[-1])
        room_for(size)
    if used < len(args):
        raise CelError(f"too many arguments supplied to string.format (expected {used}, got {len(args)})")
    return bounded("".join([*made, text[position:]]))  # type: ignore[no-any-return]


def _clause(budget: Budget, clause: re.Match[str], value: Any) -> str:
    digits, letter = clause[1], clause[2]
    if digits and (len(digits) > 4 or int(digits) > MAX_PRECISION):
        raise CelError(f"precision of more than {MAX_PRECISION}")
    precision = int(digits) if digits else _DEFAULT_PRECISION if digits is None else 0
    match letter:
        case "s":
            return _string(budget, value)
        case "d":
            return _decimal(value)
        case "f":
            return _fixed(value, precision)
        case "e":
            return _scientific(value, precision)
        case "b":
            return _binary(value)
        case "x" | "X":
            return _hexadecimal(value, letter == "X")
        case "o":
            return _octal(value)
    raise CelError(f'could not parse formatting clause: unrecognized formatting clause "{letter}"')


def _refused(letter: str, kinds: str, value: Any) -> CelError:
    return CelError(f"{letter} clause can only be used on {kinds}, was given {type_name(value)}")


def _string(budget: Budget, value: Any) -> str:
    """Any value but optionals and Kubernetes' own; inside of lists and maps strings are not quoted."""
    spend_ours(budget, 5)
    kind = type(value)
    if kind is str:
        return str(value)
    if kind is list:
        return "[" + ", ".join([_string(budget, each) for each in value]) + "]"
    if kind is dict or kind is Domains:
        parts = [f"{_string(budget, from_key(key))}: {_string(budget, each)}" for key, each in value.items()]
        return "{" + ", ".join(sorted(parts)) + "}"
    if value is None:
        return "null"
    if kind is TypeValue:
        return str(value.name)
    if kind is float:
        return double_to_string(value)
    if kind in (bool, int, Uint, bytes, Duration, Timestamp):
        if kind in (Duration, Timestamp):
            implementations("timestamp")
        return str(implementations("string")[0][(kind,)](value))
    raise _refused(
        "string", "strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps", value
    )


def _not_finite(value: float) -> str | None:
    return {"nan": "NaN", "inf": "∞", "-inf": "-∞"}.get(repr(value))


def _decimal(value: Any) -> str:
    if type(value) in _INTEGERS:
        return str(int(value))
    raise _refused("decimal", "integers", value)


def _number(value: Any, letter: str) -> float:
    if type(value) is float:
        return value
    if type(value) is str and value in ("NaN", "Infinity", "-Infinity"):
        return float(value.replace("Infinity", "inf"))
    raise _refused(letter, "doubles", value)


def _fixed(value: Any, precision: int) -> str:
    number = _number(value, "fixed-point")
    return _not_finite(number) or f"{number:.{precision}f}"


def _scientific(value: Any, precision: int) -> str:
    number = _number(value, "scientific")
    special = _not_finite(number)
    if special:
        return special
    mantissa, _, exponent = f"{number:.{precision}e}".partition("e")
    digits = f"{int(exponent):03d}" if int(exponent) < 0 else f"{int(exponent):02d}"
    return f"{mantissa}\u202f×\u202f10{digits.translate(_SUPERSCRIPT)}"  # noqa: RUF001  # it is a times sign


def _binary(value: Any) -> str:
    if type(value) in (*_INTEGERS, bool):
        return f"{int(value):b}"
    raise _refused("only integers and bools can be formatted as binary: binary", "integers and bools", value)


def _hexadecimal(value: Any, upper: bool) -> str:
    if type(value) in _INTEGERS:
        shown = f"{int(value):x}"
    elif type(value) is str or type(value) is bytes:
        shown = value.hex() if isinstance(value, bytes) else value.encode().hex()
    else:
        raise _refused("hex", "integers, byte buffers, and strings", value)
    return shown.upper() if upper else shown


def _octal(value: Any) -> str:
    if type(value) in _INTEGERS:
        return f"{int(value):o}"
    raise _refused("octal", "integers", value)
