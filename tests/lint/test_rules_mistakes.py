"""Manifests with one known mistake each: found at its line, with its severity, and little else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

CASES = sorted((Path(__file__).parent / "mistakes").glob("*.yaml"))


def said(text, what):
    return re.findall(rf"^# {what}: (.*)$", text, re.MULTILINE)


def check(dralint, case):
    text = case.read_text()
    (expected,) = said(text, "expected finding")
    name, severity = re.fullmatch(r"([a-z0-9-]+) \((\w+)\)", expected).groups()
    (line,) = said(text, "expected line")
    ran = dralint("check", "--complete", "--migration", "--output-format", "json", case)
    findings = json.loads(ran.out)["findings"]
    acceptable = {accepted.split()[0] for accepted in said(text, "also acceptable")}
    found = [
        (each["name"], each["line"], each["severity"]) for each in findings if each["name"] not in acceptable
    ]
    assert found == [(name, int(line), severity)], case.name
    assert all(each["severity"] == "info" for each in findings if each["name"] in acceptable)
    assert ran.code == 1


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_a_known_mistake_is_found(dralint, case):
    check(dralint, case)


def test_those_beside_the_checkout_are_found(dralint, shared):
    """All of them: a copy of one that configures the device plugin would be evidence in this repository."""
    cases = sorted((shared / "cases" / "mistakes").glob("*.yaml"))
    assert len(cases) >= 16
    for case in cases:
        check(dralint, case)


def test_there_is_a_case_for_every_third_rule():
    assert len(CASES) >= 9
