"""One demand on a label, judged for one kind of device: a selector says the same, it is needless, or it stays."""

from __future__ import annotations

from typing import NamedTuple

from dralint.convert.translate import values
from dralint.convert.translate.demands import Demand
from dralint.convert.translate.expressions import Test, every, is_not
from dralint.convert.translate.selects import Selects, one_of_values
from dralint.nvidia.accelerators import cloud_label
from dralint.nvidia.node_labels import Device, NodeLabel, node_label
from dralint.nvidia.target import Target

_NO_SUCH_VALUE = "no device has such a value"
_IMPLIED = "a claim for the device says the same"


class Asked(NamedTuple):
    """A resource that the pod asks for; devices: how many it holds at once."""

    device: Device
    devices: int = 1


class Implied(NamedTuple):
    """The demand can go: a claim for the device brings what it asks for, or has no need of it."""

    reason: str


class Stays(NamedTuple):
    """The demand stays; reason: without a full stop, None where nobody needs one."""

    reason: str | None


Judgement = Selects | Implied | Stays


def _among(demand: Demand, label: NodeLabel, device: Device, target: Target) -> Judgement:
    """What becomes of In and NotIn."""
    found = one_of_values(demand, label, device, target)
    if demand.operator == "In":
        return found or Stays(_NO_SUCH_VALUE)
    if found is None:
        return Implied(_NO_SUCH_VALUE)
    return found._replace(test=is_not(found.test))


def _compared(demand: Demand, label: NodeLabel) -> Judgement:
    """The selector for Gt and Lt."""
    assert label.reads is not None
    bound, more = values.limit(demand.values), demand.operator == "Gt"
    if bound is None:
        return Stays(f"{demand.operator} takes one whole number")
    if label.values in ("number", "part"):
        reads = f"{label.reads}.{label.part.name}()" if label.part else label.reads
        return Selects(Test(f"{reads} {'>' if more else '<'} {bound}"), label.rank)
    if label.values == "mebibytes":
        text = f"compareTo(quantity('{bound + 1}Mi')) >= 0" if more else f"isLessThan(quantity('{bound}Mi'))"
        tests = [Test(f"has({label.reads})")] if label.lacking else []
        return Selects(every([*tests, Test(f"{label.reads}.{text}")]), label.rank)
    return Stays(f"{demand.operator} compares whole numbers, and the label is none, so that no node fits")


def _constant(demand: Demand, value: str) -> Judgement:
    """Of a label that has one value on every node with such a device."""
    met = {
        "In": value in demand.values,
        "NotIn": value not in demand.values,
        "Exists": True,
    }.get(demand.operator, False)
    return Implied(_IMPLIED) if met else Stays("no node with such a device fits")


def _at_least(demand: Demand, label: NodeLabel, asked: Asked) -> Judgement:
    """Of a label whose number is never less than that of the devices asked for."""
    bound = values.limit(demand.values)
    less = demand.operator == "Gt" and bound is not None and bound < asked.devices
    return Implied(_IMPLIED) if less or demand.operator == "Exists" else Stays(label.stays)


def judge(demand: Demand, asked: Asked, target: Target) -> Judgement:
    """What becomes of a demand where the pod asks for such devices."""
    label = node_label(demand.key, asked.device, target)
    if label is None:
        provider = cloud_label(demand.key)
        return Stays(f"{provider} sets it, whatever hands out the devices" if provider else None)
    if demand.operator == "DoesNotExist":
        return Stays("it holds where nothing sets the label")
    if label.dropped is not None:
        return Implied(label.dropped)
    if label.always is not None:
        return _constant(demand, label.always)
    if label.at_least:
        return _at_least(demand, label, asked)
    if label.reads is None:
        return Stays(label.stays)
    if demand.operator == "Exists":
        if label.lacking:
            return Selects(Test(f"has({label.reads})"), label.rank)
        return Implied("every such device has it")
    if demand.operator in ("Gt", "Lt"):
        return _compared(demand, label)
    return _among(demand, label, asked.device, target)
