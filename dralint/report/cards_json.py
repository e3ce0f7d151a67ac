"""Cards as JSON, version 1: names and values as the driver publishes them, null for what is not known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dralint.nvidia.accelerators import gfd_product
from dralint.nvidia.cards import Card, MigProfile, memory_text
from dralint.nvidia.selectors import card_selector, slice_selector
from dralint.report.indented import indented
from dralint.report.parts import VERSION

# How the keys of the catalogue are called here, for `uncertain`.
_KEYS = {
    "name": "productName",
    "compute": "cudaComputeCapability",
    "driver": "gpuDriver",
    "multi_node_nvlink": "multiNodeNVLink",
}


def _memory(mib: int | None) -> str | None:
    return None if mib is None else memory_text(mib)


def _profile(card: Card, profile: MigProfile) -> Mapping[str, Any]:
    return {
        "profile": profile.name,
        "memory": _memory(profile.memory),
        "otherMemory": [memory_text(mib) for mib in profile.also],
        "multiprocessors": profile.multiprocessors,
        "atMost": profile.most,
        "selector": slice_selector(card, profile.name),
    }


def _mig(card: Card) -> Mapping[str, Any] | None:
    if card.mig is None:
        return None
    return {
        "instances": card.mig.table.instances,
        "gpuDriver": card.mig.driver,
        "profiles": [_profile(card, profile) for profile in card.mig.table.profiles],
        "otherProfiles": list(card.mig.other_profiles),
        "note": card.mig.note,
        "sources": list(card.mig.table.sources),
    }


def card_data(card: Card) -> Mapping[str, Any]:
    """A card with its selectors; `uncertain` names the keys whose value was never seen."""
    return {
        "productName": card.name,
        "architecture": card.architecture,
        "brand": card.brand,
        "cudaComputeCapability": card.compute,
        "memory": _memory(card.memory),
        "otherMemory": [
            {"memory": memory_text(other.memory), "when": other.when} for other in card.other_memory
        ],
        "shortNames": list(card.short_names),
        "aliases": list(card.aliases),
        "notReported": list(card.not_reported),
        "gfdProduct": gfd_product(card.name),
        "form": card.form,
        "nvlink": card.nvlink,
        "multiNodeNVLink": card.multi_node_nvlink,
        "pciDeviceIds": list(card.pci),
        "gpuDriver": card.driver,
        "mig": _mig(card),
        "selector": card_selector(card),
        "uncertain": sorted(_KEYS.get(key, key) for key in card.uncertain),
        "note": card.note,
        "sources": list(card.sources),
    }


def report(cards: Sequence[Card]) -> str:
    """The JSON text of `cards --output-format json`."""
    return indented({"version": VERSION, "cards": [card_data(card) for card in cards]})
