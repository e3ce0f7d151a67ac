"""What the labels of a node say of its GPUs, in the terms of the devices that the DRA driver publishes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple, get_args

from dralint.nvidia.published import gpu_driver_name
from dralint.nvidia.resources import profile_resource
from dralint.nvidia.target import Target
from dralint.yamltext.load import load_data

_DATA = os.path.join(os.path.dirname(__file__), "data", "node_labels.yaml")

Kind = Literal["gpu", "slice", "mig"]
Values = Literal["product", "family", "number", "part", "version", "mebibytes"]


class Device(NamedTuple):
    """What a request asks for.

    kind     gpu: nvidia.com/gpu that is a whole GPU; slice: nvidia.com/gpu that is a MIG device, under MIG
             strategy single; mig: a MIG resource
    profile  of a MIG resource, as the attribute `profile` writes it
    """

    kind: Kind
    profile: str | None = None


class Part(NamedTuple):
    """A number of a version: `major`, `minor` or `patch`, and those that make a version with it.

    zeros  labels can write it with leading zeros
    """

    name: str
    others: tuple[str, ...]
    zeros: bool


class NodeLabel(NamedTuple):
    """An entry of the table; data/node_labels.yaml says what the fields mean.

    rank   its place in the table
    reads  the device's value in CEL; None for a label that no selector takes the place of
    """

    rank: int
    values: Values | None
    reads: str | None
    part: Part | None
    lacking: bool
    always: str | None
    at_least: bool
    dropped: str | None
    stays: str | None


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Any]:
    data: Any = load_data(_DATA)
    return dict(data)


def maps() -> Mapping[str, str]:
    """The driver's own maps of a device in CEL: `attributes` and `capacity`."""
    return {name: f"device.{name}['{gpu_driver_name()}']" for name in ("attributes", "capacity")}


def _entry(rank: int, entry: Mapping[str, Any], kind: Kind) -> NodeLabel:
    reads = entry.get("reads")
    part = Part(entry["part"], tuple(entry["with"]), entry.get("zeros", False)) if "part" in entry else None
    return NodeLabel(
        rank,
        entry.get("values"),
        reads.format(**maps()) if reads else None,
        part,
        kind in entry.get("lacking", ()),
        entry.get("always"),
        "at_least" in entry,
        entry.get("dropped"),
        entry.get("stays"),
    )


def _resource(device: Device) -> str | None:
    """The name of the device's resource as it stands in labels: `gpu`, `mig-1g.10gb.me`."""
    if device.kind != "mig":
        return "gpu"
    name = profile_resource(device.profile or "")
    return name.partition("/")[2] if name else None


@lru_cache(maxsize=256)
def _table(device: Device, gates: frozenset[str]) -> Mapping[str, NodeLabel]:
    """The entries that hold for a device, by label; gates: those of the driver that are on."""
    found: dict[str, NodeLabel] = {}
    resource = _resource(device)
    for rank, entry in enumerate(_data()["labels"]):
        if device.kind not in entry.get("devices", get_args(Kind)) or entry.get("without_gate") in gates:
            continue
        if resource is not None or "{" not in entry["label"]:
            label = entry["label"].format(resource=resource)
            found.setdefault(label, _entry(rank, entry, device.kind))
    return found


def _gates(target: Target) -> frozenset[str]:
    named = {entry["without_gate"] for entry in _data()["labels"] if "without_gate" in entry}
    return frozenset(name for name in named if target.driver_gate(name))


def node_label(label: str, device: Device, target: Target) -> NodeLabel | None:
    """What a label says of a device that the target's driver publishes; None for a label of no GPU."""
    found = _table(device, _gates(target)).get(label)
    if found is not None:
        return found
    for entry in _data()["others"]:
        if label.startswith(entry["prefix"]):
            return _entry(len(_data()["labels"]), entry, device.kind)
    return None


def cut_in_different_ways() -> str:
    """What a product label ends in whose GPUs are cut in different ways, which are not handed out."""
    return str(_data()["cut_in_different_ways"])
