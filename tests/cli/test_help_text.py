"""The help of commands with many options: every option once, under a heading that fits."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import click
import pytest

from dralint.cli.help_text import HEADINGS, Grouped
from dralint.cli.main import COMMANDS

PLACED = [name for _, names in HEADINGS for name in names]
GROUPED = [name for name in COMMANDS if isinstance(import_module(f"dralint.cli.{name}").command, Grouped)]


def _options(name: str) -> list[str]:
    command: click.Command = import_module(f"dralint.cli.{name}").command
    return [each.opts[-1] for each in command.params if isinstance(each, click.Option)]


def test_commands_with_many_options_have_headings() -> None:
    assert [name for name in COMMANDS if len(_options(name)) > 10] == GROUPED


def test_every_option_has_its_heading() -> None:
    assert len(PLACED) == len(set(PLACED))
    assert {each for name in GROUPED for each in (*_options(name), "--help")} == set(PLACED)


@pytest.mark.parametrize("name", GROUPED)
def test_help_shows_every_option_once(dralint: Any, name: str) -> None:
    shown = re.findall(r"^  (?:-\w, )?(--[a-z-]+)", dralint(name, "--help").out, re.MULTILINE)
    assert sorted(shown) == sorted([*_options(name), "--help"])


def test_an_option_without_a_value_is_told_with_the_command_that_has_it(dralint: Any) -> None:
    for arguments in (["convert", "--output-dir"], ["check", "--baseline"], ["match", "--inventory"]):
        ran = dralint(*arguments)
        assert ran.code == 2
        assert ran.err == (
            f"dralint: error: Option {arguments[1]!r} requires an argument (see dralint {arguments[0]} --help)\n"
        )
