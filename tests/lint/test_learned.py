"""The target as the files show it, said in the summary."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: sliced}
spec:
  devices:
    requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]
    config:
    - opaque:
        driver: gpu.nvidia.com
        parameters: {apiVersion: resource.nvidia.com/v1beta1, kind: GpuConfig, sharing: {strategy: TimeSlicing}}
"""
CLUSTER = """\
apiVersion: nvidia.com/v1alpha1
kind: GPUCluster
metadata: {name: gpu-cluster}
spec: {draDriver: {version: v0.5.0, featureGates: {TimeSlicingSettings: %s}}}
"""
VALUES = "gpuResourcesEnabledOverride: true\nfeatureGates: {TimeSlicingSettings: true}\n"


@pytest.fixture
def check(dralint, tmp_path: Path, monkeypatch):
    """Checks texts by their names; gives the names of findings with their severities, and the summary."""
    monkeypatch.chdir(tmp_path)

    def checked(files: dict[str, str], *arguments: str, named: str = "."):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        ran = dralint("check", named, *arguments, "--output-format", "json")
        data = json.loads(ran.out)
        return [(each["name"], each["severity"]) for each in data["findings"]], data["target"], ran.err

    return checked


def test_without_an_installation_the_gates_are_at_their_defaults(check):
    found, target, said = check({"claim.yaml": CLAIM})
    assert found == [("sharing-gate-off", "warning")]
    assert target["stack"] == "unknown"
    assert "driver install unknown" in said


@pytest.mark.parametrize(
    ("name", "text", "stack"),
    [
        ("cluster.yaml", CLUSTER % "true", "operator"),
        ("values.yaml", VALUES, "standalone"),
    ],
)
def test_an_installation_among_the_files_sets_stack_and_gates(check, name, text, stack):
    found, target, said = check({"claim.yaml": CLAIM, name: text})
    assert found == []
    assert target["stack"] == stack
    assert f"stack {stack}" in said
    assert "TimeSlicingSettings=true" in said
    assert name in said


def test_one_in_the_context_is_looked_for_where_a_gate_is_needed(check, tmp_path):
    (tmp_path / ".git").mkdir()
    files = {"apps/claim.yaml": CLAIM, "gpu/cluster.yaml": CLUSTER % "true"}
    found, target, said = check(files, named="apps")
    assert found == []
    assert target["stack"] == "operator"
    assert "cluster.yaml" in said
    found, *_ = check(files, "--context", "none", named="apps")
    assert found == [("sharing-gate-off", "warning")]


def test_a_gate_that_is_turned_off_is_an_error(check):
    found, *_ = check({"claim.yaml": CLAIM, "cluster.yaml": CLUSTER % "false"})
    assert found == [("sharing-gate-off", "error")]


def test_of_two_that_disagree_the_one_with_the_gate_on_counts(check):
    files = {"claim.yaml": CLAIM, "one/cluster.yaml": CLUSTER % "false", "two/cluster.yaml": CLUSTER % "true"}
    found, *_ = check(files)
    assert found == []


def test_two_stacks_are_none(check):
    found, target, _ = check({"claim.yaml": CLAIM, "a/c.yaml": CLUSTER % "true", "b/values.yaml": VALUES})
    assert found == []
    assert target["stack"] == "unknown"


def test_the_command_line_counts_more(check):
    files = {"claim.yaml": CLAIM, "cluster.yaml": CLUSTER % "true"}
    found, target, _ = check(files, "--gate", "TimeSlicingSettings=false", "--dra-driver", "0.5.1")
    assert found == [("sharing-gate-off", "error")]
    assert target["stack"] == "operator"
    assert target["draDriver"] == "0.5.1"
    found, target, _ = check(files, "--stack", "standalone")
    assert found == [("sharing-gate-off", "warning")]
    assert target["stack"] == "standalone"
