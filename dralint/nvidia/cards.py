"""The catalogue of NVIDIA's cards: what the driver says of each, the MIG profiles, and finding a card by a name."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from dralint.nvidia.nearest import bare
from dralint.yamltext.load import load_data

_DATA = os.path.join(os.path.dirname(__file__), "data")
_PROFILE_GB = re.compile(r"[1-9][0-9]*g\.([0-9]+)gb")
_EIGHTHS = 8


class OtherMemory(NamedTuple):
    """A memory size (MiB) that the same card showed elsewhere.

    before  only with GPU drivers older than this branch (510)
    """

    memory: int
    when: str
    before: int | None


class MigProfile(NamedTuple):
    """A MIG profile as the attribute `profile` writes it.

    memory           MiB of a slice; None: not seen anywhere
    also             MiB that other drivers or boards showed
    multiprocessors  None: not seen
    most             at most on one GPU
    starts, size     placements, in memory slices; None: not seen
    """

    name: str
    slices: int
    memory: int | None
    also: tuple[int, ...]
    multiprocessors: int | None
    most: int
    starts: tuple[int, ...] | None
    size: int | None


class MigTable(NamedTuple):
    """The profiles that cards of one kind have; `instances`: at most on one GPU."""

    name: str
    instances: int
    profiles: tuple[MigProfile, ...]
    sources: tuple[str, ...]


class CardMig(NamedTuple):
    """MIG on one card.

    driver          the GPU driver it needs, None where no page says so
    other_profiles  names that other drivers or boards showed
    """

    table: MigTable
    driver: str | None
    other_profiles: tuple[str, ...]
    note: str | None


class Card(NamedTuple):
    """A card as NVML describes it.

    name            NVML's product name
    memory          MiB of NVML's total; None: not known, or NVML tells none (`no_memory`)
    memory_between  least and most MiB where the size is not known but its bounds are
    brand, compute  None: not known
    short_names     what people call it: "h200"
    not_reported    names for it that stand in texts and mocks but that no driver reports
    uncertain       what was taken by analogy and never seen: "memory", "brand", "mig", "name", ...
    driver          the oldest GPU driver that knows the card, None where no page says so
    """

    name: str
    architecture: str
    brand: str | None
    compute: str | None
    memory: int | None
    no_memory: bool
    memory_between: tuple[int, int] | None
    other_memory: tuple[OtherMemory, ...]
    short_names: tuple[str, ...]
    aliases: tuple[str, ...]
    not_reported: tuple[str, ...]
    form: str
    nvlink: bool
    multi_node_nvlink: bool
    pci: tuple[str, ...]
    driver: str | None
    mig: CardMig | None
    uncertain: frozenset[str]
    note: str | None
    sources: tuple[str, ...]


def _sources(entry: Mapping[str, Any], known: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(known.get(source, source) for source in entry["source"])


def _profile(entry: Mapping[str, Any]) -> MigProfile:
    starts = entry["starts"]
    return MigProfile(
        entry["name"],
        entry["slices"],
        entry["memory"],
        tuple(entry.get("also", ())),
        entry["multiprocessors"],
        entry["most"],
        None if starts is None else tuple(starts),
        entry["size"],
    )


@lru_cache(maxsize=1)
def _mig_data() -> Mapping[str, Any]:
    data: Any = load_data(os.path.join(_DATA, "cards_mig.yaml"))
    return dict(data)


@lru_cache(maxsize=1)
def mig_tables() -> Mapping[str, MigTable]:
    """All tables of MIG profiles by name."""
    data = _mig_data()
    return {
        entry["name"]: MigTable(
            entry["name"],
            entry["instances"],
            tuple(map(_profile, entry["profiles"])),
            _sources(entry, data["sources"]),
        )
        for entry in data["tables"]
    }


def _card(entry: Mapping[str, Any], known: Mapping[str, str]) -> Card:
    mig, between = entry.get("mig"), entry.get("memory_between")
    return Card(
        name=entry["name"],
        architecture=entry["architecture"],
        brand=entry["brand"],
        compute=entry["compute"],
        memory=entry["memory"],
        no_memory=entry.get("no_memory", False),
        memory_between=(between["least"], between["most"]) if between else None,
        other_memory=tuple(
            OtherMemory(other["memory"], other["when"], int(other["before"]) if "before" in other else None)
            for other in entry.get("other_memory", ())
        ),
        short_names=tuple(entry["short"]),
        aliases=tuple(entry.get("aliases", ())),
        not_reported=tuple(entry.get("not_reported", ())),
        form=entry["form"],
        nvlink=entry["nvlink"],
        multi_node_nvlink=entry.get("multi_node_nvlink", False),
        pci=tuple(entry.get("pci", ())),
        driver=entry.get("driver"),
        mig=None
        if mig is None
        else CardMig(
            mig_tables()[mig["table"]],
            mig.get("driver"),
            tuple(mig.get("other_profiles", ())),
            mig.get("note"),
        ),
        uncertain=frozenset(entry.get("uncertain", ())),
        note=entry.get("note"),
        sources=_sources(entry, known),
    )


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Any]:
    data: Any = load_data(os.path.join(_DATA, "cards.yaml"))
    return dict(data)


@lru_cache(maxsize=1)
def cards() -> tuple[Card, ...]:
    """The catalogue, oldest architecture first."""
    return tuple(_card(entry, _data()["sources"]) for entry in _data()["cards"])


def memory_tolerance() -> float:
    """How far a memory size that was never seen can be off, as a part of it."""
    return float(_data()["tolerance"]["fraction"])


@lru_cache(maxsize=1)
def _by_name() -> Mapping[str, Card]:
    return {name: card for card in cards() for name in (*card.aliases, card.name)}


def card(product_name: str) -> Card | None:
    """The card with this productName, or one that older drivers used for it."""
    return _by_name().get(product_name)


def shown(key: str, value: str) -> bool:
    """Whether a driver was seen to report a value of a card; key: "name" or "architecture"."""
    return any(getattr(each, key) == value for each in cards() if each.uncertain.isdisjoint({"name", key}))


def _spellings(each: Card) -> Sequence[str]:
    return (each.name, *each.aliases, *each.short_names, *each.not_reported)


def find_cards(word: str) -> list[Card]:
    """The cards that a person can mean by a word; capitals, blanks, hyphens and `NVIDIA ` aside.

    "H200 NVL", "nvidia-h200-nvl" and "NVIDIA-H200-NVL" are one card; so is "h200", whose product name is no more
    than that, while "a100" is every card that is called so.
    """
    wanted = bare(word)
    if not wanted:
        return []
    exact = [each for each in cards() if wanted in (bare(each.name), bare(each.name.removeprefix("NVIDIA ")))]
    return exact or [each for each in cards() if wanted in map(bare, _spellings(each))]


def called(word: str) -> list[Card]:
    """The cards that are called so, those with longer names as well: "h200" is the H200 NVL, too, "NVIDIA H200" is not."""
    wanted = bare(word)
    whole = [each for each in cards() if wanted == bare(each.name)]
    every = find_cards(word)
    return whole or [each for each in cards() if each in every or wanted in map(bare, _spellings(each))]


def near_misses(word: str, most: int = 4) -> list[str]:
    """Product names that look like a word, the likeliest first."""
    from difflib import get_close_matches

    wanted = bare(word)
    known: dict[str, str] = {}
    for each in cards():
        for spelling in (*_spellings(each), each.name.removeprefix("NVIDIA ")):
            known.setdefault(bare(spelling), each.name)
    # Part of a name first: "6000 Blackwell Server" looks like no whole name.
    held = [name for spelling, name in known.items() if len(wanted) > 2 and wanted in spelling]
    close = [known[spelling] for spelling in get_close_matches(wanted, known, n=most, cutoff=0.6)]
    return list(dict.fromkeys([*held, *close]))[:most]


def memory_text(mib: int) -> str:
    """MiB as the driver writes the quantity: 40960 is `40Gi`, 81559 is `81559Mi`."""
    return f"{mib // 1024}Gi" if mib % 1024 == 0 else f"{mib}Mi"


def slice_memory(profile: str, total: int) -> tuple[int, int] | None:
    """What a slice holds at least and at most (MiB) by its profile's name on a card with `total` MiB.

    None where the name fits no share of such a card. The name's number is the share of the memory in
    eighths, times the card's GiB rounded up (NVIDIA/go-nvlib, NewMigProfile).
    """
    match = _PROFILE_GB.match(profile)
    if match is None:
        return None
    whole = math.ceil(total / 1024)
    for eighths in range(1, _EIGHTHS + 1):
        if math.floor(eighths / _EIGHTHS * whole + 0.5) == int(match[1]):
            share = eighths / _EIGHTHS * total
            fractions = _mig_data()["fractions"]
            return int(share * fractions["least"]), int(share * fractions["most"])
    return None
