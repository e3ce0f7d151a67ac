"""A wrong option or command is told in one line, with what was most likely meant."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dralint.cli.main import COMMANDS


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("convert --wirte", "did you mean --write?"),
        ("check --fail-onn=never", "did you mean --fail-on?"),
        ("check --write", "it is an option of dralint convert"),
        ("rules --complete", "it is an option of dralint check"),
        ("convert --inventory=a", "it is an option of dralint"),
        ("convert --dry-run", "without --write nothing is written"),
        ("check --json", "--output-format json"),
        ("match --k8s-version=1.36 a", "--target-kubernetes VERSION"),
        ("convert --output-format json", "--report FILE"),
        ("match --json", "--output-format json"),
        ("check -f pod.yaml", "paths are named without an option"),
        ("convert --recursive .", "a directory is read with all below it"),
        ("check -k overlay", "kubectl kustomize DIR | dralint check"),
        ("check --version", "dralint --version"),
        ("lint .", "dralint check"),
        ("migrate .", "dralint convert"),
        ("version", "dralint --version"),
        ("help", "dralint COMMAND --help"),
        ("--quiet check", "options stand after the command: dralint COMMAND --quiet"),
        ("chek", "did you mean check?"),
        ("nonsense", "one of cards, check"),
    ],
)
def test_there_is_a_hint(dralint: Any, line: str, hint: str) -> None:
    ran = dralint(*line.split())
    assert (ran.code, ran.out) == (2, "")
    assert re.fullmatch(r"dralint: error: No such (option|command) '.*' \(.*\)\n", ran.err)
    assert hint in ran.err


@pytest.mark.parametrize("made", ["file", "directory"])
def test_a_path_without_a_command(dralint: Any, tmp_path: Any, monkeypatch: Any, made: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deploy").mkdir() if made == "directory" else (tmp_path / "deploy").touch()
    assert "dralint check deploy, dralint convert deploy" in dralint("deploy").err


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_nothing_is_made_up(dralint: Any, command: str) -> None:
    ran = dralint(*command.split(), "--zzzzz")
    path = " ".join(filter(None, ["dralint", command]))
    assert ran.err == f"dralint: error: No such option '--zzzzz' (see {path} --help)\n"


@pytest.mark.parametrize("command", ["check", "convert"])
def test_an_empty_path_is_told(dralint: Any, command: str) -> None:
    ran = dralint(command, "", ".")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("dralint: error: a path is empty (")


def test_help_says_what_may_be_repeated(dralint: Any) -> None:
    said = " ".join(dralint("check", "--help").out.split())
    for option in ("--select", "--ignore"):
        assert re.search(rf"{option} RULE .*?commas.*?repeated", said)
    assert re.search(r"--rules DIR .*?repeated", said)
