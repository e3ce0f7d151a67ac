"""The house keeps its shape: rooms import downwards only, and only the command line talks and exits."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "dralint"
# From the top; a room imports itself and rooms below it. `source` stands above `yamltext` because it reads
# its own data with it and follows Source lines through documents.
ROOMS = ("cli", "report", "lint", "convert", "inventory", "nvidia", "kube", "cel", "source", "yamltext")
# Modules outside the rooms, which every room may use; they use none.
GROUND = ("errors", "resources", "_data")
# Modules of more than 300 lines, each with the reason why splitting it would make it harder to read.
LONG: dict[str, str] = {}

MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py") if "_data" not in path.parts)


@pytest.fixture(params=MODULES, ids=str)
def module(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def parsed(module: Path) -> ast.Module:
    return ast.parse((PACKAGE / module).read_text(encoding="utf-8"))


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_room_is_known() -> None:
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert packages == set(ROOMS)


def test_imports_go_downwards(module: Path) -> None:
    room = module.parts[0] if len(module.parts) > 1 else None
    for name in imported(parsed(module)):
        parts = name.split(".")
        if parts[0] != "dralint" or len(parts) < 2 or parts[1] in (*GROUND, "__version__"):
            continue
        if room is None:
            assert module.name == "__main__.py", f"{module} must not import {name}"
            continue
        assert ROOMS.index(parts[1]) >= ROOMS.index(room), f"{module} imports {name}, a room above it"


def test_only_the_command_line_talks_and_exits(module: Path) -> None:
    if module.parts[0] == "cli":
        return
    tree = parsed(module)
    assert not [name for name in imported(tree) if name.split(".")[0] == "click"]
    for node in ast.walk(tree):
        spoken = ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
        assert spoken not in {
            "print",
            "input",
            "exit",
            "quit",
            "SystemExit",
            "sys.exit",
            "sys.stdout",
            "sys.stderr",
            "os._exit",
        }, f"{module}:{getattr(node, 'lineno', '?')} uses {spoken}"


def test_a_module_says_what_it_is_for(module: Path) -> None:
    docstring = ast.get_docstring(parsed(module))
    assert docstring
    assert 20 <= len(docstring.splitlines()[0]) <= 110


def test_a_module_can_be_read_in_one_sitting(module: Path) -> None:
    lines = (PACKAGE / module).read_text(encoding="utf-8").count("\n")
    if str(module) in LONG:
        assert lines > 300, f"{module} is short again: take it off the list"
    else:
        assert lines <= 300, f"{module} has {lines} lines: split it, or list it with the reason"


def test_a_package_file_holds_its_docstring_only() -> None:
    for room in ROOMS:
        path = PACKAGE / room / "__init__.py"
        assert len(ast.parse(path.read_text(encoding="utf-8")).body) == 1, f"{path} holds code"
