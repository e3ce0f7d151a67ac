"""Thousands of selectors, or dear ones: all of a run share one allowance of steps. Steps are counted, not seconds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dralint.cel.device import limits
from dralint.cel.device.limits import MAX_STEPS, MAX_STEPS_OF_ALL, Allowance

A, C = 'device.attributes["gpu.nvidia.com"]', 'device.capacity["gpu.nvidia.com"]'
HOSTILE = {
    "loops": [f"lists.range({90 + n}).all(a, lists.range(100).all(b, a + b >= 0))" for n in range(24)],
    "loops over names": [
        f'lists.range({90 + n}).exists(a, lists.range(100).exists(b, {A}.productName == "{n}"))'
        for n in range(24)
    ],
    "long ones": [" || ".join(f'{A}.productName == "card {n} {m}"' for m in range(150)) for n in range(60)],
    "errors": [f'{A}.nosuch == "{n}" || {A}.neither == {n}' for n in range(300)],
    "patterns in loops": [
        f'lists.range({500 + n}).exists(x, {A}.productName.matches("(.*)*{"(a|b)*" * 200}" + string(x)))'
        for n in range(10)
    ],
}


class Counting(Allowance):
    """Remembers all of them, and every time that something was taken."""

    made: list[Counting]

    def __init__(self, steps: int = MAX_STEPS_OF_ALL) -> None:
        super().__init__(steps)
        self.most = 0
        self.made.append(self)

    def take(self, steps: int) -> None:
        assert steps >= 0
        self.most = max(self.most, steps)
        super().take(steps)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[Counting]:
    made: list[Counting] = []
    monkeypatch.setattr(Counting, "made", made, raising=False)
    for module in ("cel.dialect", "inventory.engine", "lint.selectors.bench"):
        monkeypatch.setattr(f"dralint.{module}.Allowance", Counting)
    return made


def claim(selectors: list[str]) -> str:
    requests = [
        {
            "name": f"r{number}",
            "exactly": {"deviceClassName": "gpu.nvidia.com", "selectors": [{"cel": {"expression": each}}]},
        }
        for number, each in enumerate(selectors)
    ]
    return json.dumps(
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaim",
            "metadata": {"name": "many"},
            "spec": {"devices": {"requests": requests}},
        }
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_too_much_is_not_judged_and_said(
    name: str, tmp_path: Path, counted: list[Counting], dralint: Callable[..., Any]
) -> None:
    path = tmp_path / "claim.json"
    path.write_text(claim(HOSTILE[name]))
    ran = dralint("check", path, "--output-format", "json", "--context", "none", "--quiet")
    assert ran.code in (0, 1), ran.err
    rules = {each["rule"] for each in json.loads(ran.out)["findings"]}
    assert "DRA001" not in rules
    used = [each for each in counted if each.left < MAX_STEPS_OF_ALL]
    assert len(used) == 1
    # The last evaluation may go over it, by what one may take at most.
    assert used[0].most <= MAX_STEPS + limits.ERROR_STEP + 10_000
    assert used[0].left > -used[0].most
    if used[0].left <= 0:
        assert "DRA002" in rules


def test_ordinary_selectors_are_far_from_it(
    tmp_path: Path, counted: list[Counting], dralint: Callable[..., Any]
) -> None:
    path = tmp_path / "claim.json"
    wanted = f'{A}.architecture == "Hopper" && {C}.memory.isGreaterThan(quantity("{{}}Gi"))'
    path.write_text(claim([wanted.replace("{}", str(number)) for number in range(20, 52)]))
    ran = dralint("check", path, "--output-format", "json", "--context", "none", "--quiet")
    assert not [each for each in json.loads(ran.out)["findings"] if each["rule"] == "DRA002"]
    (used,) = [each for each in counted if each.left < MAX_STEPS_OF_ALL]
    assert MAX_STEPS_OF_ALL - used.left < MAX_STEPS_OF_ALL // 10
