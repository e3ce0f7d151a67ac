"""`dralint check` as a person runs it: formats, exit codes, what stands on stdout and on stderr."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from syrupy.assertion import SnapshotAssertion

from dralint.resources import directory

Dralint = Callable[..., Any]

# Rules of the tests' own, so that what they show does not change with dralint's rules.
RULE = """\
id: {id}
name: {name}
layer: {layer}
severity: {severity}
summary: A test
why: To see what the reports make of it.
subject: object
when: |-
  {when}
message: "{message}"
hint: call it otherwise
at: metadata.name
words: [apiVersion]
since: 1.0.0
sources: [a test]
examples: {{bad: [{{files: {{a: a}}, line: 1}}], good: [{{files: {{a: a}}}}]}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: {name}
spec:
  containers:
  - name: main
    resources:
      limits:
        nvidia.com/gpu: 1
"""


def rule(folder: Path, id_: str, name: str, **keys: str) -> None:
    values = {"layer": "advice", "severity": "warning", "message": "{object.name} is a bad name", **keys}
    (folder / f"{id_}.yaml").write_text(RULE.format(id=id_, name=name, **values))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory: three rules, a pod that two of them find, one that none finds."""
    folder = tmp_path / "tree"
    folder.mkdir()
    (tmp_path / "rules").mkdir()
    rule(folder.parent / "rules", "ACME001", "bad-name", when='object.name == "bad"')
    rule(
        folder.parent / "rules",
        "ACME002",
        "worse-name",
        when='object.name == "bad"',
        severity="error",
        layer="api",
    )
    rule(folder.parent / "rules", "ACME003", "odd-name", when='object.name == "odd"', severity="info")
    (folder / "bad.yaml").write_text(POD.format(name="bad"))
    (folder / "good.yaml").write_text(POD.format(name="good"))
    (folder / "odd.yaml").write_text(POD.format(name="odd"))
    monkeypatch.chdir(folder)
    return folder


OWN = ("--rules", "../rules", "--select", "ACME001,ACME002,ACME003")
TARGET = ("--target-kubernetes", "1.36", "--dra-driver", "0.5.1")


def test_text(dralint: Dralint, snapshot: SnapshotAssertion) -> None:
    ran = dralint("check", *OWN, *TARGET, "bad.yaml", "good.yaml", "odd.yaml")
    assert ran.code == 1
    assert ran.out == snapshot(name="stdout")
    assert ran.err == snapshot(name="stderr")


def test_concise(dralint: Dralint, snapshot: SnapshotAssertion) -> None:
    ran = dralint("check", *OWN, "--output-format", "concise", "--quiet", ".")
    assert ran.code == 1
    assert ran.out == snapshot
    assert ran.err == ""


def test_json(dralint: Dralint, snapshot: SnapshotAssertion) -> None:
    ran = dralint("check", *OWN, *TARGET, "--output-format=json", "bad.yaml")
    assert ran.code == 1
    with open(f"{directory('schemas')}/check.schema.json", encoding="utf-8") as file:
        Draft202012Validator(json.load(file)).validate(json.loads(ran.out))
    assert ran.out == snapshot


def test_a_file_beside_the_text(dralint: Dralint, folder: Path) -> None:
    ran = dralint("check", *OWN, "--output-format", "text", "--output-format", "json=out.json", "bad.yaml")
    assert ran.out.startswith("bad.yaml:4:3: warning[ACME001 bad-name]")
    data = json.loads((folder / "out.json").read_text())
    assert [finding["rule"] for finding in data["findings"]] == ["ACME001", "ACME002"]
    assert dralint("check", *OWN, "--output-format", "json=out.json", "good.yaml").out == ""
    assert json.loads((folder / "out.json").read_text())["findings"] == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("good.yaml",), 0),
        (("odd.yaml",), 0),
        (("bad.yaml",), 1),
        (("bad.yaml", "--fail-on", "error"), 1),
        (("bad.yaml", "--fail-on", "error", "--ignore", "worse-name"), 0),
        (("odd.yaml", "--fail-on", "info"), 1),
        (("bad.yaml", "--fail-on", "never"), 0),
        (("bad.yaml", "gone.yaml"), 2),
        (("good.yaml", "gone.yaml", "--fail-on", "never"), 2),
        (("bad.yaml", "--output-format", "concise"), 1),
        (("bad.yaml", "--output-format", "json"), 1),
        (("good.yaml", "--output-format", "json"), 0),
    ],
)
def test_exit_codes(dralint: Dralint, arguments: tuple[str, ...], code: int) -> None:
    assert dralint("check", *OWN, *arguments).code == code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--select", "bad-nmae"), "--select: no rule, name or layer 'bad-nmae' (did you mean bad-name?)"),
        (("--ignore", "runtim"), "--ignore: no rule, name or layer 'runtim' (did you mean runtime?)"),
        (
            ("--output-format", "sariv"),
            "--output-format: there is no format 'sariv' (one of text, concise, json, sarif, github, gitlab, junit)",
        ),
        (("--output-format", "json="), "--output-format json=: the file's name is missing"),
        (
            ("--output-format", "json", "--output-format", "text"),
            "two formats for stdout (write one to a file: --output-format json=FILE)",
        ),
        (("--context", "nowhere"), "--context: nowhere is no directory (name a directory, or none)"),
        (("--engine", "cel-go"), "unknown CEL engine 'cel-go' (one of cel-expr-python, cel-python)"),
        (("--fail-on", "fatal"), "Invalid value for '--fail-on': 'fatal' is not one of"),
        (("--no-such-option",), "No such option"),
    ],
)
def test_usage_errors_are_one_line(dralint: Dralint, arguments: tuple[str, ...], message: str) -> None:
    ran = dralint("check", "--rules", "../rules", *arguments, "bad.yaml")
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith(f"dralint: error: {message}")
    assert ran.err.count("\n") == 1


def test_a_directory_of_rules_that_is_not_there(dralint: Dralint) -> None:
    ran = dralint("check", "--rules", "nowhere", "bad.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err == "nowhere: error: cannot be read: No such file or directory (name a directory of rules)\n"
    )


def test_what_cannot_be_read_costs_one_line_and_the_rest_is_reported(dralint: Dralint, folder: Path) -> None:
    (folder / "broken.yaml").write_text(
        f"{POD.format(name='bad')}---\nnvidia.com: [\n---\n{POD.format(name='bad')}"
    )
    (folder / "latin.yaml").write_bytes(b"# nvidia.com caf\xe9\n")
    ran = dralint(
        "check", *OWN, "--output-format", "concise", "--quiet", "broken.yaml", "latin.yaml", "gone.yaml"
    )
    assert ran.code == 2
    assert [line.partition(" ")[0] for line in ran.out.splitlines()] == [
        "broken.yaml:4:3:", "broken.yaml:4:3:", "broken.yaml:17:3:", "broken.yaml:17:3:",
    ]  # fmt: skip
    lines = ran.err.splitlines()
    assert [line.partition(" error: ")[0] for line in lines] == [
        "broken.yaml:13:1:",
        "latin.yaml:1:17:",
        "gone.yaml:",
    ]


def test_a_broken_rule_file_costs_only_itself(dralint: Dralint, folder: Path) -> None:
    rule(folder.parent / "rules", "ACME004", "broken", when="true", layer="none")
    ran = dralint("check", *OWN, "--output-format", "concise", "--quiet", "bad.yaml")
    assert ran.code == 2
    assert [line.partition("[")[2].partition(" ")[0] for line in ran.out.splitlines()] == [
        "ACME001",
        "ACME002",
    ]
    assert ran.err == (
        "../rules/ACME004.yaml:3:1: error: 'none' is not one of ['api', 'runtime', 'migration', 'advice'] "
        "(see schemas/rule.schema.json)\n"
    )


@pytest.mark.parametrize("engine", ["cel-expr-python", "cel-python"])
def test_a_rule_that_fails_is_a_finding_and_the_others_report(
    dralint: Dralint, folder: Path, engine: str, snapshot: SnapshotAssertion
) -> None:
    rule(folder.parent / "rules", "ACME004", "fails-here", when="object.name > 1")
    rule(folder.parent / "rules", "ACME005", "does-not-parse", when="object.name ==")
    ran = dralint(
        "check", "--rules", "../rules", "--select", "advice", "--engine", engine, "--quiet", "bad.yaml"
    )
    assert ran.code == 1
    assert ran.out == snapshot
    ignoring = dralint(
        "check", "--rules", "../rules", "--select", "ACME001,ACME004", "--ignore", "rule-failed", "bad.yaml"
    )
    assert "rule-failed" not in ignoring.out
    assert "bad-name" in ignoring.out


def test_standard_input_has_the_name_it_is_given(
    dralint: Dralint, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def piped(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "dralint", "check", *OWN, "--output-format", "concise", *arguments],
            input=POD.format(name="bad"), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        return done.stdout

    assert piped("-").startswith("<stdin>:4:3: warning")
    assert piped("-", "--stdin-filename", "deploy/pod.yaml").startswith("deploy/pod.yaml:4:3: warning")


def test_no_path_is_the_current_directory(dralint: Dralint) -> None:
    ran = dralint("check", *OWN, "--output-format", "concise")
    assert [line.partition(":")[0] for line in ran.out.splitlines()] == ["bad.yaml", "bad.yaml", "odd.yaml"]


@pytest.mark.parametrize(
    ("color", "environment", "colored"),
    [
        ("never", {}, False),
        ("always", {}, True),
        ("always", {"NO_COLOR": "1"}, True),
        ("auto", {}, False),
    ],
)
def test_colour(
    dralint: Dralint, monkeypatch: pytest.MonkeyPatch, color: str, environment: dict[str, str], colored: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in dralint("check", *OWN, "--color", color, "bad.yaml").out) is colored


def test_names_cannot_forge_lines_or_colours(dralint: Dralint, folder: Path) -> None:
    rule(folder.parent / "rules", "ACME004", "all-names", when="object.kind == 'Pod'")
    name = "x\x1b[31m\nforged.yaml:1:1: error"
    (folder / "evil\x1b[0m\n.yaml").write_text(POD.format(name=json.dumps(name)))
    ran = dralint("check", "--rules", "../rules", "--select", "ACME004", "evil\x1b[0m\n.yaml")
    assert ran.code == 1
    assert all(line.isprintable() for line in (ran.out + ran.err).splitlines())
    assert not any(line.startswith("forged") for line in ran.out.splitlines())


def test_rendered_charts_are_named(dralint: Dralint, folder: Path) -> None:
    (folder / "all.yaml").write_text(
        f"---\n# Source: demo/charts/db/templates/pod.yaml\n{POD.format(name='bad')}"
    )
    ran = dralint("check", *OWN, "--select", "ACME001", "--ignore", "ACME002", "all.yaml")
    assert "  = from: demo/charts/db/templates/pod.yaml of chart" in ran.out
    data = json.loads(dralint("check", *OWN, "--output-format", "json", "all.yaml").out)
    assert data["findings"][0]["source"]["template"] == "demo/charts/db/templates/pod.yaml"


def test_templates_are_notes_not_problems(dralint: Dralint, folder: Path) -> None:
    chart = folder / "chart" / "templates"
    chart.mkdir(parents=True)
    (chart.parent / "Chart.yaml").write_text("name: demo\n")
    (chart / "a.yaml").write_text("nvidia.com/gpu: {{ .Values.count }}\n{{- if x }}\n")
    (chart / "b.yaml").write_text(POD.format(name="bad"))
    (folder / "loose.yaml").write_text("a: 1\nnvidia.com/gpu: {{ count }}\n{% if x %}\n")
    ran = dralint("check", *OWN, "--output-format", "concise", "chart", "loose.yaml")
    assert [line.partition(":")[0] for line in ran.out.splitlines()] == ["chart/templates/b.yaml"] * 2
    notes = [line for line in ran.err.splitlines() if ": note: " in line]
    assert len(notes) == 2
    assert notes[0].startswith("loose.yaml:")
    assert "2 templates of a Helm chart" in notes[1]
    assert "error" not in ran.err.replace("1 error", "")
    assert dralint("check", *OWN, "loose.yaml").code == 0


def test_the_summary_counts_requests_and_says_what_was_assumed(dralint: Dralint, folder: Path) -> None:
    (folder / "claim.yaml").write_text(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\n"
        "spec: {devices: {requests: [{name: a, exactly: {deviceClassName: gpu.nvidia.com}}]}}\n"
    )
    ran = dralint("check", *OWN, "--target-kubernetes", "1.36", ".")
    lines = ran.err.splitlines()
    assert lines[0] == "1 error, 1 warning, 1 info in 2 of 4 files"
    assert lines[1] == "4 GPU requests: 3 device plugin, 1 DRA"
    assert lines[2].startswith("assumed: DRA driver ")
    assert "Kubernetes" not in lines[2]


def test_the_summary_counts_requests_by_the_name_of_a_class(dralint: Dralint, folder: Path) -> None:
    names = [
        "gpu.nvidia.com",
        "mig.nvidia.com",
        "compute-domain-default-channel.nvidia.com",
        "elsewhere",
        "ours",
    ]
    asked = ", ".join(f"deviceclass.resource.kubernetes.io/{name}: 1" for name in names)
    pod = folder / "named.yaml"
    pod.write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: named}\nspec: {containers: [{name: a, image: a, resources: "
        f"{{limits: {{{asked}}}, requests: {{{asked}}}}}}}]}}\n"
    )
    ran = dralint("check", *OWN, "--target-kubernetes", "1.37", pod.name)
    assert "2 GPU requests: 0 device plugin, 2 DRA" in ran.err
    (folder / "class.yaml").write_text(
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: ours}\n"
        "spec: {selectors: [{cel: {expression: device.driver == 'gpu.nvidia.com'}}]}\n"
    )
    ran = dralint("check", *OWN, "--target-kubernetes", "1.37", pod.name, "class.yaml")
    assert "3 GPU requests: 0 device plugin, 3 DRA" in ran.err


def test_a_file_that_is_written_to_may_be_a_pipe_or_unwritable(dralint: Dralint, folder: Path) -> None:
    (folder / "sub").mkdir()
    ran = dralint("check", *OWN, "--output-format", "json=sub", "good.yaml")
    assert ran.code == 2
    assert "sub" in ran.err
    assert ran.err.count("\n") == 1
    assert os.listdir(folder / "sub") == []
