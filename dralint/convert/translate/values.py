"""The values that a demand on a label names, as values of a device."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from dralint.nvidia.accelerators import gfd_family, gfd_product, read_product
from dralint.nvidia.cards import Card, cards
from dralint.nvidia.node_labels import Device, cut_in_different_ways
from dralint.nvidia.published import oldest_gpu_driver, version_text
from dralint.nvidia.target import Target

# What Kubernetes takes as a label's value, so that nothing else is on a node.
_LABEL_VALUE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_PART = re.compile(r"[0-9]{1,9}")
_VERSION = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9}){1,2}")
_LIMIT = re.compile(r"-?[0-9]{1,9}")
CUT = "-MIG-"


class Product(NamedTuple):
    """A product that a label names.

    label    without its suffixes
    card     None: it is not in the catalogue
    profile  of the MIG devices that GPUs of the product are cut into
    shared   the label says that they are shared
    """

    label: str
    card: Card | None
    profile: str | None
    shared: bool

    @property
    def renamed(self) -> bool:
        """Drivers of today have another name for it."""
        return self.card is not None and gfd_product(self.card.name) != self.label


def product(value: str, device: Device, *, of_slices: bool) -> Product | None:
    """The product that a label names; None where no node with such a device has this label.

    of_slices: the label is about MIG devices, and names their profile
    """
    if not _LABEL_VALUE.fullmatch(value) or (CUT in value) != of_slices:
        return None
    found = read_product(value)
    if of_slices and (found.profile is None or device.profile not in (None, found.profile)):
        return None
    if found.label.endswith(cut_in_different_ways()):
        return None
    return Product(found.label, found.card, found.profile, found.shared)


def family(value: str) -> str | None:
    """The architecture that a label names."""
    return gfd_family(value)


def number(value: str) -> int | None:
    """A whole number as a label has it, without leading zeros."""
    return int(value) if _NUMBER.fullmatch(value) else None


def part(value: str) -> int | None:
    """One of the numbers of a version."""
    return int(value) if _PART.fullmatch(value) else None


def version(value: str) -> str | None:
    """A version as a device has it: three numbers without leading zeros."""
    return version_text(value) if _VERSION.fullmatch(value) else None


def limit(values: Sequence[str]) -> int | None:
    """The number that Gt and Lt compare with; None for what they do not take."""
    return int(values[0]) if len(values) == 1 and _LIMIT.fullmatch(values[0]) else None


@lru_cache(maxsize=1)
def _shown() -> Mapping[int, Sequence[tuple[Card, int | None]]]:
    """By size in MiB the cards that show it, each with the branch of the GPU driver before which it did."""
    found: dict[int, list[tuple[Card, int | None]]] = {}
    for card in cards():
        if card.memory is not None:
            found.setdefault(card.memory, []).append((card, None))
        for other in card.other_memory:
            found.setdefault(other.memory, []).append((card, other.before))
    return found


def showed(mebibytes: int, target: Target) -> list[Card]:
    """The cards that had this much memory with GPU drivers too old for DRA, where none has it today."""
    branch = int((target.gpu_driver or oldest_gpu_driver()).partition(".")[0])
    shown = _shown().get(mebibytes, ())
    if any(before is None or before > branch for _, before in shown):
        return []
    return [card for card, _ in shown]
