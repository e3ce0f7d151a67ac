"""The named files, parsed; what could not be read is kept beside them and costs only itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dralint.cli.messages import tell
from dralint.errors import InputError, UsageError
from dralint.kube.bundle import Context
from dralint.kube.objects import ParsedFile
from dralint.kube.read import parse
from dralint.source.file import SourceFile
from dralint.source.find import STDIN, Excluded, find
from dralint.source.prefilter import relevant

if TYPE_CHECKING:
    from dralint.cli.config import Config


class Inputs(NamedTuple):
    """What the command line named.

    sources   the files that were read
    files     those of them that could be parsed
    problems  files and documents that could not be read, each with its place
    excluded  what was named and is excluded by the configuration
    """

    sources: list[SourceFile]
    files: list[ParsedFile]
    problems: list[InputError]
    excluded: Sequence[str] = ()


STDIN_NAME = "<stdin>"
# A shell goes by the last command of a pipe alone, so that a gate would pass on nothing.
_EMPTY = "did the command before the pipe fail? set -o pipefail stops a script there"


def inside(path: str, directory: str) -> bool:
    """Whether a path lies in a directory or is it, links followed."""
    real, parent = os.path.realpath(path), os.path.realpath(directory)
    return real == parent or real.startswith(os.path.join(parent, ""))


def existing(path: str) -> str:
    """The path, or the nearest one above it that something is at."""
    path = os.path.abspath(path)
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    return path


def _named_and_excluded(paths: Sequence[str], stdin_name: str, excluded: Excluded) -> list[str]:
    """The named paths that are excluded; standard input goes by the name it was given."""
    names = [(path, stdin_name if path == STDIN else path) for path in paths]
    return [path for path, name in names if excluded(os.path.abspath(name), os.path.isdir(name))]


def _found(
    paths: Sequence[str],
    words: Sequence[bytes],
    stdin_name: str,
    passed_over: Sequence[str],
    excluded: Excluded | None,
    most_stdin: int | None,
    always: Container[str],
) -> Iterator[SourceFile | InputError]:
    for found in find(
        paths, words=words, stdin_name=stdin_name, excluded=excluded, most_stdin=most_stdin, always=always
    ):
        if passed_over:
            place = found.place if isinstance(found, InputError) else None
            name = place.path if place else str(getattr(found, "path", None) or "")
            if name and any(inside(name, each) for each in passed_over):
                continue
        yield found


def read_inputs(
    paths: Sequence[str],
    *,
    words: Sequence[bytes],
    stdin_name: str = STDIN_NAME,
    all_sources: bool = False,
    passed_over: Sequence[str] = (),
    excluded: Excluded | None = None,
    parts: Callable[[SourceFile], Sequence[ParsedFile] | InputError | None] | None = None,
    most_stdin: int | None = None,
    always: Container[str] = (),
) -> Inputs:
    """Find, read and parse the files of a command line.

    words        documents without any of them are not parsed, nor are files of walked directories
    all_sources  `sources` holds the files without any of the words, too
    passed_over  files and directories that are none of the input: where the output goes
    excluded     says which files the configuration excludes, named ones as well
    parts        the parts that a file is read in, or why it cannot be; None: it is parsed as a whole
    most_stdin   bytes that standard input may have
    always       names of files that are parsed whole, whatever they hold; without the words one that cannot
                 be parsed is passed over

    Raises UsageError for an empty path, which an unset variable makes.
    """
    if "" in paths:
        raise UsageError("a path is empty", advice="name a file or a directory; . is the current one")
    left_out = _named_and_excluded(paths, stdin_name, excluded) if excluded else []
    inputs = Inputs([], [], [], left_out)
    rest = [path for path in paths if path not in left_out]
    if paths and not rest:
        return inputs
    wanted = [b""] if all_sources else words
    for found in _found(rest, wanted, stdin_name, passed_over, excluded, most_stdin, always):
        if isinstance(found, InputError):
            inputs.problems.append(found)
            continue
        inputs.sources.append(found)
        if found.path is None and (not found.data or found.data.isspace()):
            tell(f"{found.name}: warning: standard input is empty ({_EMPTY})")
        read = parts(found) if parts is not None else None
        if isinstance(read, InputError):
            inputs.problems.append(read)
            continue
        if read is not None:
            inputs.files.extend(read)
            continue
        whole = os.path.basename(found.name) in always
        counts = not (whole or all_sources) or relevant(found.data, words)
        if not (whole or counts):
            continue
        try:
            parsed = parse(found, None if whole else words)
        except InputError as error:
            if counts:
                inputs.problems.append(error)
            continue
        inputs.files.append(parsed)
        if counts:
            inputs.problems.extend(parsed.problems)
    return inputs


def excluded_notes(inputs: Inputs, config: Config) -> Iterator[str]:
    """A line for everything that was named and passed over."""
    return (f"{name}: note: excluded by {config.file} (--no-config reads it)" for name in inputs.excluded)


def make_context(inputs: Inputs, words: Sequence[bytes], setting: str | None = None) -> Context:
    """Where references may resolve besides the named files; read only when something asks for it.

    setting  None: the git roots of the named files (standard input has one only where
             --stdin-filename says where it belongs); "none": nothing; else a directory

    Raises UsageError when the directory is none.
    """
    if setting == "none":
        return Context.none()
    if setting is not None and not os.path.isdir(setting):
        raise UsageError(f"--context: {setting} is no directory", advice="name a directory, or none")
    names = [source.name for source in inputs.sources if source.name != STDIN_NAME]
    return Context(names, words, root=setting)
