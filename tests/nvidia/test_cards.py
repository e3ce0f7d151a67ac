"""The card catalogue: its data holds together, agrees with the facts, and cards are found by what people call them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dralint.cel.device import semver
from dralint.nvidia.accelerators import gfd_product
from dralint.nvidia.cards import (
    Card,
    card,
    cards,
    find_cards,
    memory_text,
    mig_tables,
    near_misses,
    slice_memory,
)
from dralint.nvidia.published import attributes
from dralint.nvidia.resources import profile_resource
from dralint.nvidia.target import make_target

CARDS = cards()


def names(found: list[Card]) -> list[str]:
    return [each.name for each in found]


def test_each_name_is_one_card() -> None:
    every = [name for each in CARDS for name in (each.name, *each.aliases)]
    assert len(every) == len(set(every))
    assert len({gfd_product(each.name) for each in CARDS}) == len(CARDS) > 120


@pytest.mark.parametrize("each", CARDS, ids=lambda each: each.name)
def test_a_card_holds_together(each: Card) -> None:
    known = {attribute.name: attribute.values for attribute in attributes("gpu", make_target())}
    assert each.architecture in (known["architecture"] or ())
    assert each.brand is None or each.brand in (known["brand"] or ())
    assert each.compute is None or semver.parse(each.compute).major >= 6
    assert each.uncertain >= {key for key in ("brand", "compute") if getattr(each, key) is None}
    assert all(each.sources)
    assert each.uncertain <= {
        *("name", "architecture", "brand", "compute", "memory", "mig", "driver"),
        *("nvlink", "multi_node_nvlink"),
    }
    if each.memory is None:
        # What is not known is marked, and a card without memory is none that nobody looked at.
        assert each.no_memory or "memory" in each.uncertain
    assert each.memory not in [other.memory for other in each.other_memory]
    assert all(re.fullmatch(r"[0-9A-F]{4}", number) for number in each.pci)


def test_every_table_of_mig_profiles_is_some_cards() -> None:
    assert {each.mig.table.name for each in CARDS if each.mig} == set(mig_tables())


@pytest.mark.parametrize("each", [each for each in CARDS if each.mig], ids=lambda each: each.name)
def test_mig_profiles_follow_from_the_cards_memory(each: Card) -> None:
    assert each.mig is not None
    profiles = each.mig.table.profiles
    assert len({profile.name for profile in profiles}) == len(profiles)
    for profile in profiles:
        assert profile_resource(profile.name) is not None
        assert profile.name.startswith(f"{profile.slices}g.")
        assert each.memory is not None
        bounds = slice_memory(profile.name, each.memory)
        assert bounds is not None, f"{profile.name} is no share of {each.memory} MiB"
        for memory in (profile.memory, *profile.also):
            assert memory is None or bounds[0] <= memory <= bounds[1]
        if profile.starts is not None:
            assert 1 <= profile.most <= len(profile.starts)
            assert profile.size is not None


def test_the_catalogue_is_that_of_the_facts(shared: Path) -> None:
    facts = json.loads((shared / "facts" / "cards.json").read_text())
    assert [fact["productName"] for fact in facts] == [each.name for each in CARDS]
    for fact, each in zip(facts, CARDS, strict=True):
        assert (each.architecture, each.brand, each.compute) == (
            fact["architecture"],
            fact["brand"],
            fact["cudaComputeCapability"],
        )
        assert (each.memory, "memory" not in each.uncertain) == (
            fact["memoryMiB"],
            "memoryMiB" not in fact["uncertain"],
        )
        assert [other.memory for other in each.other_memory] == [
            other["memoryMiB"] for other in fact["memoryAlternatesMiB"]
        ]
        assert gfd_product(each.name) == fact["gfdProduct"]
        assert list(each.not_reported) == fact["namesNotReported"]
        assert _mig(each) == _fact_mig(fact)


def _mig(each: Card) -> Any:
    if each.mig is None:
        return None
    rows = [
        (profile.name, profile.memory, profile.multiprocessors, profile.most)
        for profile in each.mig.table.profiles
    ]
    return each.mig.table.instances, rows, list(each.mig.other_profiles)


def _fact_mig(fact: Any) -> Any:
    mig = fact["mig"]
    if mig is None:
        return None
    rows = [(row["name"], row["memoryMiB"], row["sm"], row["maxCount"]) for row in mig["profiles"]]
    return mig["maxInstances"], rows, mig["alternateProfileNames"]


def test_memory_is_written_as_the_driver_writes_it() -> None:
    assert [memory_text(mib) for mib in (40960, 81559, 15360, 143771)] == [
        "40Gi", "81559Mi", "15Gi", "143771Mi",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("profile", "total", "bounds"),
    [
        ("1g.18gb", 143771, (15275, 17971)),
        ("1g.18gb+me", 143771, (15275, 17971)),
        ("7g.141gb", 143771, (122205, 143771)),
        ("1g.24gb", 97887, (20800, 24471)),
        ("1g.17gb", 143771, None),
        ("18gb", 143771, None),
    ],
)
def test_what_a_slice_holds_by_its_name(profile: str, total: int, bounds: tuple[int, int] | None) -> None:
    assert slice_memory(profile, total) == bounds


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("NVIDIA H200 NVL", ["NVIDIA H200 NVL"]),
        ("h200 nvl", ["NVIDIA H200 NVL"]),
        ("NVIDIA-H200-NVL", ["NVIDIA H200 NVL"]),
        ("H200", ["NVIDIA H200"]),
        ("t4", ["Tesla T4"]),
        ("NVIDIA H200 141GB HBM3e", ["NVIDIA H200"]),
        ("A100-SXM4-40GB", ["NVIDIA A100-SXM4-40GB"]),
        ("h2000", []),
        ("", []),
        ("--", []),
    ],
)
def test_a_card_is_found_by_what_it_is_called(word: str, found: list[str]) -> None:
    assert names(find_cards(word)) == found


def test_a_short_name_can_be_several_cards() -> None:
    found = names(find_cards("a100"))
    assert {"NVIDIA A100-SXM4-40GB", "NVIDIA A100-PCIE-40GB", "NVIDIA A100 80GB PCIe"} <= set(found)


def test_an_older_name_is_the_same_card() -> None:
    assert card("A100-SXM4-40GB") is card("NVIDIA A100-SXM4-40GB") is not None
    assert card("h200") is None


@pytest.mark.parametrize(
    ("word", "first"),
    [
        ("h2000", "NVIDIA H200"),
        ("RTX PRO 6000 Blackwell", "NVIDIA RTX PRO 6000 Blackwell Server Edition"),
        ("NVIDIA H100-80GB-HBM2", "NVIDIA H100 80GB HBM3"),
    ],
)
def test_near_misses(word: str, first: str) -> None:
    assert near_misses(word)[0] == first


def test_nothing_is_near_to_nonsense() -> None:
    assert near_misses("qqqqqqq") == []
