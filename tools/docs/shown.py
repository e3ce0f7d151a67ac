"""What `dralint ARGUMENTS` shows, run in this process: half a second less for each of some hundred examples."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

from dralint.cli.main import run

# What would make the output that of another place than a person's terminal.
_VARIABLES = ("GITHUB_ACTIONS", "DRALINT_CONFIG")


def fenced(text: str, language: str, title: str = "") -> str:
    """A code block, with a fence that the text does not hold; carriage returns can be seen."""
    text = text.replace("\r\n", "␍\n").replace("\r", "␍\n")
    fence = "```"
    while fence in text:
        fence += "`"
    head = f'{language} title="{title}"' if title else language
    return f"{fence}{head}\n{text.rstrip(chr(10))}\n{fence}\n"


def _output(arguments: Sequence[str]) -> str:
    """Both streams as they come; raises RuntimeError where the command could not do its work."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    kept = {name: os.environ.pop(name) for name in _VARIABLES if name in os.environ}
    try:
        with redirect_stdout(stream), redirect_stderr(stream):
            code = run(list(arguments))
    finally:
        os.environ.update(kept)
    stream.flush()
    text = stream.buffer.getvalue().decode()
    if code not in (0, 1):
        raise RuntimeError(f"dralint {shlex.join(arguments)}: exit code {code}\n{text}")
    return text


def _write(folder: Path, files: Mapping[str, str | Path]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            shutil.copyfile(content, path)
        else:
            path.write_text(content, encoding="utf-8", newline="")


def _commit(folder: Path) -> None:
    """Make a git repository of a directory, with one commit."""
    who = ("-c", "user.name=example", "-c", "user.email=example@example.com", "-c", "commit.gpgSign=false")
    for words in (("init",), ("add", "."), (*who, "commit", "--message", "before")):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)  # noqa: S603, S607


def console(
    files: Mapping[str, str | Path], *commands: Sequence[str], before: Mapping[str, str] | None = None
) -> str:
    """A console block: commands and what they show in a directory with these files (texts, or paths to copy).

    before: files that were committed to git, before these were written
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if before is not None:
            _write(folder, before)
            _commit(folder)
        _write(folder, files)
        with chdir(folder):
            shown = [f"$ dralint {shlex.join(command)}\n{_output(command)}" for command in commands]
    return fenced("".join(shown), "console")
