"""The configuration: where it is found, what it decides, and what is wrong with it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

import dralint.kube
from dralint.cli.options import Common
from dralint.resources import directory
from dralint.yamltext.load import load_data

Dralint = Callable[..., Any]

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: one}
spec:
  devices:
    requests:
    - name: BIG
      deviceClassName: gpu.nvidia.com
"""
BETA = """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: beta}
spec: {devices: {requests: [{name: big, deviceClassName: gpu.nvidia.com}]}}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git root with claims in it; the current directory."""
    root = tmp_path / "root"
    (root / ".git").mkdir(parents=True)
    (root / "deploy" / "old").mkdir(parents=True)
    (root / "deploy" / "claim.yaml").write_text(CLAIM)
    (root / "deploy" / "old" / "beta.yaml").write_text(BETA)
    monkeypatch.chdir(root)
    monkeypatch.delenv("DRALINT_CONFIG", raising=False)
    return root


@pytest.fixture
def rules(dralint: Dralint) -> Callable[..., list[str]]:
    """The findings as `file rule severity`, and the exit code as the last.

    Only of rules that are there for good: others may have something to say of these claims, too.
    """

    def found(*arguments: str) -> list[str]:
        ran = dralint("check", "--output-format", "json", "-q", *(arguments or ["."]))
        assert ran.code in (0, 1), ran.err
        known = ("DRA003", "DRA101", "DRA106", "DRA112", "DRA402", "ACME001")
        findings = [each for each in json.loads(ran.out)["findings"] if each["rule"] in known]
        return [
            *(f"{os.path.basename(each['path'])} {each['rule']} {each['severity']}" for each in findings),
            str(ran.code),
        ]

    return found


USUAL = ["claim.yaml DRA106 error", "claim.yaml DRA101 error", "beta.yaml DRA112 warning", "1"]


def test_without_a_file(rules: Callable[..., list[str]]) -> None:
    assert rules() == USUAL


IGNORING = {".dralint.yaml": "ignore: [DRA106]\n", "pyproject.toml": '[tool.dralint]\nignore = ["DRA106"]\n'}


@pytest.mark.parametrize("name", IGNORING)
def test_it_is_found_upward_to_the_git_root(
    rules: Callable[..., list[str]], folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (folder.parent / name).write_text(IGNORING[name])
    assert rules() == USUAL
    (folder / name).write_text(IGNORING[name])
    assert rules() == USUAL[1:]
    monkeypatch.chdir(folder / "deploy" / "old")
    assert rules("..") == USUAL[1:]
    assert rules("..", "--no-config") == USUAL


def test_outside_git_only_the_current_directory_counts(
    rules: Callable[..., list[str]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".git").rmdir()
    (folder / ".dralint.yaml").write_text(IGNORING[".dralint.yaml"])
    assert rules() == USUAL[1:]
    monkeypatch.chdir(folder / "deploy")
    assert rules() == USUAL


def test_the_nearest_one_counts_alone(
    rules: Callable[..., list[str]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".dralint.yaml").write_text("ignore: [DRA106]\n")
    (folder / "deploy" / "pyproject.toml").write_text('[tool.dralint]\nignore = ["DRA112"]\n')
    (folder / "deploy" / "old" / "pyproject.toml").write_text('[tool.other]\nname = "dralint"\n')
    monkeypatch.chdir(folder / "deploy" / "old")
    assert rules("..") == [*USUAL[:2], "1"]
    (folder / "deploy" / ".dralint.yaml").write_text("ignore: [DRA101]\n")
    assert rules("..") == [USUAL[0], *USUAL[2:]]


def test_a_file_can_be_named(
    rules: Callable[..., list[str]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".dralint.yaml").write_text("ignore: [DRA101]\n")
    (folder / "ci.yaml").write_text("ignore: [DRA106]\n")
    (folder / "ci.toml").write_text('[tool.dralint]\nignore = ["DRA112"]\n')
    assert rules("--config", "ci.yaml", ".") == USUAL[1:]
    monkeypatch.setenv("DRALINT_CONFIG", str(folder / "ci.toml"))
    assert rules() == [*USUAL[:2], "1"]
    assert rules("--config", "ci.yaml", ".") == USUAL[1:]
    assert rules("--no-config", ".") == USUAL


def test_an_option_comes_before_the_file(rules: Callable[..., list[str]], folder: Path) -> None:
    (folder / ".dralint.yaml").write_text(
        "select: [api]\nignore: [DRA106]\nfail-on: never\ntarget: {kubernetes: '1.33'}\n"
    )
    assert rules() == [USUAL[1], "0"]
    assert rules("--ignore", "DRA101", ".") == [USUAL[0], "0"]
    assert rules("--select", "DRA101", ".") == [USUAL[1], "0"]
    assert rules("--fail-on", "error", ".") == [USUAL[1], "1"]
    assert rules("--target-kubernetes", "1.36", ".") == [*USUAL[1:3], "0"]


def test_severities(rules: Callable[..., list[str]], folder: Path) -> None:
    (folder / ".dralint.yaml").write_text(
        "severity: {api: info, dra101: warning, beta-dra-api-version: error}\n"
    )
    assert rules() == [
        "claim.yaml DRA106 info",
        "claim.yaml DRA101 warning",
        "beta.yaml DRA112 error",
        "1",
    ]
    (folder / ".dralint.yaml").write_text("severity: {api: info}\n")
    assert rules()[-1] == "0"


def test_the_engine_s_own_severity_can_be_changed(rules: Callable[..., list[str]], folder: Path) -> None:
    (folder / "deploy" / "claim.yaml").write_text("# dralint: ignore[DRA109]\n" + CLAIM)
    (folder / ".dralint.yaml").write_text("severity: {unused-suppression: error}\nselect: [DRA109]\n")
    assert rules() == ["claim.yaml DRA003 error", "1"]


PATHS = """\
ignore: [DRA106]
paths:
  deploy/: {ignore: [DRA101]}
  "old/":
    ignore: [flat-request-in-v1]
    target: {kubernetes: "1.33"}
  beta.*:
    target: {kubernetes: "1.34"}
"""


def test_settings_for_some_paths(
    rules: Callable[..., list[str]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".dralint.yaml").write_text(PATHS)
    (folder / "claim.yaml").write_text(CLAIM)
    assert rules() == ["claim.yaml DRA101 error", "beta.yaml DRA112 warning", "1"]
    (folder / ".dralint.yaml").write_text(PATHS.replace("1.34", "1.33"))
    assert rules("deploy") == ["0"]
    assert rules("deploy", "--target-kubernetes", "1.36") == ["beta.yaml DRA112 warning", "1"]
    monkeypatch.chdir(folder / "deploy")
    assert rules("old/beta.yaml", "claim.yaml") == ["0"]


def test_references_between_files_with_different_settings(
    rules: Callable[..., list[str]], folder: Path
) -> None:
    (folder / ".dralint.yaml").write_text("paths: {pod.yaml: {ignore: [DRA403]}}\ncontext: none\n")
    (folder / "pod.yaml").write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  resourceClaims: [{name: c, resourceClaimName: one}]\n"
        "  containers: [{name: main, image: x, resources: {claims: [{name: c}]}}]\n"
    )
    assert rules("--complete", "pod.yaml", "deploy/claim.yaml") == [*USUAL[:2], "1"]
    assert rules("--complete", "pod.yaml") == ["pod.yaml DRA402 error", "1"]


def test_exclude(rules: Callable[..., list[str]], folder: Path, dralint: Dralint) -> None:
    (folder / ".dralint.yaml").write_text("exclude: [old/, '!nothing']\n")
    assert rules() == [*USUAL[:2], "1"]
    assert rules("deploy/old") == ["0"]
    ran = dralint("check", "deploy/old/beta.yaml", "deploy/claim.yaml")
    assert "beta" not in ran.out
    assert ran.err.startswith(
        "deploy/old/beta.yaml: note: excluded by .dralint.yaml (--no-config reads it)\n"
    )
    assert "3 findings" not in dralint("check", "deploy/old/beta.yaml").err
    assert dralint("convert", "deploy/old").code == 0


def test_standard_input_goes_by_its_name(folder: Path) -> None:
    def piped(command: str, name: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "dralint", command, "-", "-q", "--stdin-filename", name]
        return subprocess.run(words, input=BETA, capture_output=True, text=True, check=False)

    (folder / ".dralint.yaml").write_text("exclude: [old/]\n")
    assert piped("check", "deploy/old/beta.yaml").stdout == ""
    assert "DRA112" in piped("check", "deploy/beta.yaml").stdout
    assert piped("convert", "deploy/old/beta.yaml").stdout == BETA


def test_rules_context_and_baseline_are_found_from_the_file(
    rules: Callable[..., list[str]], folder: Path, monkeypatch: pytest.MonkeyPatch, dralint: Dralint
) -> None:
    (folder / "ci").mkdir()
    (folder / "ci" / "ACME001.yaml").write_text(
        "id: ACME001\nname: no-claims\nseverity: info\nsummary: No claims\nsubject: claim\nwhen: 'true'\nmessage: none\n"
    )
    (folder / ".dralint.yaml").write_text(
        "rules: [ci]\nselect: [no-claims, DRA402]\ncontext: deploy/old\nbaseline: ci/known.json\n"
    )
    (folder / "ci" / "known.json").write_text('{"version": 1, "findings": []}')
    (folder / "pod.yaml").write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  resourceClaims: [{name: c, resourceClaimName: one}]\n"
        "  containers: [{name: main, image: x, resources: {claims: [{name: c}]}}]\n"
    )
    monkeypatch.chdir(folder / "deploy")
    assert rules("claim.yaml") == ["claim.yaml ACME001 info", "0"]
    assert rules("../pod.yaml") == ["pod.yaml DRA402 warning", "1"]
    assert rules("../pod.yaml", "--context", "..") == ["0"]
    assert "ACME001" in dralint("rules").out
    assert dralint("explain", "no-claims").out.startswith("ACME001 no-claims\n")


JOB = """\
apiVersion: batch.acme.example/v1
kind: {kind}
metadata: {{name: train}}
spec:
  workers:
    template:
      spec:
        containers:
        - name: main
          image: x
          resources: {{limits: {{{resource}: 2}}}}
"""


def test_a_team_s_own_kinds_and_resource_names(
    dralint: Dralint, folder: Path, rules: Callable[..., list[str]]
) -> None:
    (folder / "job.yaml").write_text(JOB.format(kind="TrainingRun", resource="acme.example/h100"))

    def converted() -> str:
        out: str = dralint("convert", "job.yaml").out
        return out

    assert converted() == ""
    (folder / ".dralint.yaml").write_text(
        "resources:\n- {name: acme.example/h100, base: gpu}\n"
        "kinds:\n- {group: batch.acme.example, kind: TrainingRun, schema: full, "
        "pods: [{path: spec.workers.template.spec, part: worker}]}\n"
    )
    ran = dralint("check", ".")
    assert "2 DRA" in ran.err
    assert "1 device plugin" in ran.err
    assert "+  name: train-worker-gpu\n" in converted()
    (folder / ".dralint.yaml").write_text(
        "resources:\n- {name: acme.example/h100, base: gpu}\n"
        "kinds:\n- {group: batch.acme.example, kind: TrainingRun, schema: narrow, "
        "pods: [{path: spec.workers.template.spec, next: ask the platform team}]}\n"
    )
    ran = dralint("convert", "--mode", "claims", "job.yaml")
    assert ran.out == ""
    assert "ask the platform team" in ran.err
    (folder / ".dralint.yaml").unlink()
    assert converted() == ""


@pytest.mark.parametrize(
    ("claims", "server"),
    [
        pytest.param(
            "path: gpuClaims, named: false",
            {"gpuClaims": [{"resourceClaimTemplateName": "llm-gpu"}]},
            id="a list of its own",
        ),
        pytest.param(
            "path: pod.resourceClaims",
            {
                "resources": {"claims": [{"name": "gpu"}]},
                "pod": {"resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "llm-gpu"}]},
            },
            id="a list elsewhere",
        ),
    ],
)
def test_how_a_team_s_own_kind_writes_claims(
    dralint: Dralint, folder: Path, claims: str, server: dict[str, Any]
) -> None:
    (folder / ".dralint.yaml").write_text(
        "kinds:\n- {group: ml.acme.example, kind: Model, schema: split, pods: [], assumes: [Model 2.0 or later],\n"
        f"  operator_pods: [{{path: spec.server, containers: [''], claims: {{{claims}}}}}]}}\n"
    )
    model = folder / "model.yaml"
    model.write_text(
        "apiVersion: ml.acme.example/v1\nkind: Model\nmetadata: {name: llm}\nspec:\n"
        "  server:\n    resources: {limits: {nvidia.com/gpu: 1}}\n"
    )
    ran = dralint("convert", "-v", "--no-toleration", "--write", "model.yaml")
    _, obj = yaml.safe_load_all(model.read_text())
    assert obj["spec"]["server"] == server
    assert "Model 2.0 or later" in ran.err
    assert dralint("convert", "model.yaml").code == 0


def test_the_target_counts_for_convert_and_match(dralint: Dralint, folder: Path) -> None:
    (folder / ".dralint.yaml").write_text('target: {kubernetes: "1.33", stack: operator, gpu-driver: 580}\n')
    ran = dralint("convert", "deploy")
    assert ran.code == 2
    assert "1.33" in ran.err
    assert dralint("convert", "--target-kubernetes", "1.36", "deploy").code == 0


def test_verbose_says_which_file_is_used(
    dralint: Dralint, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\nconfiguration: none\n" in dralint("check", "-v", ".").err
    (folder / ".dralint.yaml").write_text("")
    monkeypatch.chdir(folder / "deploy")
    assert "\nconfiguration: ../.dralint.yaml\n" in dralint("check", "-v", ".").err


WRONG = {
    "unknown key": ("ignroe: [DRA101]\n", 1, 1, "unknown key ignroe; did you mean ignore?"),
    "unknown key, nothing near": ("zzz: 1\n", 1, 1, "unknown key zzz; known are baseline, context, exclude"),
    "unknown key below": (
        "target:\n  kubernets: '1.36'\n",
        2,
        3,
        "unknown key kubernets; did you mean kubernetes?",
    ),
    "unknown key of a path": ("paths:\n  a/: {targt: {}}\n", 2, 8, "unknown key targt; did you mean target?"),
    "not quoted": ("target: {kubernetes: 1.30}\n", 1, 10, "1.3 is no text; put it in quotes"),
    "no list, but a mapping": ("ignore: {a: b}\n", 1, 1, "{'a': 'b'} is no list"),
    "no boolean": ("migration: 'yes'\n", 1, 1, "'yes' is neither true nor false"),
    "nothing": ("target: null\n", 1, 1, "null is no mapping"),
    "no list": ("ignore: DRA101\n", 1, 1, "'DRA101' is no list; write [DRA101]"),
    "no such severity": (
        "severity: {DRA101: eror}\n",
        1,
        12,
        "'eror' is not one of ['error', 'warning', 'info']",
    ),
    "no mapping": ("- a\n", 1, 1, "['a'] is no mapping"),
    "no YAML": ("a: [\n", 2, 1, "not valid YAML: "),
    "a key twice": ("ignore: []\nignore: []\n", 1, 1, "the key 'ignore' stands twice in one mapping"),
    "unknown rule": ("select: [api, flat-request]\n", 1, 15, "no rule, name or layer 'flat-request'"),
    "unknown rule's severity": ("severity:\n  DRA999: info\n", 2, 3, "no rule, name or layer 'DRA999'"),
    "unknown rule of a path": ("paths:\n  a:\n    ignore:\n    - x\n", 4, 7, "no rule, name or layer 'x'"),
    "unknown version": ("target: {kubernetes: 'one'}\n", 1, 10, "'one' is no version of Kubernetes"),
    "unknown driver": ("target:\n  dra-driver: latest\n", 2, 3, "latest"),
    "unknown gate": ("target:\n  gates:\n    MPS: true\n", 3, 5, "has a gate MPS"),
    "a gate's version": ("target: {kubernetes: '1.34', gates: {MPSSuport: true}}\n", 1, 38, "MPSSuport"),
    "a path's version": (
        "paths: {deploy/: {target: {kubernetes: 'x'}}}\n",
        1,
        28,
        "'x' is no version of Kubernetes",
    ),
    "context": ("context: nowhere\n", 1, 1, "nowhere is no directory"),
    "kind": ("kinds: [{group: a, kind: B, pods: []}]\n", 1, 9, "the key schema is missing"),
    "kind's path": (
        "kinds: [{group: a, kind: B, schema: full, pods: [{path: ''}]}]\n",
        1,
        51,
        "does not match",
    ),
    "resource": ("resources: [{name: gpu, base: gpu}]\n", 1, 14, "'gpu' does not match"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told_with_its_place(dralint: Dralint, folder: Path, case: str) -> None:
    text, line, column, what = WRONG[case]
    (folder / ".dralint.yaml").write_text(text)
    ran = dralint("check", ".")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f".dralint.yaml:{line}:{column}: error: "), ran.err
    assert what in ran.err
    assert ran.err.count("\n") == 1


WRONG_TOML = {
    "no TOML": ("[tool.dralint]\nignore = [\n", "pyproject.toml", "not valid TOML"),
    "no TOML, with a place": (
        "[tool.dralint]\nignore = ]\n",
        "pyproject.toml:2:10",
        "not valid TOML: Invalid value",
    ),
    "unknown key": ('[tool.dralint]\n  ignroe = ["a"]\n', "pyproject.toml:2:3", "unknown key ignroe"),
    "in a table": (
        '[tool.dralint.target]\nkubernets = "1.36"\n',
        "pyproject.toml:2:1",
        "unknown key kubernets",
    ),
    "a table": ("[tool.dralint.targets]\n", "pyproject.toml:1:2", "unknown key targets"),
    "dotted": ('[tool.dralint]\ntarget.kubernets = "1.36"\n', "pyproject.toml:2:1", "unknown key kubernets"),
    "inline": (
        '[tool]\ndralint = { ignore = [], target = { kubernets = "1.36" } }\n',
        "pyproject.toml:2:37",
        "unknown key kubernets",
    ),
    "quoted": (
        '[tool.dralint.paths."a/b.yaml"]\nignore = []\ntarget = {}\ngate = 1\n',
        "pyproject.toml:4:1",
        "unknown key gate",
    ),
    "array of tables": (
        '[[tool.dralint.resources]]\nname = "a.b/c"\nbase = "gpus"\n',
        "pyproject.toml:3:1",
        "'gpus' is not one of",
    ),
}


@pytest.mark.parametrize("case", WRONG_TOML)
def test_places_in_toml(dralint: Dralint, folder: Path, case: str) -> None:
    text, place, what = WRONG_TOML[case]
    (folder / "pyproject.toml").write_text(f"{text}")
    ran = dralint("check", ".")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"{place}: error: "), ran.err
    assert what in ran.err


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("pyproject.toml", "[tool.dralint]\nignore = " + "[" * 5000, "nested too deeply"),
        (".dralint.yaml", "ignore: " + "[" * 5000, "not valid YAML: nested more than"),
        (
            ".dralint.yaml",
            "a: &a [x,x]\n" + "".join(f"{b}: &{b} [{', '.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
            "aliases multiply this document too much",
        ),
    ],
)  # fmt: skip
def test_a_hostile_file_is_an_error(dralint: Dralint, folder: Path, name: str, text: str, what: str) -> None:
    (folder / name).write_text(text)
    ran = dralint("check", ".")
    assert (ran.code, ran.out) == (2, "")
    assert what in ran.err
    assert ran.err.count("\n") == 1


def test_a_pyproject_without_our_table_is_not_read(dralint: Dralint, folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[project]\nname = "x"\ndependencies = ["dralint"]\nbroken = [\n')
    assert dralint("check", ".").code == 1
    for text in ('[tool]\ndralint.ignore = ["DRA106"]\n', '["tool"."dralint"]\nignore = ["DRA106"]\n',
                 'tool = {dralint = {ignore = ["DRA106"]}}\n', '[ tool . dralint ]\nignore = ["DRA106"]\n'):  # fmt: skip
        (folder / "pyproject.toml").write_text(text)
        assert "DRA106" not in dralint("check", ".").out


def test_a_file_that_is_not_there(dralint: Dralint, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = dralint("check", "--config", "gone.yaml", ".")
    assert (ran.code, ran.err) == (2, "gone.yaml: error: cannot be read: No such file or directory\n")
    monkeypatch.setenv("DRALINT_CONFIG", "gone.toml")
    assert dralint("convert", ".").err == "gone.toml: error: cannot be read: No such file or directory\n"


def test_a_broken_rule_is_told_before_names_of_rules(dralint: Dralint, folder: Path) -> None:
    (folder / "ci").mkdir()
    (folder / "ci" / "a.yaml").write_text("id: ACME001\n")
    (folder / ".dralint.yaml").write_text("rules: [ci]\nignore: [ACME001]\n")
    assert re.search(r"ci/a\.yaml:1:1: error: the key \w+ is missing", dralint("check", ".").err)


def schema() -> Any:
    with open(f"{directory('schemas')}/config.schema.json", encoding="utf-8") as file:
        return json.load(file)


def test_dralint_s_own_kinds_have_the_form_of_a_team_s() -> None:
    Draft202012Validator.check_schema(schema())
    data = os.path.join(os.path.dirname(dralint.kube.__file__), "data", "kinds")
    files: Any = [load_data(os.path.join(data, name)) for name in os.listdir(data) if name.endswith(".yaml")]
    Draft202012Validator(schema()).validate({"kinds": [kind for file in files for kind in file["kinds"]]})


def test_every_option_that_can_be_configured_is() -> None:
    properties = schema()["properties"]
    assert set(properties["target"] and schema()["$defs"]["target"]["properties"]) == {
        "kubernetes", "dra-driver", "gpu-driver", "stack", "gates",
    }  # fmt: skip
    assert Common("auto", False, False, "<stdin>").configuration.data == {}


def test_nothing_of_it_is_imported_without_a_file(folder: Path) -> None:
    code = (
        "import sys; from dralint.cli.main import run; run(['check', '-q', '.']);"
        "print([m for m in sys.modules if m.endswith(('config_file', 'patterns', 'tomllib', 'news', 'fixes', 'valid'))"
        " or m.startswith(('jsonschema', 'pathspec')) or 'baseline' in m or 'revision' in m])"
    )
    (folder / "deploy" / "claim.yaml").unlink()
    (folder / "deploy" / "old" / "beta.yaml").unlink()
    (folder / "pyproject.toml").write_text("[project]\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n"), done.stdout


def test_a_valid_file_needs_no_json_schema(folder: Path) -> None:
    (folder / ".dralint.yaml").write_text(PATHS)
    (folder / "deploy" / "claim.yaml").write_text("kind: Service\n")
    (folder / "deploy" / "old" / "beta.yaml").unlink()
    code = "import sys; from dralint.cli.main import run; run(['check', '-q', 'deploy']); print('jsonschema' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n"), done.stdout
