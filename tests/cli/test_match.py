"""`dralint match` as a person runs it: the devices, the clauses, what comes nearest, exit codes, JSON."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.conftest import ROOT

Dralint = Callable[..., Any]
SCHEMA = json.loads((ROOT / "schemas" / "match.schema.json").read_text())
SELECTORS = ROOT / "examples" / "selectors"
CLAIMS, SLICES = SELECTORS / "claims.yaml", SELECTORS / "slices.yaml"
A, C = 'device.attributes["gpu.nvidia.com"]', 'device.capacity["gpu.nvidia.com"]'
RTX = "NVIDIA RTX PRO 6000 Blackwell"
BROKEN = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: broken}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
        selectors:
        - cel:
            expression: >-
              device.driver == "gpu.nvidia.com" &&
              device.nosuch
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def results(ran: Any) -> list[dict[str, Any]]:
    data = json.loads(ran.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(data)
    return data["results"]


def matching(result: dict[str, Any]) -> list[str]:
    return [each["device"] for each in result["devices"] if each["match"]]


def cards_of(result: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(each["pool"] for each in result["devices"] if each["match"]))


# The seven ways to choose in a cluster of RTX PRO 6000 and H200 NVL, and what each must get.
CHOICES = {
    "by-name": ["h200-nvl/gpu-0", "h200-nvl/gpu-1"],
    "large": ["h200-nvl/gpu-0", "h200-nvl/gpu-1"],
    "small": ["rtx-pro-6000/gpu-0", "rtx-pro-6000/gpu-1"],
    "blackwell": ["rtx-pro-6000/gpu-0", "rtx-pro-6000/gpu-1"],
    "slice-24gb": [
        "rtx-pro-6000/gpu-2-mig-1g24gb-47-0",
        "rtx-pro-6000/gpu-2-mig-1g24gb-47-3",
        "rtx-pro-6000/gpu-3-mig-1g24gb-47-0",
    ],
    "slice-18gb": [
        "h200-nvl/gpu-2-mig-1g18gb-19-0",
        "h200-nvl/gpu-2-mig-1g18gb-19-1",
        "h200-nvl/gpu-2-mig-1g18gb-19-2",
    ],
}
CHOICES["two-slices-of-one-card/first"] = CHOICES["slice-24gb"]
CHOICES["two-slices-of-one-card/second"] = CHOICES["slice-24gb"]


def test_the_seven_selectors_pick_the_right_devices(dralint: Dralint) -> None:
    ran = dralint("match", "--claims", CLAIMS, "--inventory", SLICES, "--output-format", "json")
    assert ran.code == 0
    found = {}
    for result in results(ran):
        source = result["source"]
        name = source["object"]["name"]
        key = f"{name}/{source['request']}" if name.startswith("two") else name
        found[key] = [f"{each['pool']}/{each['device']}" for each in result["devices"] if each["match"]]
        assert {each["match"] for each in result["devices"]} == {True, False}
        assert result["clauses"][-1]["matching"] == len(found[key])
    assert found == CHOICES


def test_the_two_slices_can_come_from_one_card() -> None:
    import yaml

    slices = [
        device
        for slice_ in yaml.safe_load_all(SLICES.read_text())
        for device in slice_["spec"]["devices"]
        if device["attributes"].get("profile") == {"string": "1g.24gb"}
    ]
    parents = [device["attributes"]["parentUUID"]["string"] for device in slices]
    assert sorted(parents.count(parent) for parent in set(parents)) == [1, 2]


def test_the_seven_selectors_on_all_known_cards(dralint: Dralint) -> None:
    by_name = {
        result["source"]["object"]["name"]: cards_of(result)
        for result in results(dralint("match", "--claims", CLAIMS, "--output-format", "json"))
    }
    assert by_name["by-name"] == ["NVIDIA H200 NVL"]
    assert {"NVIDIA H200", "NVIDIA H200 NVL", "NVIDIA B200"} <= set(by_name["large"])
    assert not set(by_name["large"]) & set(by_name["small"])
    assert f"{RTX} Server Edition" in by_name["small"]
    assert "NVIDIA B200" in by_name["blackwell"]
    assert {f"{RTX} {edition} Edition" for edition in ("Server", "Workstation", "Max-Q Workstation")} <= set(
        by_name["slice-24gb"]
    )
    assert by_name["slice-18gb"] == ["NVIDIA H200", "NVIDIA H200 NVL", "NVIDIA GH200 144G HBM3e"]


def test_the_text_of_the_seven_selectors(
    dralint: Dralint, snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    with_slices = dralint("match", "--claims", "examples/selectors")
    assert (with_slices.code, with_slices.out) == (0, snapshot(name="on the slices beside them"))
    on_cards = dralint("match", "--claims", "examples/selectors/claims.yaml")
    assert (on_cards.code, on_cards.out) == (0, snapshot(name="on all known cards"))
    assert on_cards.err.startswith("no inventory was given: 126 known cards with ")


def test_one_expression_on_the_catalogue(dralint: Dralint) -> None:
    ran = dralint("match", f'{A}.productName == "NVIDIA H200 NVL" && {A}.type == "gpu"')
    assert ran.code == 0
    assert ran.out.splitlines()[1:] == [
        "  1 of 451 known devices matches: NVIDIA H200 NVL",
        '  451 known devices; productName == "NVIDIA H200 NVL": 10; type == gpu: 1',
        "  cost: 11 of 1,000,000",
    ]
    assert "assumed: Kubernetes" in ran.err


def test_nothing_matches(dralint: Dralint) -> None:
    ran = dralint("match", f'{A}.productName == "NVIDIA-H200-NVL"')
    assert ran.code == 1
    assert ran.out.splitlines()[1:] == [
        "  no known card matches",
        "  451 known devices; productName == NVIDIA-H200-NVL: 0",
        "  nearest: productName NVIDIA H200 NVL (asked for: NVIDIA-H200-NVL)",
        "  cost: 6 of 1,000,000",
    ]
    ran = dralint("match", f'{A}.productName == "NVIDIA-H200-NVL"', "--inventory", SLICES)
    assert ran.code == 1
    assert "  no device matches" in ran.out.splitlines()


def test_an_expression_that_fails_everywhere(dralint: Dralint) -> None:
    ran = dralint("match", f'{A}.memory == "80Gi"', "--inventory", SLICES)
    assert ran.code == 1
    _, verdict, failing, *_ = ran.out.splitlines()
    assert verdict == "  no device matches"
    assert failing == (
        "  fails on 10 devices: no such key: memory: "
        "rtx-pro-6000 (gpu-0, gpu-1, gpu-2-mig-1g24gb-47-0, gpu-2-mig-1g24gb-47-3, gpu-3-mig-1g24gb-47-0), "
        "h200-nvl (gpu-0, gpu-1, gpu-2-mig-1g18gb-19-0, gpu-2-mig-1g18gb-19-1, gpu-2-mig-1g18gb-19-2)"
    )
    assert f"did you mean {C}.memory?" in ran.out


def test_a_possible_match_is_none_that_failed(dralint: Dralint) -> None:
    ran = dralint("match", f'{A}.driverVersion.major() >= 580 && {A}.productName == "NVIDIA L4"')
    assert ran.code == 0
    assert "  may match: NVIDIA L4: nobody knows its driverVersion beforehand" in ran.out.splitlines()
    ran = dralint(
        "match", f'{A}.driverVersion.major() >= 580 && {A}.productName == "NVIDIA L4"', "--gpu-driver", "570"
    )
    assert ran.code == 1


def test_an_expression_that_does_not_compile(dralint: Dralint) -> None:
    ran = dralint("match", "device.nosuch && true")
    assert ran.code == 2
    assert ran.out.splitlines()[1] == "  does not compile: 1:7: undefined field 'nosuch'"
    ran = dralint("match", "device.nosuch && true", "--output-format", "json")
    assert ran.code == 2
    (result,) = results(ran)
    assert result == {
        "expression": "device.nosuch && true",
        "source": None,
        "compiled": False,
        "error": "1:7: undefined field 'nosuch'",
        "devices": [],
        "cost": None,
        "clauses": [],
        "nearest": None,
    }


def test_a_claim_that_does_not_compile_is_told_with_its_place(dralint: Dralint, tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text(BROKEN)
    ran = dralint("match", "--claims", "broken.yaml", CLAIMS, "--inventory", SLICES)
    assert ran.code == 2
    first, second, third = ran.out.splitlines()[:3]
    assert first == "broken.yaml:12:25: ResourceClaim broken, request gpu, class gpu.nvidia.com"
    assert second == "  does not compile: broken.yaml:14:21: undefined field 'nosuch'"
    assert third.startswith(str(CLAIMS))


def test_json(dralint: Dralint) -> None:
    expression = f'device.driver == "gpu.nvidia.com" && {A}.architecture == "hopper"'
    ran = dralint("match", expression, "--inventory", SLICES, "--output-format", "json")
    assert ran.code == 1
    (result,) = results(ran)
    assert result["devices"][0] == {
        "driver": "gpu.nvidia.com",
        "pool": "rtx-pro-6000",
        "device": "gpu-0",
        "match": False,
        "error": None,
    }
    assert len(result["devices"]) == 10
    del result["devices"]
    assert result == {
        "expression": expression,
        "source": None,
        "compiled": True,
        "error": None,
        "cost": 9,
        "clauses": [
            {"text": 'device.driver == "gpu.nvidia.com"', "matching": 10},
            {"text": f'{A}.architecture == "hopper"', "matching": 0},
        ],
        "nearest": {
            "clause": f'{A}.architecture == "hopper"',
            "map": "attributes",
            "attribute": "gpu.nvidia.com/architecture",
            "wanted": "hopper",
            "value": "Hopper",
        },
    }


def test_the_source_of_a_claim_in_json(dralint: Dralint, tmp_path: Path) -> None:
    (tmp_path / "claim.yaml").write_text(BROKEN.replace("device.nosuch", "true"))
    (result,) = results(dralint("match", "--claims", ".", "--output-format", "json"))
    assert result["expression"] == 'device.driver == "gpu.nvidia.com" && true'
    assert result["source"] == {
        "path": "claim.yaml",
        "line": 12,
        "object": {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaim",
            "namespace": None,
            "name": "broken",
        },
        "request": "gpu",
    }
    # The class's clauses come first.
    assert [clause["text"] for clause in result["clauses"]][1:] == [
        f'{A}.type == "gpu"',
        'device.driver == "gpu.nvidia.com"',
        "true",
    ]


def test_several_selectors_of_a_request_are_one_expression(dralint: Dralint, tmp_path: Path) -> None:
    text = BROKEN.replace("device.nosuch", "true") + '        - cel: {expression: "1 == 1"}\n'
    (tmp_path / "claim.yaml").write_text(text)
    (result,) = results(dralint("match", "--claims", "claim.yaml", "--output-format", "json"))
    assert result["expression"] == '(device.driver == "gpu.nvidia.com" && true) && (1 == 1)'


def test_the_inventory_on_standard_input(dralint: Dralint, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(SLICES.read_bytes())

    monkeypatch.setattr(sys, "stdin", Stdin)
    ran = dralint("match", f'{A}.architecture == "Hopper"', "--inventory", "-", "--output-format", "json")
    assert ran.code == 0
    assert len(matching(results(ran)[0])) == 5


def test_claims_on_standard_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dralint", "match", "--claims", "-", "--stdin-filename", "mine.yaml"],
        input=CLAIMS.read_bytes(),
        capture_output=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0
    assert done.stdout.startswith(b"mine.yaml:16:27: ResourceClaimTemplate by-name")


def test_several_files_are_one_inventory(dralint: Dralint, tmp_path: Path) -> None:
    one, other = SLICES.read_text().split("---\n")
    (tmp_path / "one.yaml").write_text(one)
    (tmp_path / "other.yaml").write_text(other)
    both = dralint("match", "true", "--inventory", "one.yaml", "--inventory", "other.yaml")
    assert "  10 devices; true: 10" in both.out.splitlines()
    folder = dralint("match", "true", "--inventory", ".")
    assert folder.out == both.out


def test_nodes_are_an_inventory(dralint: Dralint, tmp_path: Path) -> None:
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}
    node["metadata"]["labels"] = {"nvidia.com/gpu.product": "NVIDIA-H200-NVL", "nvidia.com/gpu.count": "2"}  # type: ignore[index]
    (tmp_path / "nodes.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [node]}))
    ran = dralint("match", f'{A}.productName == "NVIDIA H200 NVL"', "--inventory", "nodes.json")
    assert ran.code == 0
    assert "  2 of 2 devices match: a (gpu-0, gpu-1)" in ran.out.splitlines()


def test_what_the_reader_should_know_of_the_inventory(dralint: Dralint, tmp_path: Path) -> None:
    (tmp_path / "part.yaml").write_text(
        SLICES.read_text().replace("resourceSliceCount: 1", "resourceSliceCount: 2")
    )
    ran = dralint("match", "true", "--inventory", "part.yaml")
    assert "part.yaml:3:1: note: pool rtx-pro-6000 of gpu.nvidia.com is not complete: 1 of 2" in ran.err
    assert dralint("match", "true", "--inventory", "part.yaml", "-q").err == ""


def test_a_selector_that_costs_too_much_is_judged_all_the_same(dralint: Dralint) -> None:
    ran = dralint("match", f'{A}.?productName.orValue("").contains("H200")', "--inventory", SLICES)
    assert ran.code == 0
    assert ": the API server refuses it" in ran.out
    assert "  5 of 10 devices match: h200-nvl (" in ran.out


def test_the_target_decides_what_compiles(dralint: Dralint) -> None:
    expression = "device.allowMultipleAllocations == false"
    assert dralint("match", expression, "--target-kubernetes", "1.33").code == 2
    assert dralint("match", expression, "--gate", "kubernetes:DRAConsumableCapacity=true").code == 0


def test_the_driver_decides_the_attributes(dralint: Dralint) -> None:
    expression = f'{A}.type == "gpu" && {A}.index == 0'
    assert dralint("match", expression).code == 1
    assert dralint("match", expression, "--dra-driver", "25.3.2").code == 0


def test_devices_of_compute_domains(dralint: Dralint) -> None:
    expression = 'device.driver == "compute-domain.nvidia.com"'
    ran = dralint("match", expression, "--output-format", "json")
    assert matching(results(ran)[0]) == ["channel-0", "daemon-0"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "no expression (EXPR, or --claims PATH...)"),
        (["true", "true"], "more than one expression (put it in quotes; files of claims need --claims)"),
        (["--claims", "-", "--inventory", "-"], "standard input can be read only once (name a file"),
        (["true", "--inventory", "nosuch.yaml"], "nosuch.yaml: error: "),
        (["true", "--inventory", "empty.yaml"], "no ResourceSlice and no Node in empty.yaml (make it with"),
        (["--claims", "nosuch.yaml"], "nosuch.yaml: error: "),
    ],
)
def test_what_cannot_be_done(dralint: Dralint, tmp_path: Path, arguments: list[str], told: str) -> None:
    (tmp_path / "empty.yaml").write_text("")
    ran = dralint("match", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_a_part_that_cannot_be_read_costs_only_itself(dralint: Dralint, tmp_path: Path) -> None:
    (tmp_path / "half.yaml").write_text(f"{SLICES.read_text()}---\nkind: ResourceSlice\nspec: [\n")
    ran = dralint("match", "true", "--inventory", "half.yaml")
    assert ran.code == 2
    assert "  10 devices; true: 10" in ran.out.splitlines()
    assert "half.yaml:179:1: error: " in ran.err


def test_files_without_selectors(dralint: Dralint, tmp_path: Path) -> None:
    (tmp_path / "pod.yaml").write_text("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n")
    ran = dralint("match", "--claims", "pod.yaml")
    assert (ran.code, ran.out, ran.err) == (0, "", "no selectors in these files\n")


def test_what_a_file_says_is_escaped(dralint: Dralint, tmp_path: Path) -> None:
    text = SLICES.read_text().replace("name: h200-nvl\n", 'name: "a\\e[31m\\nb"\n')
    (tmp_path / "evil.yaml").write_text(text)
    ran = dralint("match", f'{A}.architecture == "Hopper"', "--inventory", "evil.yaml")
    assert "\x1b" not in ran.out
    assert "a\\x1b[31m\\nb (gpu-0" in ran.out


def test_lists_are_short_unless_asked_for(dralint: Dralint) -> None:
    short = dralint("match", f'{A}.architecture == "Blackwell"').out
    full = dralint("match", f'{A}.architecture == "Blackwell"', "-v").out
    assert " more" in short
    assert " more" not in full
    assert f"{RTX} Server Edition (whole, 1g.24gb, 1g.24gb+me, 1g.24gb+gfx, 1g.24gb+me.all, " in full


def test_the_second_engine_says_the_same(dralint: Dralint) -> None:
    def said(engine: str) -> list[Any]:
        ran = dralint(
            "match", "--claims", CLAIMS, "--inventory", SLICES, "--engine", engine, "--output-format", "json"
        )
        assert ran.code == 0
        return [{**result, "cost": None} for result in results(ran)]

    assert said("cel-python") == said("cel-expr-python")


def test_an_engine_that_does_not_exist(dralint: Dralint) -> None:
    ran = dralint("match", "true", "--engine", "nosuch")
    assert (ran.code, ran.out) == (2, "")
    assert "unknown CEL engine 'nosuch' (one of cel-expr-python, cel-python)" in ran.err


def test_without_the_first_engine_the_second_takes_over(
    dralint: Dralint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "dralint.cel.dialect", None)
    ran = dralint("match", f'{A}.architecture == "Hopper"', "--inventory", SLICES, "--output-format", "json")
    assert ran.code == 0
    (result,) = results(ran)
    assert (len(matching(result)), result["cost"]) == (5, None)
    ran = dralint("match", "true", "--engine", "cel-expr-python")
    assert ran.code == 2
    assert "the CEL engine cel-expr-python is not installed" in ran.err
