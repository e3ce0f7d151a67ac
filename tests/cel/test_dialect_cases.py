"""Selectors with known answers: what Kubernetes' own compiler and evaluator said about each.

`cel.json` holds expressions of ours, the other file beside the checkout those of Kubernetes' own tests. Both were
run with the compiler and evaluator of 1.37 in development, whose new expressions have the libraries of 1.36.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dralint.cel.dialect import (
    CompileErrors,
    EvaluationError,
    Program,
    Settings,
    compile_selector,
    line_and_column,
)
from tests.cel.known_answers import CASES, MINOR, answer, device, list_gates

PLACE = re.compile(r"<input>:(\d+):(\d+): ")

# Cases that we answer differently, with the cause. None today.
DIFFERENT: dict[str, str] = {}
# Compile errors whose place differs from Kubernetes', with the cause.
OTHER_PLACE = {"own-308": "an empty text has no column 0 for us"}


def check(case: dict[str, Any]) -> None:
    for list_gate in list_gates(case):
        got, compiled = answer(case, list_gate)
        if case["id"] in DIFFERENT:
            assert got != case["expect"], "no longer different: take it off the list"
            continue
        assert got == case["expect"], compiled
        assert type(got) is type(case["expect"])
        if isinstance(compiled, CompileErrors):
            check_place(case, compiled)
            continue
        if "maxCost" in case:
            assert compiled.cost == case["maxCost"]
        if got == "runtime-error":
            error = compiled.evaluate(device(case))
            assert isinstance(error, EvaluationError)
            assert case["errorContains"] in error.message


def check_place(case: dict[str, Any], compiled: CompileErrors) -> None:
    place = PLACE.search(case.get("errorContains", ""))
    if place:
        got = line_and_column(case["expression"], compiled.errors[0].offset)
        assert (got == (int(place[1]), int(place[2]))) == (case["id"] not in OTHER_PLACE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_our_cases(case: dict[str, Any]) -> None:
    check(case)


def test_cases_of_kubernetes_own_tests(shared: Path) -> None:
    cases = json.loads((shared / "cases" / "cel-upstream.json").read_text(encoding="utf-8"))
    assert len(cases) > 100
    for case in cases:
        check(case)


@pytest.mark.parametrize(
    "case", [case for case in CASES if "expectOther" in case], ids=lambda case: case["id"]
)
def test_our_cases_under_other_gates(case: dict[str, Any]) -> None:
    for name, expected in case["expectOther"].items():
        gates = {
            "NewExpressions, both gates on": Settings(MINOR, True, True),
            "NewExpressions, both gates off (1.34/1.35 default)": Settings(MINOR, False, False),
            "StoredExpressions": Settings(MINOR, True, True, stored=True),
        }[name]
        compiled = compile_selector(case["expression"], gates)
        if expected == "compile-error":
            assert isinstance(compiled, CompileErrors)
        else:
            assert isinstance(compiled, Program)
            assert compiled.evaluate(device(case)) is expected


def test_the_exceptions_are_few() -> None:
    assert len(DIFFERENT) <= len(CASES) / 100
