"""Devices as a driver publishes them, and what is not known about those that are only predicted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from dralint.errors import Place


class Form(NamedTuple):
    """What else a predicted device can look like.

    attributes, capacity  the values that differ
    when                  the reason, such as "ECC off"
    seen                  somebody saw a device with these values; False: they are bounds
    """

    attributes: Mapping[str, Any]
    capacity: Mapping[str, Any]
    when: str
    seen: bool = True


class Unknown(NamedTuple):
    """Where a value that nobody knows stands; map: "attributes" or "capacity", "" for the device's own."""

    map: str
    domain: str


class Device(NamedTuple):
    """A device of a pool.

    node        its node, None where no node is named
    attributes  {"type": {"string": "gpu"}, "example.com/x": {"int": 1}}, as in resource.k8s.io/v1
    capacity    {"memory": {"value": "80Gi"}}
    shared      allowMultipleAllocations
    forms       other values that the device can have; empty for a device that was read
    unknown     attributes and capacities that it has, or can have, with values that nobody can know
                beforehand, by their names
    estimated   capacities whose value is a bound (a form has the other one), because nobody saw the real one
    doubt       why it is not certain that there is such a device
    """

    driver: str
    pool: str
    name: str
    node: str | None
    attributes: Mapping[str, Any]
    capacity: Mapping[str, Any]
    shared: bool = False
    forms: tuple[Form, ...] = ()
    unknown: Mapping[str, Unknown] = MappingProxyType({})
    estimated: frozenset[str] = frozenset()
    doubt: str | None = None


class Note(NamedTuple):
    """Something about an inventory that its reader should know; what: a sentence without a full stop."""

    what: str
    place: Place | None = None


class Row(NamedTuple):
    """One look at a device, as selectors see it.

    device  index into the inventory's devices
    when    of its form, None for the device as it is most likely
    seen    see Form
    value   what `cel.device.devices.make_device` gives; a text where an attribute of the device cannot be read
    """

    device: int
    when: str | None
    seen: bool
    value: Mapping[str, Any] | str


@dataclass(eq=False)
class Inventory:
    """The devices that exist, or that can exist.

    catalogue  they come from the card catalogue: nobody said what the cluster has
    notes      pools that are not complete, nodes whose card is not known
    """

    devices: list[Device]
    catalogue: bool = False
    notes: list[Note] = field(default_factory=list)

    @cached_property
    def rows(self) -> list[Row]:
        """Every device in each of its forms, those of a device together."""
        rows = []
        for index, device in enumerate(self.devices):
            rows.append(Row(index, None, True, _value(device, {}, {})))
            rows.extend(
                Row(index, form.when, form.seen, _value(device, form.attributes, form.capacity))
                for form in device.forms
            )
        return rows


def _value(
    device: Device, attributes: Mapping[str, Any], capacity: Mapping[str, Any]
) -> Mapping[str, Any] | str:
    from dralint.cel.device.devices import DeviceError, make_device
    from dralint.cel.device.values import LimitReached

    try:
        return make_device(
            device.driver,
            {**device.attributes, **attributes} if attributes else device.attributes,
            {**device.capacity, **capacity} if capacity else device.capacity,
            device.shared,
        )
    except (DeviceError, LimitReached) as error:
        return str(error)
