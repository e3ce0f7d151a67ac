"""`dralint rules --test`, and the rules that the documentation shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Dralint = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r'^```yaml(?: title="[^"]+")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)

RULE = """\
id: ACME001
name: no-default
severity: warning
summary: s
subject: claim
when: object.namespace == "default"
message: "{object.name} stands in default"
examples:
  bad:
  - files:
      a.yaml: |
        kind: ResourceClaim
        apiVersion: resource.k8s.io/v1
        metadata: {name: a, namespace: default}
    line: 1
  good:
  - files:
      a.yaml: |
        kind: ResourceClaim
        apiVersion: resource.k8s.io/v1
        metadata: {name: a}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "ci").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(folder: Path, text: str, name: str = "a.yaml") -> None:
    (folder / "ci" / name).write_text(text)


def test_rules_whose_examples_are_right(dralint: Dralint, folder: Path) -> None:
    written(folder, RULE)
    written(
        folder, RULE.partition("examples")[0].replace("ACME001", "ACME002").replace("no-d", "nod"), "b.yaml"
    )
    ran = dralint("rules", "--test", "ci")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "2 rules, 2 examples: all as they should be\n"
    assert dralint("rules", "--test", "ci", "-q").err == ""


WRONG = {
    "not found": ("namespace: default}", "namespace: other}", "ci/a.yaml:15:5", "bad example 1 of no-default finds nothing"),
    "another line": ("line: 1", "line: 3", "ci/a.yaml:15:5", "finds it on a.yaml:1; once, on a.yaml:3, was expected"),
    "good is found": ("{name: a}", "{name: a, namespace: default}", "ci/a.yaml:17:5", "good example 1 of no-default finds it on a.yaml:1; nothing"),
    "arguments": ("line: 1", "line: 1\n    args: [--nothing]", "ci/a.yaml:16:5", "bad example 1 of no-default: No such option '--nothing'"),
    "target": ("line: 1", "line: 1\n    args: [--target-kubernetes, x]", "ci/a.yaml:10:5", "'x' is no version of Kubernetes"),
    "no YAML": ("kind: ResourceClaim", "kind: [", "ci/a.yaml:10:5", "bad example 1 of no-default: a.yaml:"),
    "placeholder": ("{object.name}", "{object.nmae}", "ci/a.yaml:7:1", "{object.nmae} is no fact of a claim"),
    "expression": ("object.namespace ==", "objct.namespace ==", "ci/a.yaml:6:12", "undeclared reference to 'objct"),
    "null": ('== "default"', '.startsWith("de")', "ci/a.yaml:17:5", "failed here"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_points_into_the_rule_file(dralint: Dralint, folder: Path, case: str) -> None:
    old, new, place, what = WRONG[case]
    assert old in RULE
    written(folder, RULE.replace(old, new, 1))
    ran = dralint("rules", "--test", "ci")
    assert ran.code == 1
    assert ran.out.startswith(f"{place}: error: "), ran.out
    assert what in ran.out
    assert ran.out.count("\n") == 1
    assert ran.err == "1 rule, 2 examples: 1 mistake\n"


def test_a_rule_file_that_is_not_valid(dralint: Dralint, folder: Path) -> None:
    written(folder, RULE)
    written(folder, RULE.replace("severity", "severty"), "b.yaml")
    ran = dralint("rules", "--test", "ci")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("ci/b.yaml:3:1: error: unknown key severty; did you mean severity?")
    assert dralint("rules", "--test", "nowhere").code == 2


def test_the_configuration_does_not_change_what_an_example_means(dralint: Dralint, folder: Path) -> None:
    written(folder, RULE)
    (folder / ".dralint.yaml").write_text("rules: [ci]\nignore: [ACME001]\nexclude: ['*.yaml']\n")
    assert dralint("rules", "--test", "ci").code == 0


def test_a_team_s_kinds_count_in_examples(dralint: Dralint, folder: Path) -> None:
    rule = (
        "id: ACME001\nname: a\nseverity: info\nsummary: s\nsubject: container\nwhen: device_plugin.size() > 0\n"
        "message: '{name}'\nexamples:\n  good: [{files: {a.yaml: 'kind: Pod'}}]\n  bad:\n  - line: 4\n    files:\n"
        "      a.yaml: |\n        apiVersion: acme.example/v1\n        kind: Run\n        spec:\n"
        "          main: {name: x, resources: {limits: {acme.example/card: 1}}}\n"
    )
    written(folder, rule)
    assert dralint("rules", "--test", "ci").code == 1
    (folder / ".dralint.yaml").write_text(
        "resources: [{name: acme.example/card, base: gpu}]\n"
        "kinds: [{group: acme.example, kind: Run, schema: full, pods: [{path: spec, containers: [main]}]}]\n"
    )
    ran = dralint("rules", "--test", "ci")
    assert ran.code == 0, ran.out


def documented() -> list[str]:
    blocks: list[str] = BLOCK.findall((ROOT / "docs" / "custom-rules.md").read_text(encoding="utf-8"))
    return [block for block in blocks if block.startswith("id: ")]


def test_the_documented_rules_hold(dralint: Dralint, folder: Path) -> None:
    blocks = documented()
    assert len(blocks) == 2
    for number, block in enumerate(blocks):
        written(folder, block, f"{number}.yaml")
    ran = dralint("rules", "--test", "ci")
    assert (ran.code, ran.out, ran.err) == (0, "", "2 rules, 2 examples: all as they should be\n")


CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: a, namespace: %s}
spec:
  devices:
    requests:
    - name: gpu
      exactly: {deviceClassName: gpu.nvidia.com%s}
    config:
    - opaque:
        driver: gpu.nvidia.com
        parameters:
          apiVersion: resource.nvidia.com/v1beta1
          kind: GpuConfig
          sharing: {strategy: %s}
"""


def test_a_rule_for_production_takes_fewer_than_fifteen_lines(dralint: Dralint, folder: Path) -> None:
    rule = documented()[0]
    assert len(rule.splitlines()) < 15
    written(folder, rule)

    def found(*claims: str, target: str = "1.36") -> list[str]:
        (folder / "claims.yaml").write_text("---\n".join(claims))
        ran = dralint(
            "check",
            "--rules",
            "ci",
            "--select",
            "PROD001",
            "--target-kubernetes",
            target,
            "--output-format",
            "concise",
            "claims.yaml",
        )
        assert ran.code == int("PROD001" in ran.out)
        return [line.partition("] ")[2] for line in ran.out.splitlines()]

    message = "is an alpha gate; namespaces prod-* do without"
    mps, slicing = CLAIM % ("prod-eu", "", "MPS"), CLAIM % ("prod-us", "", "TimeSlicing")
    assert found(mps) == [f"MPSSupport {message}"]
    assert found(CLAIM % ("staging", "", "MPS")) == []
    assert found(mps.replace(", namespace: prod-eu", "")) == []
    assert len(found(mps, slicing, CLAIM % ("prod-eu", "", "MPS"))) == 2
    # One rule, two kinds of subject: a gate of Kubernetes beside that of the driver.
    sized = CLAIM % ("prod-eu", ", capacity: {requests: {memory: 10Gi}}", "MPS")
    assert {f"DRAConsumableCapacity {message}", f"MPSSupport {message}"} <= {*found(sized, target="1.34")}
    # The first use of the gate is elsewhere.
    assert found(CLAIM % ("staging", "", "MPS"), mps) == [f"MPSSupport {message}"]


def test_the_documented_configuration_is_valid(dralint: Dralint, folder: Path) -> None:
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    (folder / ".dralint.yaml").write_text(BLOCK.findall(page)[0])
    (folder / "ci" / "rules").mkdir()
    written(folder, RULE, "rules/a.yaml")
    (folder / ".dralint-baseline.json").write_text('{"version": 1, "findings": []}')
    (folder / "a.yaml").write_text(CLAIM % ("x", "", "TimeSlicing"))
    ran = dralint("check", ".")
    assert ran.code in (0, 1), ran.err
    assert dralint("convert", ".").code == 0
