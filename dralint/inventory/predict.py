"""A device as the target's version of the DRA driver would publish it, from what is known of its card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple

from dralint.inventory.device import Device, Form, Unknown
from dralint.nvidia.cards import Card, memory_text
from dralint.nvidia.published import (
    Attribute,
    Capacity,
    attributes,
    capacities,
    cuda_version,
    device_types,
    gpu_driver_name,
    version_text,
)
from dralint.nvidia.target import Target

DeviceType = Literal["gpu", "mig", "vfio"]
# A branch is none of its versions: it is looked at with its first one and with one after its last.
_LAST = 9999
# Memory slices are numbered from 0; no card has more (RTX PRO 6000: twelve).
_MOST_SLICES = 12


class Memory(NamedTuple):
    """A memory size in MiB that a device can have.

    when  None for the likeliest one
    seen  False: a bound of what it can have, not a size that was seen
    """

    mib: int
    when: str | None = None
    seen: bool = True


class Known(NamedTuple):
    """What is known of a device before any driver has published it.

    values    attributes by their names without domains
    memory    the sizes that it can have, the likeliest first; empty: it has one but nobody knows it;
              None: the driver publishes none
    capacity  other capacities
    doubt     see Device
    """

    values: Mapping[str, str | int]
    memory: Sequence[Memory] | None = ()
    capacity: Mapping[str, int] = {}
    doubt: str | None = None


class Address(NamedTuple):
    """Where a device stands."""

    pool: str
    name: str
    node: str | None = None


def card_values(card: Card) -> dict[str, str | int]:
    """The attributes that a card decides; what was never seen of it is left out."""
    values = {
        "productName": card.name,
        # One that was never seen is doubt about the card (`catalogue.doubt`): it is surely none of the older ones.
        "architecture": card.architecture,
        "brand": None if "brand" in card.uncertain else card.brand,
        "cudaComputeCapability": None if "compute" in card.uncertain else card.compute,
    }
    return {name: value for name, value in values.items() if value is not None}


class Publisher(NamedTuple):
    """What the target's driver publishes, worked out once for many devices.

    drivers  the attributes that the GPU driver decides, one mapping for each of its versions to look at
             and when it is that one
    shares   the driver may let several claims have one device
    """

    attributes: Mapping[str, Sequence[Attribute]]
    capacities: Mapping[str, Sequence[Capacity]]
    drivers: Sequence[tuple[Mapping[str, str], str | None]]
    shares: bool


def _gpu_drivers(target: Target) -> list[tuple[Mapping[str, str], str | None]]:
    if target.gpu_driver is None:
        return [({}, None)]
    cuda = cuda_version(target.gpu_driver)
    more = {} if cuda is None else {"cudaDriverVersion": cuda}
    if "." in target.gpu_driver:
        return [({"driverVersion": version_text(target.gpu_driver), **more}, None)]
    first, last = f"{target.gpu_driver}.0.0", f"{target.gpu_driver}.{_LAST}.0"
    return [
        ({"driverVersion": first, **more}, None),
        ({"driverVersion": last, **more}, f"a late GPU driver of the branch {target.gpu_driver}"),
    ]


def make_publisher(target: Target) -> Publisher:
    """What the driver of the target publishes."""
    types = device_types(target)
    return Publisher(
        {each: attributes(each, target) for each in types},
        {each: capacities(each, target) for each in types},
        _gpu_drivers(target),
        bool(target.driver_gate("ConsumableShares")),
    )


def _quantity(mib: int) -> Mapping[str, Any]:
    return {"value": memory_text(mib)}


def _attributes(known: Mapping[str, str | int], kinds: Sequence[Attribute]) -> dict[str, Any]:
    """The known values as a ResourceSlice writes them; what the driver does not publish is left out."""
    return {each.key: {each.kind: known[each.name]} for each in kinds if each.name in known}


def _unknown_capacities(known: Known, there: Sequence[Capacity]) -> Iterator[str]:
    for each in there:
        if each.name == "memory":
            if known.memory is not None and not known.memory:
                yield each.name
        elif each.each:
            yield from (f"{each.name}{number}" for number in range(_MOST_SLICES))
        elif each.name not in known.capacity:
            yield each.name


def predict(publisher: Publisher, device_type: DeviceType, address: Address, known: Known) -> Device:
    """The device with every attribute and capacity that the driver publishes for its type."""
    kinds = publisher.attributes[device_type]
    drivers = publisher.drivers[:1] if "driverVersion" in known.values else publisher.drivers
    values = {**drivers[0][0], **known.values, "type": device_type}
    choices: Sequence[Memory | None] = known.memory or [None]
    capacity: dict[str, Any] = {
        each.name: {"value": str(known.capacity[each.name])}
        for each in publisher.capacities[device_type]
        if each.name in known.capacity
    }
    driver = gpu_driver_name()
    unknown = {
        each.name: Unknown("attributes", each.domain or driver) for each in kinds if each.name not in values
    }
    unknown.update(
        (name, Unknown("capacity", driver))
        for name in _unknown_capacities(known, publisher.capacities[device_type])
    )
    if publisher.shares:
        unknown["allowMultipleAllocations"] = Unknown("", "")
    forms = [
        Form(
            _attributes(more, kinds),
            {"memory": _quantity(size.mib)} if size else {},
            " and ".join(when for when in (size and size.when, driver_when) if when),
            size is None or size.seen,
        )
        for size, (more, driver_when) in product(choices, drivers)
    ]
    return Device(
        driver,
        address.pool,
        address.name,
        address.node,
        _attributes(values, kinds),
        {**capacity, **forms[0].capacity},
        forms=tuple(forms[1:]),
        unknown=unknown,
        estimated=frozenset() if forms[0].seen else frozenset({"memory"}),
        doubt=known.doubt,
    )
