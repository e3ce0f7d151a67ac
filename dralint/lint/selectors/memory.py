"""Selectors on memory: thresholds, and the devices that miss them by a little."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from dralint.cel.anatomy import Comparison, Constant
from dralint.inventory.device import Device
from dralint.kube.quantity import parse_quantity
from dralint.lint.selectors.evaluation import Outcome, Part
from dralint.lint.selectors.names import comparisons, meaning, part_of
from dralint.lint.selectors.stock import called, likeliest, memory_of, text_of
from dralint.lint.selectors.view import View
from dralint.nvidia.vocabulary import sold_sizes

GI, GB = 1024**3, 1000**3
_MEMORY = "memory"
_MOST = 4
_PROFILE_GB = re.compile(r"[0-9]+g\.([0-9]+)gb")
_HOLDS: Mapping[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_DECIMAL = re.compile(r"[0-9.]+(?:[eE][0-9]+|[kMGTPE])")


class Test(NamedTuple):
    """A comparison of memory with a quantity; size: in bytes."""

    selector: int
    comparison: Comparison
    constant: Constant
    size: int

    def holds(self, memory: int) -> bool:
        """Whether a device with so many bytes passes."""
        return _HOLDS[self.comparison.operator](memory, self.size)

    def is_sold_as(self, each: Sized) -> bool:
        """Whether the device is called by just the size that is asked for."""
        return self.size in [gb * unit for gb in each.labels for unit in (GI, GB)]

    @property
    def decimal(self) -> bool:
        """The unit is a power of ten."""
        return _DECIMAL.fullmatch(str(self.constant.value)) is not None


def tests(view: View) -> list[Test]:
    """The comparisons of NVIDIA's memory capacity in a view."""
    found: list[Test] = []
    for index, comparison in comparisons(view):
        if len(found) == _MOST:
            break
        known = meaning(view, comparison.read)
        if (
            known is None
            or known.name != _MEMORY
            or known.map != "capacity"
            or len(comparison.constants) != 1
        ):
            continue
        (constant,) = comparison.constants
        quantity = parse_quantity(str(constant.value)) if constant.function == "quantity" else None
        if quantity is not None and comparison.operator in _HOLDS and not comparison.through:
            found.append(Test(index, comparison, constant, int(quantity.value)))
    return found


class Sized(NamedTuple):
    """A device with its memory in bytes."""

    device: Device
    memory: int

    @property
    def name(self) -> str:
        """Its card, and its profile if it has one."""
        return called(self.device)

    @property
    def labels(self) -> Sequence[int]:
        """The sizes in GB that its profile, or what the card is sold as, says."""
        profile = text_of(self.device, "profile")
        if profile is not None:
            match = _PROFILE_GB.match(profile)
            return [int(match[1])] if match else []
        gib = self.memory / GI
        return [size.gb for size in sold_sizes() if size.least <= gib <= size.gb]


class Candidates(NamedTuple):
    """The devices that all other clauses let through, as they are most likely."""

    outcome: Outcome
    part: Part
    devices: list[Sized]

    def missing(self, test: Test) -> list[Sized]:
        """Those that have less than what the test asks for, but are called by just that size; each name once."""
        found = {
            each.name: each for each in self.devices if not test.holds(each.memory) and test.is_sold_as(each)
        }
        return list(found.values())


def candidates(view: View, test: Test) -> Candidates | None:
    """What is left for a test that must hold; None where it is no clause of its own."""
    part = part_of(view, test.selector, test.comparison)
    if part is None or view.outcome is None:
        return None
    rows = view.outcome.rows
    devices = [
        Sized(device, memory)
        for index, device in likeliest(rows, view.outcome.passing(but=part))
        if (memory := memory_of(rows.row(index).value)) is not None and _MEMORY not in device.estimated
    ]
    return Candidates(view.outcome, part, devices)


def lowered(memory: int) -> str:
    """The largest whole number of GiB that is not more, else MiB: `79Gi`."""
    return f"{memory // GI}Gi" if memory >= GI else f"{memory // 1024**2}Mi"
