"""Random changes to real selectors: whatever comes out, it gets an answer, and soon."""

from __future__ import annotations

import json
import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dralint.cel.dialect import CompileErrors, EvaluationError, Settings, compile_selector, make_device

CASES = json.loads((Path(__file__).parent / "cel.json").read_text(encoding="utf-8"))
TOKEN = re.compile(r'\w+|"[^"]*"|\s+|.', re.DOTALL)
SELECTORS = [TOKEN.findall(case["expression"]) for case in CASES if len(case["expression"]) < 400]
WORDS = sorted({token for selector in SELECTORS for token in selector})
DEVICES = [
    make_device(case["driver"], case["attributes"], case["capacity"], case["allowMultipleAllocations"])
    for case in CASES[::60]
]


@st.composite
def selectors(draw: st.DrawFn) -> str:
    """A selector of the cases with a few tokens changed, dropped, added, or moved in from another."""
    tokens = list(draw(st.sampled_from(SELECTORS)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(tokens)))
        kind = draw(st.sampled_from(["drop", "change", "add", "graft", "character"]))
        if kind == "drop":
            del tokens[at : at + 1]
        elif kind == "graft":
            other = draw(st.sampled_from(SELECTORS))
            start = draw(st.integers(0, len(other)))
            tokens[at:at] = other[start : start + draw(st.integers(1, 10))]
        elif kind == "character":
            tokens.insert(at, draw(st.characters()))
        else:
            tokens[at : at + (kind == "change")] = [draw(st.sampled_from(WORDS))]
    return "".join(tokens)


@given(
    expression=selectors(),
    gates=st.builds(Settings, st.integers(31, 37), st.booleans(), st.booleans(), st.booleans()),
)
@settings(max_examples=400, deadline=10_000, suppress_health_check=[HealthCheck.too_slow])
def test_every_text_gets_an_answer(expression: str, gates: Settings) -> None:
    selector = compile_selector(expression, gates)
    if isinstance(selector, CompileErrors):
        assert selector.errors
        assert all(0 <= error.offset <= len(expression) for error in selector.errors)
        return
    assert selector.cost >= 0
    for device in DEVICES:
        value = selector.evaluate(device)
        assert isinstance(value, bool | EvaluationError)
    for clause in selector.clauses:
        assert expression[clause.offset :].startswith(clause.text)
        assert isinstance(clause.evaluate(DEVICES[0]), bool | EvaluationError)


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=10_000)
def test_so_does_any_text(expression: str) -> None:
    selector = compile_selector(expression, Settings(36))
    assert not isinstance(selector, CompileErrors) or selector.errors
