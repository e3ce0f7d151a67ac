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


def _examples() -> Iterator[Any]:
    for rule in load_rules():
        # cel-python has no type checker for device selectors; tests/cel compares the two on those.
        if rule.id.startswith("DRA2"):
            continue
        for kind, several in examples(rule).items():
            for number, example in enumerate(several):
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
    assert portable == native
    assert not [finding["message"] for finding in native if finding["layer"] == "engine"]
