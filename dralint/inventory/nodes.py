"""Nodes to the devices that their labels promise: GPU Feature Discovery's and the clouds' labels."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from dralint.inventory.catalogue import known_gpu, known_other_slice, known_slice
from dralint.inventory.device import Device, Inventory, Note
from dralint.inventory.manifests import Manifest, mapping
from dralint.inventory.predict import (
    Address,
    DeviceType,
    Known,
    Memory,
    Publisher,
    make_publisher,
    predict,
)
from dralint.nvidia.accelerators import NodeCards, gfd_family, node_cards, vendor_label
from dralint.nvidia.cards import Card
from dralint.nvidia.resources import classify
from dralint.nvidia.target import Target

KIND = "Node"
# More GPUs or slices than any machine has, and more devices than any cluster: a slip or an attack.
_MOST_OF_A_KIND, _MOST_DEVICES = 256, 100_000
# A label's value has at most 63 characters.
_LONGEST = 64
_PREFIX = "nvidia.com/"
_GPU = "nvidia.com/gpu"
_MIG_COUNT = re.compile(r"(nvidia\.com/mig-.+)\.count\Z")
_DOUBTFUL = "it is not sure that a node with this label has this card"


class _Slices(NamedTuple):
    """MIG devices of one profile on a node; `label`: the start of the labels about them."""

    profile: str
    amount: int
    label: str


def is_node(manifest: Manifest) -> bool:
    """Whether it is a Node."""
    return manifest.kind == KIND and manifest.api_version == "v1"


def _labels(manifest: Manifest) -> dict[str, str]:
    labels = mapping(mapping(manifest.data.get("metadata")).get("labels"))
    return {key: value for key, value in labels.items() if isinstance(key, str) and isinstance(value, str)}


def _number(labels: Mapping[str, str], label: str) -> int | None:
    text = labels.get(label, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _version(labels: Mapping[str, str], *spellings: Sequence[str]) -> str | None:
    """A version of three numbers without leading zeros, from the first spelling that is there.

    A spelling is the label of the whole version, or the labels of its numbers.
    """
    for names in spellings:
        text = ".".join(part for name in names if (part := labels.get(f"{_PREFIX}{name}")))
        numbers = text.split(".")
        if len(text) < _LONGEST and all(number.isascii() and number.isdigit() for number in numbers):
            return ".".join([*(str(int(number)) for number in numbers), "0", "0"][:3])
    return None


def _told(labels: Mapping[str, str]) -> dict[str, str | int]:
    """The attributes that the labels tell; the second spelling is deprecated."""
    told = {
        "driverVersion": _version(
            labels,
            ["cuda.driver-version.full"],
            ["cuda.driver.major", "cuda.driver.minor", "cuda.driver.rev"],
        ),
        "cudaDriverVersion": _version(
            labels, ["cuda.runtime-version.full"], ["cuda.runtime.major", "cuda.runtime.minor"]
        ),
        "cudaComputeCapability": _version(labels, ["gpu.compute.major", "gpu.compute.minor"]),
        "architecture": gfd_family(labels.get("nvidia.com/gpu.family", "")),
    }
    return {name: value for name, value in told.items() if value is not None}


def _mixed(labels: Mapping[str, str]) -> Iterator[_Slices]:
    """The MIG devices of strategy mixed, which has labels for each profile."""
    for label in labels:
        match = _MIG_COUNT.match(label)
        found = classify(match[1]) if match else None
        if match and found and found.profile and not found.shared:
            yield _Slices(found.profile, min(_number(labels, label) or 0, _MOST_OF_A_KIND), match[1])


def _gpus_cut(card: Card | None, slices: Iterable[_Slices]) -> int:
    """At least how many GPUs the MIG devices need."""
    sizes = {each.name: each.size for each in card.mig.table.profiles} if card and card.mig else {}
    total = max((start + (each.size or 0) for each in card.mig.table.profiles for start in each.starts or ()),
                default=0) if card and card.mig else 0  # fmt: skip
    used = 0.0
    for each in slices:
        size = sizes.get(each.profile)
        used += each.amount * (size / total if size and total else 1.0)
    return math.ceil(used)


def _known_profile(card: Card | None, profile: str, target: Target) -> Known:
    for each in card.mig.table.profiles if card and card.mig else ():
        if card and each.name == profile:
            return known_slice(card, each, target)
    return known_other_slice(card, profile) if card else Known({"profile": profile})


def _with_labels(known: Known, told: Mapping[str, str | int], labels: Mapping[str, str], at: str) -> Known:
    """What the labels of the node say counts before what the catalogue says."""
    memory = _number(labels, f"{at}.memory")
    multiprocessors = _number(labels, f"{at}.multiprocessors")
    more = {} if multiprocessors is None else {"multiprocessors": multiprocessors}
    sizes = [Memory(memory)] if memory else known.memory
    # The node is there, so the card is no guess.
    return Known({**known.values, **told}, sizes, {**known.capacity, **more})


def _capacity(manifest: Manifest) -> int | None:
    """How many GPUs the device plugin counts on the node, each replica of a shared one."""
    held = mapping(mapping(manifest.data.get("status")).get("capacity")).get(_GPU)
    text = str(held) if isinstance(held, str | int) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


class _Node(NamedTuple):
    """A node under way to its devices; `told`: the attributes that its labels tell."""

    name: str
    labels: Mapping[str, str]
    told: Mapping[str, str | int]
    found: NodeCards
    gpus: int
    target: Target
    publisher: Publisher

    def devices(self, device_type: DeviceType, known: Known, amount: int, name: str) -> Iterator[Device]:
        """So many devices of one kind, numbered."""
        if not self.found.sure:
            known = known._replace(doubt=_DOUBTFUL)
        one = predict(self.publisher, device_type, Address(self.name, name, self.name), known)
        for number in range(amount):
            yield one._replace(name=f"{name}{number}")


def _devices(node: _Node) -> Iterator[Device]:
    card, labels = node.found.card, node.labels
    if node.found.profile is not None:
        known = _with_labels(_known_profile(card, node.found.profile, node.target), node.told, labels, _GPU)
        yield from node.devices("mig", known, node.gpus, f"mig-{node.found.profile}-")
        return
    slices = list(_mixed(labels))
    whole = max(node.gpus - _gpus_cut(card, slices), 0)
    known = known_gpu(card, node.target) if card else Known({})
    yield from node.devices("gpu", _with_labels(known, node.told, labels, _GPU), whole, "gpu-")
    for each in slices:
        known = _with_labels(_known_profile(card, each.profile, node.target), node.told, labels, each.label)
        yield from node.devices("mig", known, each.amount, f"mig-{each.profile}-")


def _gpus(manifest: Manifest, labels: Mapping[str, str], found: NodeCards) -> int:
    """How many GPUs the node has; at least one where nothing counts them."""
    gpus = found.gpus
    if gpus is None and (held := _capacity(manifest)) is not None:
        gpus = held // (_number(labels, "nvidia.com/gpu.replicas") or 1)
    return min(1 if gpus is None else gpus, _MOST_OF_A_KIND)


def from_nodes(manifests: Iterable[Manifest], target: Target) -> Inventory:
    """The devices that the target's DRA driver would publish on Nodes with these labels.

    Nodes without labels of GPUs have none. With MIG strategy mixed the labels do not say which GPUs are
    cut: as many are taken to be as the slices need.
    """
    publisher = make_publisher(target)
    devices: list[Device] = []
    notes: list[Note] = []
    for manifest in manifests:
        if not is_node(manifest):
            continue
        labels = _labels(manifest)
        name = manifest.name or "without a name"
        found = node_cards(labels)
        if found is None:
            if _capacity(manifest) or vendor_label(labels):
                notes.append(Note(f"node {name} has GPUs, but no label says which", manifest.place))
            continue
        if found.card is None:
            what = f"node {name}: {found.label}={found.value} names no card of the catalogue"
            notes.append(Note(what, manifest.place))
        gpus = _gpus(manifest, labels, found)
        devices.extend(_devices(_Node(name, labels, _told(labels), found, gpus, target, publisher)))
        if len(devices) > _MOST_DEVICES:
            what = f"more than {_MOST_DEVICES:,} devices: the nodes from here on are left out"
            notes.append(Note(what, manifest.place))
            break
    return Inventory(devices, notes=notes)
