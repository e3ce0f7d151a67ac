"""Options that cannot go together, and those that do nothing alone, are refused; what may be repeated is."""

from __future__ import annotations

import errno
import io
import json
import os
from typing import Any

import pytest

from dralint.cli.main import COMMANDS

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers:
    - {name: main, image: train:1, resources: {limits: {nvidia.com/gpu: 1}}}
"""
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: card}
spec: {devices: {requests: [{name: card, deviceClassName: gpu.nvidia.com}]}}
"""
# What each command needs besides.
NEEDED = {"explain": ["DRA101"], "match": ["true"]}
READING = ("check", "convert", "match")


@pytest.fixture(autouse=True)
def directory(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "pod.yaml").write_text(POD)
    (tmp_path / "none").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("options", "said"),
    [(["-q", "-v"], "--quiet and --verbose"), (["--config", "a", "--no-config"], "--config and --no-config")],
)
def test_one_undoes_the_other(dralint: Any, command: str, options: list[str], said: str) -> None:
    ran = dralint(command, *options, *NEEDED.get(command, []))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"dralint: error: {said} cannot be combined (choose one)\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_only_what_reads_names_standard_input(dralint: Any, command: str) -> None:
    assert ("--stdin-filename" in dralint(command, "--help").out) == (command in READING)


def test_several_reports(dralint: Any, directory: Any) -> None:
    names = ["a.html", "a.md", "a.json"]
    ran = dralint("convert", *(f"--report={name}" for name in [*names, "-"]), "pod.yaml")
    assert ran.code == 1
    assert json.loads(ran.out) == json.loads((directory / "a.json").read_text())
    assert all((directory / name).stat().st_size for name in names)


@pytest.mark.parametrize("second", ["a.md", "./a.md", "none/../a.md"])
def test_a_report_named_twice(dralint: Any, directory: Any, second: str) -> None:
    ran = dralint("convert", "--report", "a.md", "--report", second, "pod.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert f"--report {second} is named twice" in ran.err
    assert not (directory / "a.md").exists()


@pytest.mark.parametrize("given", ["pod.yaml", ".", "none"])
def test_a_file_is_no_expression(dralint: Any, given: str) -> None:
    ran = dralint("match", given)
    assert (ran.code, ran.out) == (2, "")
    assert "--claims" in ran.err


@pytest.mark.parametrize(
    "line",
    [["rules", "--test"], ["rules", "--rules"], ["check", "--rules"], ["explain", "DRA101", "--rules"]],
)
def test_a_directory_without_rules(dralint: Any, line: list[str]) -> None:
    ran = dralint(*line, "none")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "none: error: holds no rule (*.yaml) (name the directory that the rules are in)\n"


@pytest.mark.parametrize("line", [["check"], ["convert"], ["match", "--claims"]])
@pytest.mark.parametrize("text", ["", "\n", " \n\n", POD])
def test_nothing_came_through_the_pipe(
    dralint: Any, monkeypatch: pytest.MonkeyPatch, line: list[str], text: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    ran = dralint(*line, "-q", "-")
    told = "<stdin>: warning: standard input is empty (did the command before the pipe fail?" in ran.err
    assert told == (text != POD)
    assert ran.code == 0


@pytest.mark.parametrize(
    ("line", "elsewhere"),
    [
        (["convert", "--write", "pod.yaml"], True),
        (["convert", "--report", "a.md", "pod.yaml"], False),
        (["convert", "--output-dir", "out", "pod.yaml"], False),
        (["check", "--output-format", "json=a.json", "pod.yaml"], False),
        (["check", "--fix", "claim.yaml"], False),
    ],
)
@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.EROFS])
def test_another_directory_is_offered_where_it_can_be_chosen(
    dralint: Any,
    directory: Any,
    monkeypatch: pytest.MonkeyPatch,
    line: list[str],
    elsewhere: bool,
    number: int,
) -> None:
    (directory / "claim.yaml").write_text(CLAIM)
    opened = os.open

    def refuse(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if flags & os.O_CREAT:
            raise OSError(number, "refused")
        return opened(path, flags, *rest, **more)

    monkeypatch.setattr("os.open", refuse)
    ran = dralint(*line)
    assert ran.code == 2
    assert "could not be written: " in ran.err
    assert ("--output-dir" in ran.err) == elsewhere
