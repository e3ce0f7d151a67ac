"""Random changes to real selectors: whatever comes out, it gets an answer; no hang, no crash of the process."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dralint.cel.dialect import CompileErrors, EvaluationError, Settings, compile_selector, make_device

CASES = json.loads((Path(__file__).parent / "cel.json").read_text(encoding="utf-8"))
TOKEN = re.compile(r'\w+|"[^"]*"|\s+|.', re.DOTALL)
SELECTORS = [TOKEN.findall(case["expression"]) for case in CASES if len(case["expression"]) < 400]
WORDS = sorted({token for selector in SELECTORS for token in selector})
# One that hangs or dies does not take the tests with it.
CHILD = f"""
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({1 << 30}, {1 << 30}))
from dralint.cel.dialect import *
device = make_device("x", {{"type": {{"string": "gpu"}}}}, {{"memory": "80Gi"}})
for line in sys.stdin.buffer:
    selector = compile_selector(json.loads(line), Settings(36, True, True))
    if isinstance(selector, Program):
        selector.evaluate(device), selector.cost, [clause.evaluate(device) for clause in selector.clauses]
    print("answered", flush=True)
"""
# Only a hang takes so long.
HANGS = 120
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
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
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
@settings(max_examples=200, deadline=None)
def test_so_does_any_text(expression: str) -> None:
    selector = compile_selector(expression, Settings(36))
    assert not isinstance(selector, CompileErrors) or selector.errors


@st.composite
def amplified(draw: st.DrawFn) -> str:
    """A selector that is written many times over, or in a loop, or nested."""
    inner = draw(selectors())
    times = draw(st.integers(1, 40))
    return draw(
        st.sampled_from(
            [
                inner,
                " && ".join([inner] * times),
                "(" * times + inner + ")" * times,
                f"lists.range({10**times % 99_991}).exists(i, {inner})",
                f"[1, 2, 3].all(a, lists.range({times}).all(b, {inner}))",
                f"cel.bind(v, {inner}, v || v)",
                f'"{inner[:20] * times}".matches({json.dumps(inner)})',
            ]
        )
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no resource limits there")
@given(st.lists(amplified(), min_size=60, max_size=80))
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
def test_none_hangs_or_kills_the_process(expressions: list[str]) -> None:
    child = subprocess.run(  # our own code
        [sys.executable, "-c", CHILD],
        input="".join(f"{json.dumps(each)}\n" for each in expressions).encode(),
        capture_output=True,
        timeout=HANGS,
        check=False,
    )
    answered = child.stdout.count(b"answered")
    assert answered == len(expressions), (expressions[answered], child.stderr.decode()[-500:])
    assert child.returncode == 0
