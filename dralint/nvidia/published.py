"""Which attributes and capacities NVIDIA's DRA driver publishes, by its version and feature gates."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from dralint.nvidia.gates import release
from dralint.nvidia.target import Target
from dralint.yamltext.load import load_data

_DATA = os.path.join(os.path.dirname(__file__), "data", "attributes.yaml")
Kind = Literal["string", "int", "bool", "version"]


class Attribute(NamedTuple):
    """An attribute of one type of device.

    domain    "" for the driver's own
    values    all that it can be, None where there is no list
    optional  not on every device of the type
    in_list   it is a list of such values
    """

    name: str
    domain: str
    kind: Kind
    values: tuple[str, ...] | None
    optional: bool
    in_list: bool

    @property
    def key(self) -> str:
        """The name as a ResourceSlice writes it."""
        return f"{self.domain}/{self.name}" if self.domain else self.name


class Capacity(NamedTuple):
    """A capacity; `each`: there is one for every one of these things, with its number behind the name."""

    name: str
    optional: bool
    each: str | None


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Any]:
    data: Any = load_data(_DATA)
    return dict(data)


def architectures() -> tuple[str, ...]:
    """All values of the attribute `architecture`."""
    entries = _data()["attributes"]
    return tuple(next(entry["values"] for entry in entries if entry["name"] == "architecture"))


def oldest_gpu_driver() -> str:
    """The oldest branch of the GPU driver that the DRA driver works with."""
    return str(_data()["oldest_gpu_driver"]["branch"])


def gpu_driver_name() -> str:
    """The name of the DRA driver for GPUs: gpu.nvidia.com."""
    return str(_data()["driver"])


def _there(entries: Any, device_type: str, target: Target) -> Iterator[Mapping[str, Any]]:
    version = release(target.dra_driver)
    for entry in entries:
        if device_type not in entry["devices"]:
            continue
        if "since" in entry and version < release(entry["since"]):
            continue
        if "until" in entry and version[:2] > release(entry["until"])[:2]:
            continue
        if "gate" in entry and not target.driver_gate(entry["gate"]):
            continue
        if "without_gate" in entry and target.driver_gate(entry["without_gate"]):
            continue
        yield entry


def attributes(device_type: str, target: Target) -> list[Attribute]:
    """What a device of this type ("gpu", "mig", "vfio") has in the target's version of the driver."""
    return [
        Attribute(
            entry["name"],
            entry.get("domain", ""),
            entry["kind"],
            tuple(entry["values"]) if "values" in entry else None,
            entry.get("optional", False),
            "list_gate" in entry and bool(target.driver_gate(entry["list_gate"])),
        )
        for entry in _there(_data()["attributes"], device_type, target)
    ]


def capacities(device_type: str, target: Target) -> list[Capacity]:
    """What a device of this type has in the target's version of the driver."""
    return [
        Capacity(entry["name"], entry.get("optional", False), entry.get("each"))
        for entry in _there(_data()["capacities"], device_type, target)
    ]


def device_types(target: Target) -> list[str]:
    """The types of devices that the driver can publish: gpu, mig, and with its gate vfio."""
    gates = {entry["type"]: entry["gate"] for entry in _data()["device_types"]}
    known = next(entry["values"] for entry in _data()["attributes"] if entry["name"] == "type")
    return [each for each in known if each not in gates or target.driver_gate(gates[each])]


class DomainDevice(NamedTuple):
    """A device of the ComputeDomain driver."""

    driver: str
    name: str
    type: str
    id: int


def compute_domain_devices() -> list[DomainDevice]:
    """What the ComputeDomain driver publishes on every node."""
    data = _data()["compute_domain"]
    return [
        DomainDevice(data["driver"], entry["name"], entry["type"], entry["id"]) for entry in data["devices"]
    ]


def cuda_version(gpu_driver: str) -> str | None:
    """The newest CUDA version that a GPU driver ("580", "580.95.05") supports; None where unknown."""
    branch = gpu_driver.partition(".")[0]
    found = (entry["cuda"] for entry in _data()["cuda"] if str(entry["branch"]) == branch)
    return next(found, None)


def version_text(version: str) -> str:
    """A GPU driver's version as the DRA driver publishes it: three numbers without leading zeros."""
    numbers = [str(int(part)) for part in version.split(".")]
    return ".".join([*numbers, "0", "0"][:3])
