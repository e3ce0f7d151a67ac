"""What a person most likely meant by an option or a command that there is not."""

from __future__ import annotations

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
    ("convert", "-i"): "--write changes the files",
    ("convert", "-w"): "--write changes the files",
    ("convert", "-o"): "--output-dir DIR makes copies, --report FILE an account",
    ("check", "-o"): "--output-format FORMAT=FILE",
    ("check", "--format"): "--output-format FORMAT[=FILE]",
    ("check", "--json"): "--output-format json",
    ("check", "--sarif"): "--output-format sarif",
    ("convert", "--json"): "--report FILE, or --report - for stdout",
    ("check", "--strict"): "--fail-on info",
    ("", "--kubernetes-version"): "--target-kubernetes VERSION",
    ("", "--k8s-version"): "--target-kubernetes VERSION",
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
    """A hint on an unknown command."""
    return _close(name, commands) or f"one of {', '.join(commands)}"
