"""The selectors of a device that say the same as the values of a demand on a label."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from dralint.convert.translate import values
from dralint.convert.translate.demands import Demand
from dralint.convert.translate.expressions import Test, equal, every, one_of, quoted, some
from dralint.convert.translate.values import Product
from dralint.nvidia.accelerators import gfd_product
from dralint.nvidia.node_labels import Device, NodeLabel, maps
from dralint.nvidia.target import Target

_SHARED = "it says that GPUs are shared, and a claim holds whole devices"
_MIG = "nvidia.com/mig-"
_Value = TypeVar("_Value")


class Pin(NamedTuple):
    """One number of a version that must have one value.

    reads  the version in CEL; name: `major`, `minor` or `patch`; others: those that make a version with it
    """

    reads: str
    name: str
    others: tuple[str, ...]
    value: int


class Selects(NamedTuple):
    """A selector says the same of the device.

    rank  where it stands among other selectors
    note  what a person should know, without a full stop
    """

    test: Test
    rank: int
    pin: Pin | None = None
    note: str = ""


def same_version(reads: str, version: str) -> Test:
    """The version is this one: three numbers without leading zeros."""
    return equal(f"{reads}.compareTo(semver('{version}'))", "0")


def _mapped(read: Callable[[str], _Value | None], written: Sequence[str]) -> list[_Value]:
    """The values that a device can have, each once."""
    return list(dict.fromkeys(value for each in written if (value := read(each)) is not None))


def _of_slices(label: str, device: Device) -> bool:
    """Whether a product label is about MIG devices, so that it names their profile."""
    return device.kind == "slice" or label.startswith(_MIG)


def _products(demand: Demand, device: Device) -> tuple[list[Product], str]:
    """The products that a demand names, and what is to be said of them."""
    of_slices = _of_slices(demand.key, device)
    found = [each for value in demand.values if (each := values.product(value, device, of_slices=of_slices))]
    notes: dict[str, None] = {}
    if any(each.shared for each in found):
        notes[_SHARED] = None
    if demand.operator == "NotIn":
        # It keeps out the GPUs that are shared; no claim gets such a one.
        found = [each for each in found if not each.shared]
    for each in found:
        if each.card is not None and each.renamed:
            notes[f"{each.label} is what older GPU drivers call {each.card.name}"] = None
    return found, "; ".join(notes)


def _named(reads: str, products: Sequence[Product]) -> Test:
    if all(each.card is not None for each in products):
        return one_of(reads, [quoted(each.card.name) for each in products if each.card is not None])
    # Of one that is not in the catalogue only the spelling in labels is known.
    spelt = [each.label if each.card is None else gfd_product(each.card.name) for each in products]
    return one_of(f"{reads}.replace(' ', '-')", [quoted(each) for each in spelt])


def _product(reads: str, products: Sequence[Product], device: Device) -> Test:
    """The device is one of the products."""
    if device.kind != "slice" or device.profile is not None:
        # The request itself asks for the profile, and products of others are left out.
        return _named(reads, products)
    profiles: dict[str, dict[str, None]] = {}
    by_label = {each.label: each for each in products}
    for each in products:
        profiles.setdefault(each.label, {})[quoted(each.profile or "")] = None
    groups: dict[tuple[str, ...], list[Product]] = {}
    for label, listed in profiles.items():
        groups.setdefault(tuple(listed), []).append(by_label[label])
    profile = f"{maps()['attributes']}.profile"
    return some(every([_named(reads, group), one_of(profile, listed)]) for listed, group in groups.items())


def _memory(demand: Demand, label: NodeLabel, device: Device, target: Target) -> tuple[Test | None, str]:
    """The device has one of the sizes, and what is to be said of them."""
    reads = label.reads or ""
    tests: list[Test] = []
    old: list[str] = []
    notes: list[str] = []
    for size in _mapped(values.number, demand.values):
        showed = values.showed(size, target) if device.kind == "gpu" else []
        if showed:
            old += [quoted(card.name) for card in showed]
            notes.append(f"{size} MiB is what GPU drivers too old for DRA showed")
        else:
            least = Test(f"{reads}.compareTo(quantity('{size}Mi')) >= 0")
            tests.append(every([least, Test(f"{reads}.isLessThan(quantity('{size + 1}Mi'))")]))
    if tests and label.lacking:
        tests = [every([Test(f"has({reads})"), some(tests)])]
    if old:
        tests.append(one_of(f"{maps()['attributes']}.productName", old))
    return some(tests) if tests else None, "; ".join(notes)


def _numbers(demand: Demand, label: NodeLabel) -> Selects | None:
    reads, part = label.reads or "", label.part
    numbers = _mapped(values.part if part and part.zeros else values.number, demand.values)
    if not numbers:
        return None
    pin = None
    if part is not None:
        if len(numbers) == 1 and demand.operator == "In":
            pin = Pin(reads, part.name, part.others, numbers[0])
        reads = f"{reads}.{part.name}()"
    return Selects(one_of(reads, [str(each) for each in numbers]), label.rank, pin)


def one_of_values(demand: Demand, label: NodeLabel, device: Device, target: Target) -> Selects | None:
    """The selector for the values of In and NotIn, as if it were In; None where no device has any."""
    reads, note = label.reads or "", ""
    test: Test | None = None
    if label.values in ("number", "part"):
        return _numbers(demand, label)
    if label.values == "family":
        names = _mapped(values.family, demand.values)
        test = one_of(reads, [quoted(each) for each in names]) if names else None
    elif label.values == "product":
        products, note = _products(demand, device)
        test = _product(reads, products, device) if products else None
    elif label.values == "mebibytes":
        test, note = _memory(demand, label, device, target)
    else:
        versions = _mapped(values.version, demand.values)
        test = some(same_version(reads, each) for each in versions) if versions else None
    return Selects(test, label.rank, None, note) if test is not None else None
