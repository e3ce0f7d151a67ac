"""The second engine agrees with the first wherever it can evaluate the expression."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dralint.cel.celpy_engine import compile_selector
from dralint.cel.dialect import CompileErrors, EvaluationError
from tests.cel.known_answers import CASES, answer, device, list_gates

# Where cel-python gives another answer, with the cause.
DIFFERENT = {
    "ct-053": "it iterates over the characters of a string",
}
# It has no type checker: what does not compile gets an answer, or fails when it is evaluated.
NO_TYPES = "compile-error"


def second_opinion(case: dict[str, Any]) -> bool | str | None:
    """As the first engine's answers; None for what it cannot judge."""
    selector = compile_selector(case["expression"])
    if isinstance(selector, CompileErrors):
        return "compile-error" if selector.judged else None
    value = selector.evaluate(device(case))
    if isinstance(value, EvaluationError):
        return "runtime-error" if value.judged else None
    return value


def compared(case: dict[str, Any]) -> bool:
    """Whether the second engine could judge the case; fails where the two disagree."""
    first, _ = answer(case, list_gates(case)[0])
    second = second_opinion(case)
    if second is None or (first == NO_TYPES and second != NO_TYPES):
        return False
    assert (second == first) == (case["id"] not in DIFFERENT), (case["id"], first, second)
    return True


def test_both_agree_on_our_cases() -> None:
    judged = [compared(case) for case in CASES]
    assert sum(judged) > 180


def test_both_agree_on_cases_of_kubernetes_own_tests(shared: Path) -> None:
    cases = json.loads((shared / "cases" / "cel-upstream.json").read_text(encoding="utf-8"))
    judged = [compared(case) for case in cases]
    assert sum(judged) > 90


GPU = {
    "driver": "gpu.nvidia.com",
    "attributes": {},
    "capacity": {},
    "allowMultipleAllocations": None,
    "gates": {},
}


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ('device.?driver.orValue("") == "x"', "optional syntax"),
        ("cel.bind(x, 1, x == 1)", "undeclared reference to 'bind'"),
        ("sets.contains([1], [1])", "undeclared reference"),
        ("[1, 2].all(i, v, v > i)", "ValueError"),
        ('"a" in device && ' + "[1].all(a, " * 400 + "true" + ")" * 400, ""),
    ],
)
def test_what_it_cannot_judge(expression: str, reason: str) -> None:
    selector = compile_selector(expression)
    value = selector if isinstance(selector, CompileErrors) else selector.evaluate(device(GPU))
    assert isinstance(value, CompileErrors | EvaluationError)
    assert not value.judged
    assert reason in str(value)


def test_clauses() -> None:
    selector = compile_selector('device.driver == "a && b" && (true || false)&& true')
    assert not isinstance(selector, CompileErrors)
    assert [clause.text for clause in selector.clauses] == [
        'device.driver == "a && b"',
        "(true || false)",
        "true",
    ]
    assert [clause.evaluate(device(GPU)) for clause in selector.clauses] == [False, True, True]
    assert selector.cost is None


def test_a_syntax_error_has_a_place() -> None:
    found = compile_selector("true &&\n device. == 1")
    assert isinstance(found, CompileErrors)
    assert found.judged
    assert found.errors[0].offset == len("true &&\n device. ")
