"""`dralint rules` and `dralint explain`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from dralint.lint.rules import load_rules
from dralint.report.rules_text import explained, table
from tests.lint.test_rule_file import RULE

Dralint = Callable[..., Any]


@pytest.fixture(autouse=True)
def _rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "a.yaml").write_text(RULE)
    monkeypatch.chdir(tmp_path)


def test_the_table_has_a_line_for_every_rule(dralint: Dralint) -> None:
    ran = dralint("rules", "--rules", "rules")
    assert (ran.code, ran.err) == (0, "")
    head, *lines = ran.out.splitlines()
    assert head.split() == ["ID", "NAME", "LAYER", "SEVERITY", "SUMMARY"]
    assert [line.split()[0] for line in lines] == ["ACME001", *(rule.id for rule in load_rules())]
    assert lines[0] == next(line for line in lines if "ACME001" in line)
    assert lines[0].split(maxsplit=4)[1:] == [
        "image-from-registry", "advice", "error/warning", "The image does not come from our registry",
    ]  # fmt: skip


def test_json(dralint: Dralint) -> None:
    data = json.loads(dralint("rules", "--rules", "rules", "--output-format", "json").out)
    assert data["version"] == 1
    assert data["rules"][0] == {
        "id": "ACME001",
        "name": "image-from-registry",
        "layer": "advice",
        "severity": [{"if": 'object.namespace == "prod"', "is": "error"}, {"if": None, "is": "warning"}],
        "summary": "The image does not come from our registry",
        "why": "Other registries are not scanned.",
        "needs": ["context"],
        "fix": "unsafe",
        "since": "1.0.0",
        "sources": ["our handbook"],
    }


def test_explain(dralint: Dralint, snapshot: SnapshotAssertion) -> None:
    by_id = dralint("explain", "acme001", "--rules", "rules")
    assert by_id.code == 0
    assert by_id.out == snapshot
    assert dralint("explain", "image-from-registry", "--rules", "rules").out == by_id.out


@pytest.mark.parametrize("name", ["rule-failed", "not-judged"])
def test_explain_what_the_engine_reports(dralint: Dralint, name: str, snapshot: SnapshotAssertion) -> None:
    ran = dralint("explain", name)
    assert ran.code == 0
    assert ran.out == snapshot


def test_explain_a_rule_that_does_not_exist(dralint: Dralint) -> None:
    ran = dralint("explain", "image-from-registri", "--rules", "rules")
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err
        == "dralint: error: there is no rule 'image-from-registri' (did you mean image-from-registry?)\n"
    )


def test_every_rule_can_be_explained(dralint: Dralint) -> None:
    for rule in load_rules():
        ran = dralint("explain", rule.id)
        assert ran.code == 0, rule.id
        assert ran.out.startswith(f"{rule.id} {rule.name}\n\n{rule.summary}.\n")
        assert "\nBad:\n" in ran.out
        assert "\nGood:\n" in ran.out


def test_a_rule_cannot_fool_a_terminal() -> None:
    rule = load_rules(["rules"])[0]._replace(summary="a\x1b[31m\nb", sources=("c\x1b]0;x\a",))
    example = {"files": {"a\x1b.yaml": "kind: \x1b[31m\n"}, "line": 1}
    lines = [*table([rule]), *explained(rule, {"bad": [example], "good": [example]})]
    assert all(line.replace("\t", "").isprintable() for line in lines)
