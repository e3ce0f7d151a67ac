"""The cases with known answers, as several tests read them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dralint.cel.dialect import (
    CompileErrors,
    EvaluationError,
    Program,
    Settings,
    compile_selector,
    make_device,
)

MINOR = 37
CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "cel.json").read_text(encoding="utf-8"))


def settings(case: dict[str, Any], list_gate: bool) -> Settings:
    return Settings(
        MINOR,
        consumable_capacity=case["gates"]["DRAConsumableCapacity"],
        list_type_attributes=list_gate,
        stored=case["env"] == "StoredExpressions",
    )


def list_gates(case: dict[str, Any]) -> list[bool]:
    """The settings of the gate under which the answer was found: both, where the case says "any"."""
    gate = case["gates"]["DRAListTypeAttributes"]
    return [True, False] if gate == "any" else [gate]


def device(case: dict[str, Any]) -> dict[str, Any]:
    return make_device(case["driver"], case["attributes"], case["capacity"], case["allowMultipleAllocations"])


def answer(case: dict[str, Any], list_gate: bool) -> tuple[bool | str, Program | CompileErrors]:
    """True, False, "compile-error" or "runtime-error", and what was compiled."""
    compiled = compile_selector(case["expression"], settings(case, list_gate))
    if isinstance(compiled, CompileErrors):
        assert compiled.judged
        return "compile-error", compiled
    value = compiled.evaluate(device(case))
    if isinstance(value, EvaluationError):
        assert value.judged
        return "runtime-error", compiled
    return value, compiled
