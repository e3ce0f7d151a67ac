"""What a person gets who installs dralint, and whether the pages tell the truth."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

import dralint as package
from dralint.cli.main import COMMANDS
from tests import pages

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    data: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return data


def run(*command: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def test_the_version_is_told_and_has_an_entry_in_the_changes() -> None:
    assert run(sys.executable, "-m", "dralint", "--version").stdout == f"dralint {package.__version__}\n"
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(package.__version__)}\b", changes, re.MULTILINE)


def test_the_version_costs_no_more_than_click() -> None:
    done = run(sys.executable, "-X", "importtime", "-m", "dralint", "--version")
    loaded = {line.rpartition("|")[2].strip() for line in done.stdout.splitlines()}
    assert "click" in loaded
    ours = {name for name in loaded if name.startswith("dralint.")}
    assert ours <= {"dralint.cli", "dralint.cli.main", "dralint.cli.messages", "dralint.errors",
                    "dralint.report", "dralint.report.escape"}  # fmt: skip
    assert not {
        name
        for name in loaded
        if name.partition(".")[0] in ("ruamel", "jsonschema", "cel_expr_python", "celpy")
    }


def test_each_command_has_help(dralint: Any) -> None:
    for name in COMMANDS:
        ran = dralint(name, "--help")
        assert ran.code == 0
        assert f"Usage: dralint {name}" in ran.out


def test_help_lists_the_commands(dralint: Any) -> None:
    ran = dralint("--help")
    assert ran.code == 0
    assert re.findall(r"^  ([a-z]+)  ", ran.out, re.MULTILINE) == list(COMMANDS)


def test_a_wrong_command_is_one_line(dralint: Any) -> None:
    ran = dralint("chek")
    assert (ran.code, ran.out) == (2, "")
    assert re.fullmatch(r"dralint: error: No such command 'chek'.*\n", ran.err)


def test_each_option_is_told_of_on_some_page() -> None:
    told = "".join(path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *ROOT.glob("docs/*.md")])
    words = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", told))
    for name in COMMANDS:
        command = importlib.import_module(f"dralint.cli.{name}").command
        options = [each for each in command.params if isinstance(each, click.Option)]
        missing = [each.opts for each in options if not words & set(each.opts)]
        assert not missing, f"dralint {name}"


def test_rules_and_schemas_travel_in_the_wheel() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"] == {"rules": "dralint/_data/rules", "schemas": "dralint/_data/schemas"}


def test_requirements_told_for_musl_are_the_real_ones(project: dict[str, Any]) -> None:
    for requirement in project["dependencies"]:
        name = requirement.partition(";")[0]
        assert (f"'{name}'" in README) != name.startswith("cel-expr-python"), requirement


def test_the_table_of_rules_is_current() -> None:
    assert "DRA101" in README
    assert pages.with_table(README) == README, "run python tests/pages.py"


def test_the_readme_shows_real_output() -> None:
    assert len(pages.CONSOLE.findall(README)) >= 4
    assert len(pages.OPENING.findall(README)) == 1
    assert pages.with_outputs(README) == README, "run python tests/pages.py"


@pytest.fixture(scope="module")
def extractor() -> ModuleType:
    """The module with which CI takes commands out of the README."""
    spec = importlib.util.spec_from_file_location("readme", ROOT / ".ci" / "readme.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("heading", ["Try it", "Run the tests"])
def test_the_readme_has_one_block_of_commands(extractor: ModuleType, heading: str) -> None:
    commands = extractor.block(heading, README).splitlines()
    assert commands[0] == "python3 -m venv .venv"
    assert all(command.startswith((".venv/bin/", "python3 -m venv")) for command in commands)


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text(encoding="utf-8"))
    assert not [target for target in targets if not (ROOT / target).exists()]
