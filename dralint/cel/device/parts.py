"""What an expression consists of for those who judge its text: reads, constants, comparisons."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from dralint.cel.device.extents import Range

Map = Literal["attributes", "capacity", "driver", "other"]
Form = Literal["operator", "difference", "method"]


class Key(NamedTuple):
    """One step below `device.attributes` or `device.capacity`.

    text      None where it is no literal
    optional  `.?key` or `[?key]`
    range     the name, or the literal with its quotes
    """

    text: str | None
    optional: bool
    range: Range


class Read(NamedTuple):
    """A look at the device: `device.attributes["gpu.nvidia.com"].productName`.

    keys     below the map: the domain, the name, and what else there is
    tested   inside of `has(...)`
    written  it stands there as a whole, no part of it in a variable of `cel.bind`
    used     its value is used: it is not only asked whether it is there, looked into, or bound to a name
    """

    map: Map
    keys: tuple[Key, ...]
    tested: bool
    written: bool
    used: bool
    range: Range

    @property
    def domain(self) -> str | None:
        """The first key."""
        return self.keys[0].text if self.keys else None

    @property
    def name(self) -> str | None:
        """The second key."""
        return self.keys[1].text if len(self.keys) > 1 else None

    @property
    def guarded(self) -> bool:
        """A device without it is no error."""
        return self.tested or any(key.optional for key in self.keys)


class Constant(NamedTuple):
    """A literal, or one inside of `quantity("80Gi")` or `semver("9.0.0")`.

    value     None, bool, int, float, str or bytes
    function  "quantity", "semver" or ""
    lenient   `semver(text, true)`
    range     of the literal; whole: with the function
    """

    value: Any
    function: str
    lenient: bool
    range: Range
    whole: Range


class Comparison(NamedTuple):
    """A read compared with constants.

    operator   what must hold: "==", "!=", "<", "<=", ">", ">=", "in", "not in", or a method of texts
               ("contains"); negations around it are worked in, where that is possible
    written    the same as it stands there: an operator, or the method
    form       operator: `read > c`; difference: `read.compareTo(c) > 0`; method: `read.isGreaterThan(c)`
    through    functions between the read and the comparison: `lowerAscii`
    swapped    the constant stands on the left
    certain    a device for which it does not hold does not match
    sign       1; -1 inside a negation; 0 where it counts now and then, such as in `a ? b : c`
    subject    the read with the functions on it; sign_range: the operator or the method's call
    """

    read: Read
    operator: str
    written: str
    form: Form
    through: tuple[str, ...]
    constants: tuple[Constant, ...]
    swapped: bool
    certain: bool
    sign: int
    range: Range
    subject: Range
    sign_range: Range


class Anatomy(NamedTuple):
    """The parts of an expression.

    guards      what it makes sure of: (map, domain, name), by `has`, `in` or optional access
    calls       all `quantity("...")` and `semver("...")`
    conditions  reads that stand where true or false is wanted
    """

    reads: tuple[Read, ...]
    comparisons: tuple[Comparison, ...]
    guards: frozenset[tuple[str, str, str]]
    calls: tuple[Constant, ...]
    conditions: tuple[Read, ...]
