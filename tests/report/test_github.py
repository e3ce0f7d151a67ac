"""Workflow commands: whole outputs as snapshots, and names that try to be commands of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from dralint.report.github import disarmed, report
from tests.report.findings import FINDINGS
from tests.report.hostile import EVIL, HOSTILE, NAMES, PROBLEMS

COMMAND = re.compile(r"::(?P<name>error|warning|notice) (?P<properties>[^:]*)::(?P<data>.*)")

DATA = {"%0D": "\r", "%0A": "\n", "%25": "%"}
PROPERTY = {"%3A": ":", "%2C": ",", **DATA}


def decoded(text: str, codes: Mapping[str, str]) -> str:
    """The last code is the one for the percent sign."""
    for code, character in codes.items():
        text = text.replace(code, character)
    return text


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """A command as GitHub's runner reads it."""
    found = COMMAND.fullmatch(line)
    assert found, line
    pairs = (pair.partition("=") for pair in found["properties"].split(","))
    properties = {key: decoded(value, PROPERTY) for key, _, value in pairs}
    return found["name"], properties, decoded(found["data"], DATA)


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The root of the work tree; the current directory lies in it."""
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    return str(tmp_path)


def test_github(root: str, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(report(FINDINGS, PROBLEMS[:1], root)) == snapshot


def test_hostile_names(root: str, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(report(HOSTILE, PROBLEMS, root)) == snapshot


def test_each_finding_is_one_command_of_printable_characters(root: str) -> None:
    lines = list(report(HOSTILE, PROBLEMS, root))
    assert len(lines) == len(HOSTILE) + len(PROBLEMS)
    for line in lines:
        assert line.isprintable()
        parsed(line)


def test_what_the_runner_reads(root: str) -> None:
    first, second, third, rendered, _ = (parsed(line) for line in report(HOSTILE, [], root))
    name, properties, data = first
    assert name == "error"
    assert properties["file"] == f"sub/{NAMES[0]}"
    assert properties["title"] == "DRA107 legacy-claim-source"
    assert [properties[key] for key in ("line", "col", "endLine", "endColumn")] == ["2", "7", "2", "10"]
    assert data.startswith(
        f"{NAMES[0]}:2:7: the claim x%0A::add-mask::y\\r\\n::error file=a,line=1::z\\x1b[31m"
    )
    assert [line.partition(":")[0] for line in data.split("\n")] == ["deploy/100%, a", "note", "help"]
    assert second[0] == "warning"
    assert second[1].keys() == {"file", "line", "endLine", "title"}
    assert third[0] == "notice"
    assert rendered[1].keys() == {"file", "title"}
    assert rendered[1]["file"].startswith("demo/templates/x%0A::add-mask::y\r\n")
    assert "rendered: <stdin>:2:1, spec.resourceClaims[0].source of Pod rendered" in rendered[2]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("a.yaml:1:1: error[DRA101 x] y", "a.yaml:1:1: error[DRA101 x] y"),
        ("8 | # a ## [b] :: c", "8 | # a ## [b] :: c"),
        ("::add-mask::x.yaml:1:1: error", "\\x3a:add-mask::x.yaml:1:1: error"),
        ("  ::stop-commands::x", "  \\x3a:stop-commands::x"),
        ("8 | a: ##[add-mask]x ##[y]", "8 | a: #\\x23[add-mask]x #\\x23[y]"),
        (f"8 | {EVIL}", f"8 | {EVIL}"),
    ],
)
def test_lines_of_other_formats_are_no_commands(line: str, shown: str) -> None:
    assert disarmed(line) == shown
    assert not shown.lstrip().startswith("::")
    assert "##[" not in shown
