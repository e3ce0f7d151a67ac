"""Names that selectors read of NVIDIA's devices: what any release publishes, and what people write for it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from dralint.nvidia.gates import release, release_text
from dralint.nvidia.nearest import bare, nearest
from dralint.nvidia.published import attributes, capacities, compute_domain_devices, gpu_driver_name
from dralint.nvidia.target import Target
from dralint.yamltext.load import load_data

_DIRECTORY = os.path.join(os.path.dirname(__file__), "data")
Map = Literal["attributes", "capacity"]
# Attributes that Kubernetes itself gives a meaning, whatever the driver.
STANDARD_DOMAIN = "resource.kubernetes.io"
DEVICE_TYPES = ("gpu", "mig", "vfio")
# cmd/compute-domain-kubelet-plugin of dra-driver-nvidia-gpu.
_OF_DOMAINS = {"type": "string", "id": "int"}


class Name(NamedTuple):
    """An attribute or a capacity.

    types       of devices that have it, in some release of the driver
    until       the last release that published it, None: it still does
    gate        the feature gate that brings it; without_gate: the one that takes it away
    numbered    a number stands behind the name: memorySlice0
    """

    map: Map
    domain: str
    name: str
    kind: str
    types: frozenset[str]
    since: str | None
    until: str | None
    gate: str | None
    without_gate: str | None
    numbered: bool


def _names(which: Map, entries: Sequence[Mapping[str, Any]]) -> list[Name]:
    return [
        Name(
            which,
            entry.get("domain", "") or gpu_driver_name(),
            entry["name"],
            entry.get("kind", "quantity"),
            frozenset(entry["devices"]),
            entry.get("since"),
            entry.get("until"),
            entry.get("gate"),
            entry.get("without_gate"),
            "each" in entry,
        )
        for entry in entries
    ]


@lru_cache(maxsize=4)
def names(driver: str) -> tuple[Name, ...]:
    """All that any release of one of NVIDIA's drivers publishes."""
    if driver != gpu_driver_name():
        types = frozenset(each.type for each in compute_domain_devices() if each.driver == driver)
        return tuple(
            Name("attributes", driver, name, kind, types, None, None, None, None, numbered=False)
            for name, kind in _OF_DOMAINS.items()
            if types
        )
    data: Any = load_data(os.path.join(_DIRECTORY, "attributes.yaml"))
    return tuple(_names("attributes", data["attributes"]) + _names("capacity", data["capacities"]))


@lru_cache(maxsize=1)
def _words() -> Mapping[str, Any]:
    data: Any = load_data(os.path.join(_DIRECTORY, "selector_words.yaml"))
    return dict(data)


def domains() -> frozenset[str]:
    """The domains of what NVIDIA's drivers publish."""
    return frozenset(
        {gpu_driver_name(), STANDARD_DOMAIN, *(each.driver for each in compute_domain_devices())}
    )


def drivers() -> frozenset[str]:
    """The names of NVIDIA's DRA drivers."""
    return domains() - {STANDARD_DOMAIN}


def _is(entry: Name, name: str) -> bool:
    return entry.name == name or (entry.numbered and name.rstrip("0123456789") == entry.name)


def named(driver: str, name: str, domain: str | None = None, which: str | None = None) -> list[Name]:
    """What a driver publishes under a name, in any release; domain, which: only there."""
    return [
        entry
        for entry in names(driver)
        if _is(entry, name)
        and (domain is None or entry.domain == domain)
        and (which is None or entry.map == which)
    ]


class Published(NamedTuple):
    """What a device of a type has at the target.

    optional  not on every device of the type
    """

    map: Map
    domain: str
    name: str
    kind: str
    values: tuple[str, ...] | None
    optional: bool
    numbered: bool


def published(device_type: str, target: Target) -> list[Published]:
    """All attributes and capacities that a device of a type ("gpu", ..., "channel") has at the target."""
    driver = gpu_driver_name()
    found: list[Published] = [
        Published("attributes", each.driver, name, kind, None, optional=False, numbered=False)
        for each in compute_domain_devices()
        if each.type == device_type
        for name, kind in _OF_DOMAINS.items()
    ]
    if device_type not in DEVICE_TYPES:
        return found
    found += (
        Published(
            "attributes", each.domain or driver, each.name, each.kind, each.values, each.optional, False
        )
        for each in attributes(device_type, target)
    )
    found += (
        Published("capacity", driver, each.name, "quantity", None, each.optional, bool(each.each))
        for each in capacities(device_type, target)
    )
    return found


def why_missing(name: Name, target: Target) -> str | None:
    """Why the target's driver does not publish a name that another release or setting does; None: it does."""
    version = release(target.dra_driver)
    if name.until is not None and version[:2] > release(name.until)[:2]:
        return f"the driver had it up to release {release_text(release(name.until))}"
    if name.since is not None and version < release(name.since):
        return f"the driver has it since release {release_text(release(name.since))}"
    if name.gate is not None and not target.driver_gate(name.gate):
        return f"the driver has it only with its feature gate {name.gate}"
    if name.without_gate is not None and target.driver_gate(name.without_gate):
        return f"the driver does not have it with its feature gate {name.without_gate}"
    return None


# ResourceSlice's own field, which the driver sets with its feature gate ConsumableShares.
_SHARED, _SHARES = "allowMultipleAllocations", "shares"


def gated_names(target: Target) -> frozenset[str]:
    """Names that devices have only with a feature gate of the driver which is off and which nobody set."""
    found = {
        entry.name
        for entry in names(gpu_driver_name())
        if entry.gate is not None
        and not target.driver_gate(entry.gate)
        and not target.gate_set("driver", entry.gate)
    }
    return frozenset(found | {_SHARED} if _SHARES in found else found)


def meant(kind: Literal["attributes", "domains", "classes"], written: str) -> str | None:
    """The name that a common wrong one stands for."""
    wanted = bare(written)
    return next((str(entry["meant"]) for entry in _words()[kind] if bare(entry["written"]) == wanted), None)


class Meant(NamedTuple):
    """A name that was probably meant; certain: it differs in spelling only, or people use one for the other."""

    name: Name
    certain: bool


def attribute_meant(written: str, present: Sequence[Name]) -> Meant | None:
    """Which of the present names a wrong one stands for; None where nothing is close."""
    by_name = {entry.name: entry for entry in present}
    by_bare = {bare(entry.name): entry for entry in present}
    if bare(written) in by_bare:
        return Meant(by_bare[bare(written)], certain=True)
    common = meant("attributes", written)
    if common in by_name:
        return Meant(by_name[common], certain=False)
    close = nearest(written, by_name)
    return Meant(by_name[close], certain=False) if close else None


@lru_cache(maxsize=1)
def product_prefixes() -> tuple[str, ...]:
    """How the product names of cards begin."""
    return tuple(entry["written"] for entry in _words()["product_prefixes"])


class SoldSize(NamedTuple):
    """A size that cards are sold as: they have GiB from `least` up to `gb`."""

    gb: int
    least: float


@lru_cache(maxsize=1)
def sold_sizes() -> tuple[SoldSize, ...]:
    """All sizes, the smallest first."""
    return tuple(SoldSize(entry["gb"], float(entry["least"])) for entry in _words()["sold_sizes"])
