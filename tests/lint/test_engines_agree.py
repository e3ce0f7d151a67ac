"""cel-expr-python and cel-python, two independent engines, judge every rule on every example alike."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from dralint.cel import engines
from dralint.lint.rule_file import examples
from dralint.lint.rules import load_rules

Example = Mapping[str, Any]
# What cel-python does not have, and the rules on selectors that ask for it: of their bad examples it finds nothing,
# or something else. tests/cel compares the two engines on the selectors themselves.
TYPES, COST, NAMES = "types", "cost", "errors that name the attribute"
NEEDS = {
    "cel-compile-error": TYPES,
    "cel-gated-function": TYPES,
    "cel-cost-limit": COST,
    "cel-unguarded-attribute": NAMES,
    "deviceclass-no-driver-guard": NAMES,
}
# Single examples, by their notes.
NEEDS_OF_NOTES = {"a gate that nobody told about": NAMES}
NOT_JUDGED = "not-judged"


def _examples() -> Iterator[Any]:
    for rule in load_rules():
        for kind, several in examples(rule).items():
            if kind == "bad" and rule.name in NEEDS:
                continue
            for number, example in enumerate(several):
                if rule.id.startswith("DRA2") and example.get("note") in NEEDS_OF_NOTES:
                    continue
                yield pytest.param(example, id=f"{rule.id}-{kind}-{number}")


@pytest.mark.parametrize("example", [*_examples()])
def test_both_engines_find_the_same(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dralint: Callable[..., Any]
) -> None:
    for name, text in example["files"].items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    arguments = ("--output-format", "json", "--migration", "--context", "none", *example.get("args", ()))
    found = {}
    for engine in engines.NAMES:
        ran = dralint("check", ".", *arguments, "--engine", engine)
        found[engine] = json.loads(ran.out)["findings"]
    native, portable = found.values()
    unable = [finding["message"] for finding in portable if finding["name"] == NOT_JUDGED]
    if unable:
        # It says so itself, where it has no function or syntax of that name.
        assert all("cel-python" in message for message in unable)
        return
    assert portable == native
    assert not [finding["message"] for finding in native if finding["layer"] == "engine"]
