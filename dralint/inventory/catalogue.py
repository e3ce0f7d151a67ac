"""The card catalogue as an inventory: each card whole, and each slice that MIG can cut it into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dralint.inventory.bounds import NOT_SEEN
from dralint.inventory.device import Device, Inventory
from dralint.inventory.predict import (
    Address,
    Known,
    Memory,
    Publisher,
    card_values,
    make_publisher,
    predict,
)
from dralint.nvidia.cards import Card, MigProfile, cards, memory_text, memory_tolerance, slice_memory
from dralint.nvidia.published import compute_domain_devices, oldest_gpu_driver
from dralint.nvidia.target import Target

_NO_PROFILES = "nobody has shown the MIG profiles of this card"
_OTHER_PROFILE = "other drivers or boards call a slice so"


def _text(mib: int, when: str) -> str:
    return f"{memory_text(mib)} of memory ({when})"


def _branch(version: str) -> int:
    return int(version.partition(".")[0])


def _bounds(least: int, most: int) -> list[Memory]:
    return [Memory(least, seen=False), Memory(most, NOT_SEEN, seen=False)]


def _around(mib: int) -> list[Memory]:
    """How far off a size that was taken by analogy can be."""
    tolerance = memory_tolerance()
    return [Memory(int(mib * part), NOT_SEEN, seen=False) for part in (1 - tolerance, 1 + tolerance)]


def gpu_memory(card: Card, target: Target) -> list[Memory] | None:
    """The sizes that the whole card can show, see Known.

    With DynamicMIG the driver publishes the largest slice's, see dra-driver-nvidia-gpu, partitions.go.
    """
    if card.no_memory:
        return None
    if card.mig is not None and target.driver_gate("DynamicMIG"):
        return slice_sizes(card, max(card.mig.table.profiles, key=lambda each: each.slices))
    if card.memory is None:
        least, most = card.memory_between or (0, 0)
        return _bounds(least, most) if most else []
    sizes = [Memory(card.memory)]
    if "memory" in card.uncertain:
        sizes += _around(card.memory)
    # Older drivers than the DRA driver needs showed less; that is over.
    oldest = _branch(target.gpu_driver or oldest_gpu_driver())
    sizes += [
        Memory(other.memory, _text(other.memory, other.when))
        for other in card.other_memory
        if other.before is None or oldest < other.before
    ]
    return sizes


def _between(profile: str, totals: list[int]) -> list[Memory]:
    bounds = [bound for total in totals for bound in slice_memory(profile, total) or ()]
    if not bounds and totals:
        # The name follows no rule: it is a part of the card, more is not known.
        bounds = [1, max(totals)]
    if not bounds:
        return []
    return _bounds(min(bounds), max(bounds))


def _totals(card: Card) -> list[int]:
    """The memory that the card can have in all, with how far off it can be where it was never seen."""
    if card.memory is None:
        return []
    if "memory" not in card.uncertain:
        return [card.memory]
    return [int(card.memory * part) for part in (1 - memory_tolerance(), 1, 1 + memory_tolerance())]


def slice_sizes(card: Card, profile: MigProfile) -> list[Memory]:
    """The sizes that a slice of the card can show: by its table, or within bounds that its name sets."""
    if profile.memory is None:
        return _between(profile.name, _totals(card))
    others = (Memory(size, _text(size, "other drivers or boards")) for size in profile.also)
    unsure = _around(profile.memory) if "mig" in card.uncertain else ()
    return [Memory(profile.memory), *unsure, *others]


def doubt(card: Card, target: Target) -> str | None:
    """Why the card is not certain to exist as the catalogue has it."""
    if not card.uncertain.isdisjoint({"name", "architecture"}):
        return "nobody has shown what a driver reports of this card"
    return _too_new(card.driver, "driver" in card.uncertain, target)


def _too_new(needed: str | None, uncertain: bool, target: Target) -> str | None:
    if needed and target.gpu_driver and _branch(target.gpu_driver) < _branch(needed):
        return f"it {'may need' if uncertain else 'needs'} GPU driver {needed}"
    return None


def _mig_doubt(card: Card, target: Target) -> str | None:
    if "mig" in card.uncertain:
        return _NO_PROFILES
    return doubt(card, target) or _too_new(card.mig.driver if card.mig else None, False, target)


def known_gpu(card: Card, target: Target) -> Known:
    """What is known of the whole card."""
    return Known(card_values(card), gpu_memory(card, target), doubt=doubt(card, target))


def known_slice(card: Card, profile: MigProfile, target: Target) -> Known:
    """What is known of a MIG slice of the card."""
    more = {} if profile.multiprocessors is None else {"multiprocessors": profile.multiprocessors}
    values = {**card_values(card), "profile": profile.name}
    return Known(values, slice_sizes(card, profile), more, _mig_doubt(card, target))


def known_other_slice(card: Card, profile: str) -> Known:
    """What is known of a slice by a name that is not in the card's table."""
    totals = [card.memory, *(other.memory for other in card.other_memory if other.before is None)]
    values = {**card_values(card), "profile": profile}
    return Known(values, _between(profile, [total for total in totals if total]), {}, _OTHER_PROFILE)


def _vfio(card: Card) -> Known:
    """Its product name is that of the PCI database, which is not NVML's."""
    values: dict[str, str | int] = {"vendorID": "0x10de"}
    if len(card.pci) == 1:
        values["deviceID"] = f"0x{card.pci[0].lower()}"
    return Known(values)


def _card_devices(card: Card, target: Target, publisher: Publisher, only: str | None) -> Iterator[Device]:
    if only in (None, "gpu"):
        yield predict(publisher, "gpu", Address(card.name, "gpu"), known_gpu(card, target))
    if card.mig is not None and only in (None, "mig"):
        for profile in card.mig.table.profiles:
            address = Address(card.name, f"mig-{profile.name}")
            yield predict(publisher, "mig", address, known_slice(card, profile, target))
        for name in card.mig.other_profiles:
            yield predict(publisher, "mig", Address(card.name, f"mig-{name}"), known_other_slice(card, name))
    if "vfio" in publisher.attributes and only in (None, "vfio"):
        yield predict(publisher, "vfio", Address(card.name, "vfio"), _vfio(card))


def _domain_devices() -> Iterator[Device]:
    for each in compute_domain_devices():
        attributes: Mapping[str, object] = {"type": {"string": each.type}, "id": {"int": each.id}}
        yield Device(each.driver, each.driver, each.name, None, attributes, {})


def catalogue(target: Target, *, domains: bool = False, only: str | None = None) -> Inventory:
    """Every card of the catalogue as the target's driver would publish it: whole, and one slice of each profile.

    A device's pool is the card's product name.
    domains  with the devices of the ComputeDomain driver
    only     of the driver for GPUs the devices of this type ("gpu", "mig", "vfio")
    """
    publisher = make_publisher(target)
    devices = [device for card in cards() for device in _card_devices(card, target, publisher, only)]
    return Inventory([*devices, *(_domain_devices() if domains else ())], catalogue=True)


def unshown_slices(target: Target) -> Inventory:
    """One MIG slice, with a profile that nobody knows, of each card whose MIG profiles nobody has shown.

    The catalogue leaves them out: such a slice could be what any selector on a profile means.
    """
    publisher = make_publisher(target)
    devices = []
    for card in cards():
        if "mig" in card.uncertain:
            totals = _totals(card)
            sizes = _bounds(1, max(totals)) if totals else []
            known = Known(card_values(card), sizes, doubt=_NO_PROFILES)
            devices.append(predict(publisher, "mig", Address(card.name, "mig"), known))
    return Inventory(devices, catalogue=True)
