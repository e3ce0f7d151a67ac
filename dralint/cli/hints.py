"""What a person most likely meant by an option or a command that there is not."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

import click

# What people know from other tools, without the dashes; by command, "" for any.
_OTHER_WORDS: Mapping[tuple[str, str], str] = {
    ("convert", "--diff"): "a diff is what it shows, unless told otherwise",
    ("convert", "--dry-run"): "without --write nothing is written",
    ("check", "--dry-run"): "--diff shows what --fix would change",
    ("convert", "--fix"): "--write changes the files",
    ("convert", "--in-place"): "--write changes the files",
    ("convert", "--inplace"): "--write changes the files",
    ("convert", "-i"): "--write changes the files",
    ("convert", "-w"): "--write changes the files",
    ("convert", "-o"): "--output-dir DIR makes copies, --report FILE an account",
    ("check", "-o"): "--output-format FORMAT=FILE",
    ("check", "--format"): "--output-format FORMAT[=FILE]",
    ("check", "--json"): "--output-format json",
    ("check", "--sarif"): "--output-format sarif",
    ("convert", "--json"): "--report FILE, or --report - for stdout",
    ("convert", "--output-format"): "--report FILE, or --report - for JSON to stdout",
    ("convert", "--format"): "--report FILE, or --report - for JSON to stdout",
    ("match", "--format"): "--output-format json",
    ("match", "--json"): "--output-format json",
    ("check", "--strict"): "--fail-on info",
    ("check", "--exit-zero"): "--fail-on never",
    ("", "-f"): "paths are named without an option",
    ("", "--file"): "paths are named without an option",
    ("", "--filename"): "paths are named without an option",
    ("", "-r"): "a directory is read with all below it",
    ("", "-R"): "a directory is read with all below it",
    ("", "--recursive"): "a directory is read with all below it",
    ("check", "-k"): "kubectl kustomize DIR | dralint check --complete -",
    ("convert", "-k"): "name the directory: a kustomization is converted in place",
    ("", "--version"): "dralint --version",
    ("", "-V"): "dralint --version",
    ("", "--kubernetes-version"): "--target-kubernetes VERSION",
    ("", "--k8s-version"): "--target-kubernetes VERSION",
}
# What people call the commands elsewhere.
_OTHER_COMMANDS: Mapping[str, str] = {
    "help": "dralint --help, dralint COMMAND --help",
    "version": "dralint --version",
    "lint": "dralint check finds mistakes",
    "validate": "dralint check finds mistakes",
    "fix": "dralint check --fix mends findings",
    "diff": "dralint convert shows a diff",
    "migrate": "dralint convert turns requests into claims",
    "rule": "dralint rules lists all, dralint explain RULE shows one",
    "card": "dralint cards",
}


def _options(command: click.Command) -> list[str]:
    return [
        name
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for name in (*parameter.opts, *parameter.secondary_opts)
    ]


def _close(word: str, words: Sequence[str]) -> str:
    found = get_close_matches(word, words, n=1, cutoff=0.7)
    return f"did you mean {found[0]}?" if found else ""


def option_hint(error: click.NoSuchOption, commands: Mapping[str, click.Command]) -> str:
    """A hint on an unknown option, "" where nothing comes to mind; commands: all that there are."""
    name = error.option_name
    owners = [command for command, each in commands.items() if name in _options(each)]
    if error.ctx is None or error.ctx.parent is None:
        return f"options stand after the command: dralint COMMAND {name}" if owners else ""
    here = error.ctx.command
    known = _OTHER_WORDS.get((here.name or "", name)) or _OTHER_WORDS.get(("", name))
    if known:
        return known
    close = _close(name, _options(here)) if name.startswith("--") else ""
    if owners and not close:
        return f"it is an option of dralint {' and dralint '.join(owners)}"
    return close


def command_hint(name: str, commands: Sequence[str]) -> str:
    """A hint on an unknown command, which may be a path whose command was forgotten."""
    if name in _OTHER_COMMANDS:
        return _OTHER_COMMANDS[name]
    if os.path.exists(name):
        return f"say what is to be done with it: dralint check {name}, dralint convert {name}"
    return _close(name, commands) or f"one of {', '.join(commands)}"
