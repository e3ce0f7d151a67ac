"""The CEL cases whose answers Kubernetes gave, through `dralint match`: the command says the same."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dralint.cel.dialect import MAX_COST

Dralint = Callable[..., Any]


def cases(shared: Path) -> Iterator[dict[str, Any]]:
    """New expressions: those that a manifest would bring."""
    for name in ("cel.json", "cel-upstream.json"):
        for case in json.loads((shared / "cases" / name).read_text()):
            if case["env"] == "NewExpressions":
                yield case


def inventory(case: dict[str, Any]) -> dict[str, Any]:
    more = (
        {}
        if case["allowMultipleAllocations"] is None
        else {"allowMultipleAllocations": case["allowMultipleAllocations"]}
    )
    device = {"name": "d", "attributes": case["attributes"], "capacity": case["capacity"], **more}
    pool = {"name": "p", "generation": 1, "resourceSliceCount": 1}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "s"},
        "spec": {"driver": case["driver"], "pool": pool, "devices": [device]},
    }


def said(result: dict[str, Any]) -> Any:
    if not result["compiled"]:
        return "compile-error"
    (device,) = result["devices"]
    return "runtime-error" if device["match"] is None else device["match"]


def test_the_answers_of_kubernetes(shared: Path, tmp_path: Path, dralint: Dralint) -> None:
    file = tmp_path / "slice.json"
    wrong, codes = {}, Counter[tuple[Any, int]]()
    for case in cases(shared):
        file.write_text(json.dumps(inventory(case)))
        gates = [
            f"--gate=kubernetes:{name}={str(on).lower()}" for name, on in case["gates"].items() if on != "any"
        ]
        ran = dralint(
            "match", "--inventory", file, "--output-format", "json", "-q", *gates, "--", case["expression"]
        )
        assert ran.out, f"{case}\n{ran.err}"
        (result,) = json.loads(ran.out)["results"]
        expected = case["expect"]
        if said(result) != expected:
            wrong[case["id"]] = (expected, said(result), result["error"])
        # Whatever makes the API server refuse it for its cost, match judges it and tells the cost.
        if "apiRejectsForCost" in case and result["compiled"] and len(case["expression"]) < 10_000:
            assert (result["cost"] > MAX_COST) == case["apiRejectsForCost"], case["id"]
        codes[expected, ran.code] += 1
    assert wrong == {}
    assert codes.total() == 308
    assert {code for (expected, code) in codes if expected == "compile-error"} == {2}
    assert {code for (expected, code) in codes if expected is True} == {0}
    assert {code for (expected, code) in codes if expected in (False, "runtime-error")} == {1}
