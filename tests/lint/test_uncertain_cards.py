"""Values of cards that nobody has seen: what `check` says of them is never an error, and `match` names the doubt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest

from dralint.inventory.asks import Ask, Written
from dralint.inventory.match import Match, match
from dralint.nvidia.cards import Card, cards
from dralint.nvidia.target import make_target
from dralint.report.match_text import report
from tests.conftest import SHARED

GPU, MIG = "gpu.nvidia.com", "mig.nvidia.com"
A, C = f'device.attributes["{GPU}"]', f'device.capacity["{GPU}"]'
# What no selector can look at: NVLink is no attribute.
UNSEEN_BY_SELECTORS = {"nvlink", "multi_node_nvlink", "pci"}
KEYS = {
    "productName": "name",
    "memoryMiB": "memory",
    "multiNodeNVLink": "multi_node_nvlink",
    "minDriver": "driver",
}
KEYS |= {"cudaComputeCapability": "compute"}


def _memory(card: Card) -> Iterator[tuple[str, str]]:
    # In the middle where only bounds are known: beyond them there is no doubt.
    memory = card.memory or sum(card.memory_between or (0, 49152)) // 2
    gib = -(-memory // 1024)
    for test in (f'== quantity("{memory}Mi")', f'== quantity("{gib}Gi")'):
        yield GPU, f"{C}.memory {test}"
    window = " && ".join(
        f"{C}.memory.{test}"
        for test in (f'isGreaterThan(quantity("{memory + 9}Mi"))', f'isLessThan(quantity("{memory + 12}Mi"))')
    )
    yield GPU, window
    for test in ("isGreaterThan", "isLessThan"):
        yield GPU, f'{C}.memory.{test}(quantity("{memory + (1 if test == "isLessThan" else -1)}Mi"))'
    yield GPU, f'{C}.memory.compareTo(quantity("{memory}Mi")) >= 0'
    yield GPU, f'{C}.memory.compareTo(quantity("{gib}Gi")) >= 0'


def _mig(card: Card) -> Iterator[tuple[str, str]]:
    yield MIG, f"has({A}.profile)"
    yield MIG, f'{A}.profile == "1g.20gb"'
    yield MIG, f'{A}.profile == "2g.48gb"'
    for profile in card.mig.table.profiles[:2] if card.mig else ():
        yield MIG, f'{A}.profile == "{profile.name}"'
        size = profile.name.partition(".")[2].partition("gb")[0]
        yield MIG, f'{A}.profile == "{profile.name}" && {C}.memory.compareTo(quantity("{size}Gi")) >= 0'


def selectors(card: Card, key: str) -> Iterator[tuple[str, str]]:
    """(class, selector) that only this value of the card decides, besides its name."""
    match key:
        case "name":
            yield GPU, f"{A}.type == 'gpu'"
            yield GPU, f"has({A}.productName)"
            for spelt in (card.name.replace(" ", "-"), card.name.lower()):
                yield GPU, f'({A}.productName == "{spelt}" || {A}.productName == "{card.name}")'
        case "memory":
            yield from _memory(card)
        case "mig":
            yield from _mig(card)
        case "brand":
            yield GPU, f'{A}.brand == "{card.brand}"'
        case "architecture":
            yield GPU, f'{A}.architecture == "{card.architecture}"'
            yield GPU, f'{A}.architecture == "{card.architecture.lower()}"'
        case "compute":
            yield GPU, f'{A}.cudaComputeCapability == semver("{card.compute or "10.0.0"}")'
            yield GPU, f"{A}.cudaComputeCapability.major() >= 9"
        case "driver":
            yield GPU, f"has({A}.productName)"
        case _:
            raise AssertionError(f"no selector looks at {key}")


CASES = [
    pytest.param(
        card, key, name, f'{A}.productName == "{card.name}" && {text}', id=f"{card.name}-{key}-{number}"
    )
    for card in cards()
    for key in sorted(card.uncertain - UNSEEN_BY_SELECTORS)
    for number, (name, text) in enumerate(selectors(card, key))
]
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: c{number}}}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: {name}
          selectors:
          - cel: {{expression: {expression}}}
"""


# So many are judged together before the allowance of steps for one run is used up.
TOGETHER = 60
GROUPS = [CASES[start : start + TOGETHER] for start in range(0, len(CASES), TOGETHER)]


@pytest.mark.parametrize("number", range(len(GROUPS)))
def test_no_selector_on_an_uncertain_value_is_an_error(dralint, tmp_path, number):  # type: ignore[no-untyped-def]
    texts = [
        CLAIM.format(number=index, name=case.values[2], expression=json.dumps(case.values[3]))
        for index, case in enumerate(GROUPS[number])
    ]
    (tmp_path / "x.yaml").write_text("---\n".join(texts))
    ran = dralint("check", str(tmp_path), "--context", "none", "--output-format", "json")
    findings: list[dict[str, Any]] = json.loads(ran.out)["findings"]
    assert [each for each in findings if each["severity"] == "error" or each["name"] == "not-judged"] == []


@lru_cache(maxsize=1)
def answers() -> dict[tuple[str, str], Match]:
    """What `match` says of each class and selector; told no driver, any is new enough."""
    found = {}
    for group in GROUPS:
        for driver in (None, "535"):
            asks = []
            for case in group:
                _, key, name, text = case.values
                kind = "gpu" if name == GPU else "mig"
                of_class = (Written(f'device.driver == "{GPU}" && {A}.type == "{kind}"'),)
                if (key == "driver") == (driver is not None):
                    asks.append(Ask((Written(str(text)),), str(name), of_class))
            matches = match(asks, None, make_target(gpu_driver=driver))
            found.update(
                {(each.ask.device_class or "", each.ask.selectors[0].text): each for each in matches}
            )
    return found


@pytest.mark.parametrize(("card", "key", "name", "text"), CASES)
def test_match_names_the_doubt(card: Card, key: str, name: str, text: str) -> None:
    found = answers()[name, text]
    assert found.judgement is not None
    states = {each.state for each in found.judgement.answers}
    assert "yes" not in states
    assert "maybe" in states or card.name in found.unshown or _impossible(card, text)
    lines = list(report([found]))
    if "maybe" in states:
        assert any(f"may match: {card.name}" in line for line in lines)
    elif found.unshown:
        assert f"  not certain: nobody has shown the MIG profiles of {card.name}" in lines


def _impossible(card: Card, text: str) -> bool:
    """What is false whatever the uncertain value is: an architecture in small letters."""
    return f'"{card.architecture.lower()}"' in text


def test_the_facts_are_not_more_doubtful_than_the_catalogue(shared) -> None:  # type: ignore[no-untyped-def]
    assert shared == SHARED
    ours = {card.name: card.uncertain for card in cards()}
    for entry in json.loads((shared / "facts" / "cards.json").read_text()):
        wanted = {KEYS.get(key, key) for key in entry["uncertain"]}
        assert wanted <= ours[entry["productName"]] | {"pci"}, entry["productName"]
