"""Findings as JSON: the whole output as a snapshot, valid against the schema that is published."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from syrupy.assertion import SnapshotAssertion

from dralint.errors import InputError, Place
from dralint.lint.tally import Tally
from dralint.nvidia.target import make_target
from dralint.report.check_json import Summary, report
from dralint.resources import directory
from tests.report.findings import FILES, FINDINGS, TEXT

PROBLEMS = [InputError("not valid UTF-8", Place("b.yaml", 3, 7)), InputError("no such file", Place("c.yaml"))]


def validator() -> Draft202012Validator:
    with open(f"{directory('schemas')}/check.schema.json", encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def made(findings: list[Any]) -> Any:
    target = make_target("1.36", "0.5.1", "580", "standalone", ["driver:MPSSupport=true"])
    return json.loads(report(findings, FILES, target, Summary(2, Tally(38, 3), PROBLEMS)))


def test_json(snapshot: SnapshotAssertion) -> None:
    data = made(FINDINGS)
    validator().validate(data)
    assert json.dumps(data, indent=2) == snapshot


def test_no_findings() -> None:
    data = made([])
    validator().validate(data)
    assert data["findings"] == []


def test_edits_are_places_in_the_file() -> None:
    (edit,) = made(FINDINGS[:1])["findings"][0]["fix"]["edits"]
    lines = TEXT.split("\n")
    assert edit == {"line": 8, "column": 1, "endLine": 9, "endColumn": 1, "text": ""}
    assert lines[edit["line"] - 1] == "    source:"


@pytest.mark.parametrize("key", ["rule", "endLine", "object", "fix", "help"])
def test_the_schema_would_notice_a_key_that_is_missing(key: str) -> None:
    data = made(FINDINGS[:1])
    del data["findings"][0][key]
    with pytest.raises(ValidationError):
        validator().validate(data)
