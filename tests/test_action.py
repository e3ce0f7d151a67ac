"""The GitHub action and the CI examples of the docs: valid for their services, and doing what they say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
ACTION = ROOT / "action.yml"
DOCS = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: a}
spec: {devices: {requests: [{name: card, deviceClassName: gpu.nvidia.com}]}}
"""


def action() -> Any:
    return yaml.safe_load(ACTION.read_text(encoding="utf-8"))


def documented(name: str) -> str:
    """The YAML block of docs/ci.md that begins with this file's name."""
    (block,) = re.findall(rf"^```yaml\n# {re.escape(name)}\n(.*?)^```$", DOCS, re.MULTILINE | re.DOTALL)
    return str(block)


def complaints(schema: str, path: Path) -> str:
    """What check-jsonschema says; "" for a valid file."""
    pytest.importorskip("check_jsonschema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout if done.returncode else ""


def test_the_action_is_valid(tmp_path: Path) -> None:
    assert complaints("vendor.github-actions", ACTION) == ""
    broken = tmp_path / "action.yml"
    broken.write_text(ACTION.read_text(encoding="utf-8").replace("using: composite", "using: compost"))
    assert "compost" in complaints("vendor.github-actions", broken)


@pytest.mark.parametrize(
    ("name", "schema"),
    [(".github/workflows/dralint.yaml", "vendor.github-workflows"), (".gitlab-ci.yml", "vendor.gitlab-ci")],
)
def test_the_examples_are_valid(name: str, schema: str, tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(documented(name))
    assert complaints(schema, path) == ""


def test_the_example_uses_inputs_that_the_action_has() -> None:
    workflow = yaml.safe_load(documented(".github/workflows/dralint.yaml"))
    (step,) = [
        step for step in workflow["jobs"]["dralint"]["steps"] if step["uses"].startswith("OWNER/dralint@")
    ]
    assert step["with"].keys() <= action()["inputs"].keys()


def test_the_docs_list_the_inputs() -> None:
    table = DOCS.partition("| input | |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `([a-z-]+)`", table, re.MULTILINE) == list(action()["inputs"])


def test_expressions_are_known_and_never_in_a_script() -> None:
    inputs = action()["inputs"]
    steps = action()["runs"]["steps"]
    used = set()
    for step in steps:
        assert "${{" not in step.get("run", "")
        for text in [*step.get("env", {}).values(), *map(str, step.get("with", {}).values())]:
            used |= set(re.findall(r"\$\{\{ inputs\.([a-z-]+) \}\}", text))
    assert used == set(inputs)


class Runner:
    """Runs a step of the action as GitHub does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.temporary = folder.parent / "runner temp"
        self.temporary.mkdir()
        self.outputs = folder.parent / "outputs"
        self.outputs.touch()

    def run(self, step: dict[str, Any], values: dict[str, str]) -> subprocess.CompletedProcess[str]:
        """values: of the expressions, such as inputs.paths; inputs have their defaults."""
        known = {f"inputs.{name}": given.get("default", "") for name, given in action()["inputs"].items()}
        known |= values
        environment = {
            **os.environ,
            **{
                name: re.sub(r"\$\{\{ ([^ ]+) \}\}", lambda found: known[found[1]], text)
                for name, text in step["env"].items()
            },
            "RUNNER_TEMP": str(self.temporary),
            "GITHUB_OUTPUT": str(self.outputs),
            "GITHUB_ACTIONS": "true",
        }
        bash = shutil.which("bash")
        if bash is None:
            pytest.skip("bash is missing")
        command = [bash, "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    folder = tmp_path / "tree"
    (folder / ".git").mkdir(parents=True)
    (folder / "a b").mkdir()
    (folder / "a b" / "claim.yaml").write_text(CLAIM)
    (folder / "good.yaml").write_text("a: 1\n")
    return Runner(folder)


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/usr/bin/env bash\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def check(runner: Runner, tmp_path: Path) -> Any:
    """Runs the action's last step with this checkout's dralint."""
    dralint = script(
        tmp_path / "bin" / "dralint", f'PYTHONPATH="{ROOT}" exec "{sys.executable}" -m dralint "$@"'
    )

    def checked(**inputs: str) -> subprocess.CompletedProcess[str]:
        values = {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
        step = action()["runs"]["steps"][-1]
        return runner.run(step, {"steps.install.outputs.dralint": str(dralint), **values})

    return checked


def test_by_default_the_work_tree_is_annotated(check: Any) -> None:
    done = check()
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=a b/claim.yaml,line=4,")


def test_paths_are_lines_and_never_options(check: Any, runner: Runner) -> None:
    assert check(paths="good.yaml").returncode == 0
    assert check(paths="good.yaml\na b/claim.yaml\n").stdout.startswith("::error file=a b/claim.yaml,")
    done = check(paths="--version")
    assert (done.returncode, done.stdout.startswith("::error file=--version")) == (2, True)
    (runner.folder / "$(touch made)").mkdir()
    check(paths="$(touch made)\n`touch made`", args="$(touch made)")
    assert not (runner.folder / "made").exists()


def test_arguments_are_words(check: Any, runner: Runner) -> None:
    assert check(args="--fail-on never").returncode == 0
    assert check(args="--fail-on\n  never --quiet\n").stderr == ""
    done = check(format="text", args="--ignore DRA101")
    assert (done.returncode, done.stdout) == (0, "")


def test_sarif_is_written_beside_the_annotations(check: Any, runner: Runner) -> None:
    import json

    done = check(sarif_file="out file.sarif", category="chart-a")
    assert (done.returncode, done.stdout[:8]) == (1, "::error ")
    (run,) = json.loads((runner.folder / "out file.sarif").read_text())["runs"]
    assert run["automationDetails"]["id"] == "dralint/chart-a/"
    assert len(run["results"]) == 1


@pytest.mark.parametrize(
    ("version", "installed"),
    [("", "CHECKOUT"), ("0.1.0", "dralint==0.1.0"), ("$(touch x)", "dralint==$(touch x)")],
)
def test_what_is_installed(runner: Runner, tmp_path: Path, version: str, installed: str) -> None:
    """Python and pip stand-ins write down what they are called with; the real installation is CI's."""
    calls = tmp_path / "calls"
    tell = f'printf "%s\\n" "$*" >> "{calls}"'
    venv = f'{tell}\nmkdir -p "$4/bin"\ncp "$0" "$4/bin/python"'
    python = script(tmp_path / "python", f'if [ "$3" = venv ]; then {venv}\nelse {tell}\nfi')
    values = {
        "steps.python.outputs.python-path": str(python),
        "github.action_path": "CHECKOUT",
        "inputs.version": version,
    }
    done = runner.run(action()["runs"]["steps"][1], values)
    assert done.returncode == 0, done.stderr
    made, pip = calls.read_text().splitlines()
    assert made.startswith(f"-I -m venv {runner.temporary}/dralint.")
    assert pip == f"-I -m pip install --quiet {installed}"
    output = runner.outputs.read_text()
    assert re.fullmatch(rf"dralint={re.escape(str(runner.temporary))}/dralint\.\w+/bin/dralint\n", output)
