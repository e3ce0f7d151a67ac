"""Kubernetes' own answers to selectors: what does not compile is an api finding, what compiles is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CASES = json.loads((Path(__file__).parent.parent / "cel" / "cel.json").read_text())
# Lists in attributes need a gate that the command line can turn on; a stored expression is nobody's manifest.
JUDGED = [
    case
    for case in CASES
    if case["env"] == "NewExpressions" and not case["gates"].get("DRAListTypeAttributes")
]
DEAR = "cel-cost-limit"


def claim(case):
    request = {
        "name": "gpu",
        "exactly": {"deviceClassName": "own", "selectors": [{"cel": {"expression": case["expression"]}}]},
    }
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": case["id"]},
        "spec": {"devices": {"requests": [request]}},
    }


def own_class(driver):
    expression = f"device.driver == {json.dumps(driver)}"
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "own"},
        "spec": {"selectors": [{"cel": {"expression": expression}}]},
    }


@pytest.fixture
def findings(dralint, tmp_path, monkeypatch):
    """The findings of the cases, all in one file, by case; driver: of the class that the claims name."""
    monkeypatch.chdir(tmp_path)

    def found(cases, driver):
        objects = [own_class(driver), *map(claim, cases)]
        (tmp_path / "x.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
        by_gate = cases[0]["gates"]["DRAConsumableCapacity"]
        gate = f"kubernetes:DRAConsumableCapacity={str(bool(by_gate)).lower()}"
        target = "1.36" if by_gate else "1.35"
        ran = dralint(
            "check", "x.json", "--output-format", "json", "--gate", gate, "--target-kubernetes", target
        )
        assert ran.code in (0, 1), ran.err
        by_name = {case["id"]: [] for case in cases}
        for finding in json.loads(ran.out)["findings"]:
            if finding["rule"].startswith(("DRA2", "DRA0")):
                by_name[finding["object"]["name"]].append(finding)
        return by_name

    return found


# A path that compiles, and of which everybody sees what was meant.
DOTTED = "device.attributes.gpu.nvidia.com.type"


def test_what_the_api_server_refuses_is_found_and_nothing_else(findings):
    assert {bool(case["gates"]["DRAConsumableCapacity"]) for case in JUDGED} == {True}
    by_name = findings(JUDGED, "dra.example.com")
    for case in JUDGED:
        api = [each["name"] for each in by_name[case["id"]] if each["layer"] == "api"]
        if case["expect"] == "compile-error":
            assert len(api) == 1, case["expression"]
            assert api != [DEAR], case["expression"]
        elif DOTTED in case["expression"]:
            assert api == ["cel-missing-domain"]
        else:
            # Evaluation knows no cost limit, the API server does.
            assert api in ([], [DEAR]), case["expression"]
            assert by_name[case["id"]] == [] or api == [DEAR], "another driver's devices"


def test_on_nvidias_devices_a_run_time_error_is_found_too(findings):
    cases = [
        each
        for each in JUDGED
        if each["expect"] == "runtime-error"
        and each["driver"] == "gpu.nvidia.com"
        and each["gates"].get("DRAConsumableCapacity")
        and each["attributes"]
    ]
    by_name = findings(cases, "gpu.nvidia.com")
    silent = [case["expression"] for case in cases if not by_name[case["id"]]]
    assert len(cases) > 10
    assert silent == []


def test_the_upstream_cases_that_compile_are_no_findings(findings, shared):
    cases = [
        each
        for each in json.loads((shared / "cases" / "cel-upstream.json").read_text())
        if each["env"] == "NewExpressions"
        and each["gates"].get("DRAConsumableCapacity")
        and not each["gates"].get("DRAListTypeAttributes")
    ]
    by_name = findings(cases, "dra.example.com")
    for case in cases:
        api = [each["name"] for each in by_name[case["id"]] if each["layer"] == "api"]
        assert bool(set(api) - {DEAR}) == (case["expect"] == "compile-error"), case["expression"]
