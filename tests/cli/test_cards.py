"""`dralint cards`: the table, one card, near misses, and selectors that do what they say."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from dralint.cel.dialect import Program, compile_selector
from dralint.inventory.catalogue import catalogue
from dralint.inventory.engine import selector_settings
from dralint.inventory.judge import judge
from dralint.nvidia.cards import cards
from dralint.nvidia.target import make_target

Dralint = Callable[..., Any]


def test_the_table_has_a_line_for_every_card(dralint: Dralint) -> None:
    ran = dralint("cards")
    assert (ran.code, ran.err) == (0, "")
    head, *lines, legend = ran.out.splitlines()
    assert head.split("  ")[0] == "PRODUCT NAME"
    assert [line.split("  ")[0].removesuffix(" ?") for line in lines] == [card.name for card in cards()]
    assert legend == "?: never seen in the output of a driver, but taken by analogy"
    (row,) = [line.split() for line in lines if line.startswith("NVIDIA H200 NVL ")]
    assert row[3:] == [
        "Hopper",
        "9.0",
        "143771Mi",
        "1g.18gb",
        "1g.35gb",
        "2g.35gb",
        "3g.71gb",
        "4g.71gb",
        "7g.141gb",
    ]


@pytest.mark.parametrize(
    "name", ["h200-nvl", "NVIDIA GB10", "NVIDIA B100", "NVIDIA RTX PRO 6000 Blackwell Server Edition"]
)
def test_one_card(dralint: Dralint, snapshot: SnapshotAssertion, name: str) -> None:
    ran = dralint("cards", *name.split())
    assert (ran.code, ran.err, ran.out) == (0, "", snapshot)


def test_a_short_name_shows_all_that_are_called_so(dralint: Dralint) -> None:
    ran = dralint("cards", "rtx-pro-6000")
    assert [line for line in ran.out.splitlines() if not line.startswith(" ")] == [
        "NVIDIA RTX PRO 6000 Blackwell Server Edition",
        "NVIDIA RTX PRO 6000 Blackwell Workstation Edition",
        "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition",
    ]


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("h200", ["NVIDIA H200", "NVIDIA H200 NVL"]),
        ("H100", ["NVIDIA H100 80GB HBM3", "NVIDIA H100 PCIe", "NVIDIA H100 NVL", "NVIDIA H100"]),
        ("NVIDIA H100", ["NVIDIA H100"]),
        ("NVIDIA-H100", ["NVIDIA H100"]),
        ("H200 NVL", ["NVIDIA H200 NVL"]),
        ("t4", ["Tesla T4"]),
    ],
)
def test_a_word_that_is_a_whole_name_and_the_beginning_of_others(
    dralint: Dralint, word: str, names: list[str]
) -> None:
    ran = dralint("cards", word)
    assert [line for line in ran.out.splitlines() if line and line[0] not in " ?"] == names


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["h2000"], "dralint: error: no known card is called 'h2000' (near misses: NVIDIA H200, "),
        (["qqqqqqq"], "dralint: error: no known card is called 'qqqqqqq' (dralint cards lists all)"),
        (["a\x1b[31m"], "no known card is called 'a\\x1b[31m'"),
    ],
)
def test_an_unknown_name(dralint: Dralint, words: list[str], told: str) -> None:
    ran = dralint("cards", *words)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_json(dralint: Dralint) -> None:
    data = json.loads(dralint("cards", "h200-nvl", "--output-format", "json").out)
    assert data["version"] == 1
    (card,) = data["cards"]
    assert {
        key: card[key]
        for key in ("productName", "memory", "cudaComputeCapability", "gfdProduct", "uncertain")
    } == {
        "productName": "NVIDIA H200 NVL",
        "memory": "143771Mi",
        "cudaComputeCapability": "9.0.0",
        "gfdProduct": "NVIDIA-H200-NVL",
        "uncertain": [],
    }
    assert card["mig"]["profiles"][0] == {
        "profile": "1g.18gb",
        "memory": "16Gi",
        "otherMemory": [],
        "multiprocessors": 16,
        "atMost": 7,
        "selector": (
            'device.attributes["gpu.nvidia.com"].productName == "NVIDIA H200 NVL" && '
            'device.attributes["gpu.nvidia.com"].profile == "1g.18gb"'
        ),
    }
    every = json.loads(dralint("cards", "--output-format", "json").out)["cards"]
    assert [each["productName"] for each in every] == [card.name for card in cards()]
    assert {key for each in every for key in each["uncertain"]} <= set(every[0]) | {"mig"}


def test_every_selector_picks_what_it_is_written_for(dralint: Dralint) -> None:
    target = make_target()
    inventory = catalogue(target)
    every = json.loads(dralint("cards", "--output-format", "json").out)["cards"]
    for card in every:
        picked = _picked(card["selector"], inventory, target)
        assert {pool for pool, _ in picked} == {card["productName"]}
        assert (card["productName"], "gpu") in picked
    for card in every[:: len(every) // 20]:
        for profile in card["mig"]["profiles"] if card["mig"] else ():
            assert _picked(profile["selector"], inventory, target) == {
                (card["productName"], f"mig-{profile['profile']}")
            }


def _picked(selector: str, inventory: Any, target: Any) -> set[tuple[str, str]]:
    program = compile_selector(selector, selector_settings(target))
    assert isinstance(program, Program)
    answers = judge([program], inventory).answers
    return {
        (device.pool, device.name)
        for device, answer in zip(inventory.devices, answers, strict=True)
        if answer.state in ("yes", "maybe")
    }
