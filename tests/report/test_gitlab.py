"""GitLab Code Quality: whole outputs as snapshots, valid against the schema that is published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from syrupy.assertion import SnapshotAssertion

from dralint.report.gitlab import report
from dralint.resources import directory
from tests.report.findings import FINDINGS
from tests.report.hostile import HOSTILE, PROBLEMS


def validator() -> Draft202012Validator:
    schema = json.loads(Path(directory("schemas"), "gitlab.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The root of the work tree; the current directory lies in it."""
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    return str(tmp_path)


def made(findings: list[Any], problems: list[Any], root: str) -> Any:
    data = json.loads(report(findings, problems, root))
    validator().validate(data)
    return data


def test_gitlab(root: str, snapshot: SnapshotAssertion) -> None:
    assert json.dumps(made(FINDINGS, PROBLEMS[:1], root), indent=2) == snapshot


def test_hostile_names(root: str, snapshot: SnapshotAssertion) -> None:
    assert json.dumps(made(HOSTILE, PROBLEMS, root), indent=2) == snapshot


def test_nothing_found(root: str) -> None:
    assert report([], [], root) == "[]\n"


def test_no_two_issues_have_one_fingerprint(root: str) -> None:
    issues = made([*HOSTILE, *HOSTILE], [*PROBLEMS, *PROBLEMS], root)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == 16


@pytest.mark.parametrize("key", ["description", "check_name", "fingerprint", "severity", "location"])
def test_the_schema_would_notice_a_key_that_is_missing(key: str, root: str) -> None:
    issues = made(FINDINGS[:1], [], root)
    del issues[0][key]
    with pytest.raises(ValidationError):
        validator().validate(issues)


@pytest.mark.parametrize(
    ("key", "value"), [("severity", "bad"), ("location", {"path": "./a", "lines": {"begin": 1, "end": 1}})]
)
def test_the_schema_would_notice_a_value_that_gitlab_does_not_take(key: str, value: Any, root: str) -> None:
    issues = made(FINDINGS[:1], [], root)
    issues[0][key] = value
    with pytest.raises(ValidationError):
        validator().validate(issues)
