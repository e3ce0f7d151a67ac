"""What the devices that selectors are judged on have to offer, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from dralint.inventory.device import Device
from dralint.lint.finding import Severity
from dralint.lint.selectors.evaluation import Rows
from dralint.lint.selectors.names import listed
from dralint.lint.selectors.view import View
from dralint.nvidia.published import gpu_driver_name

MI = 1024 * 1024


def severity(view: View, doubtful: Severity = "warning") -> Severity:
    """An error only where somebody said what there is, and nothing else can be there."""
    return "error" if view.stock.certain else doubtful


def nobody(view: View) -> str:
    """Who does not match, for messages."""
    return "no device of the inventory" if view.stock.given else "no known card"


def texts(devices: Sequence[Device], name: str) -> list[str]:
    """The values of an attribute of the driver's own, each once."""
    found: dict[str, None] = {}
    for device in devices:
        for attributes in (device.attributes, *(form.attributes for form in device.forms)):
            value = attributes.get(name) or attributes.get(f"{device.driver}/{name}")
            text = value.get("string") if isinstance(value, Mapping) else None
            if isinstance(text, str):
                found[text] = None
    return list(found)


def text_of(device: Device, name: str) -> str | None:
    """The value of one."""
    return next(iter(texts([device], name)), None)


def unshown(view: View) -> list[str]:
    """Cards whose slices may be what is asked for in vain: nobody has shown their MIG profiles."""
    if view.stock.given or view.type != "mig":
        return []
    found = view.bench.unshown(view.of_class.selectors or (), view.texts)
    return texts(found, "productName")


def memory_seen(device: Device) -> bool:
    """Whether somebody saw the memory that a device is said to have."""
    return all(form.seen for form in device.forms)


def guessed(devices: Sequence[Device]) -> str:
    """What to add to a sentence about memory that nobody saw; empty where it was seen."""
    names = list(dict.fromkeys(called(each) for each in devices if not memory_seen(each)))
    return f" (nobody has shown the memory of {listed(names, most=2)})" if names else ""


def memory_of(value: Mapping[str, Any] | str) -> int | None:
    """The bytes that selectors see of a device's memory."""
    if isinstance(value, str):
        return None
    quantity = value["capacity"].get(gpu_driver_name(), {}).get("memory")
    return None if quantity is None else int(quantity.unscaled * Decimal(10) ** quantity.scale)


def likeliest(rows: Rows, indexes: Sequence[int]) -> Iterator[tuple[int, Device]]:
    """Of each device that is among the rows its likeliest look."""
    seen = set()
    for index in indexes:
        row = rows.row(index)
        if row.device not in seen and row.when is None:
            seen.add(row.device)
            yield index, rows.device(index)


def called(device: Device) -> str:
    """A device by its card, and its profile if it is a slice of one."""
    product, profile = text_of(device, "productName"), text_of(device, "profile")
    name = product or f"{device.pool}/{device.name}"
    return f"{profile} of {name}" if profile else name


def with_memory(found: Sequence[tuple[str, int]]) -> str:
    """`NVIDIA L4 (23034Mi) and 3 more`."""
    return listed([f"{name} ({size // MI}Mi)" for name, size in found], most=2)
