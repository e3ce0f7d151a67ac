"""One diff of all files that change, for `git apply` and for people."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence

from dralint.cli.inputs import STDIN_NAME, inside
from dralint.cli.messages import tell
from dralint.convert.model import FileResult
from dralint.errors import InternalError, Place
from dralint.kube.objects import ParsedFile
from dralint.report.convert_text import for_terminal
from dralint.report.diff import diff_of
from dralint.source.git import git_root
from dralint.yamltext.splice import splice


def print_bytes(data: bytes) -> None:
    """Write to stdout as it is: no line end is translated."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _real_path(file: ParsedFile) -> str | None:
    """Where a file really lies: git follows no links. None for standard input without a name."""
    if file.file.path is None and file.file.name == STDIN_NAME:
        return None
    return os.path.realpath(file.file.path or file.file.name)


def _base(paths: Sequence[str]) -> str:
    """The directory that names in a diff count from.

    It is the current one as long as all files lie below it: git takes no name with `..` in it, and
    passes over files outside the directory it runs in.
    """
    here = os.getcwd()
    if all(inside(path, here) for path in paths):
        return here
    directories = [os.path.dirname(path) for path in paths]
    roots = {git_root(directory) for directory in directories}
    root = roots.pop()
    return root if root is not None and not roots else os.path.commonpath(directories)


def print_diff(results: Sequence[FileResult], *, colored: bool) -> None:
    """Print one diff of all files that change; where to apply it, if that is elsewhere, goes to stderr.

    Raises InternalError when the edits of a file do not make its converted text.
    """
    changed = [result for result in results if result.changed]
    paths = [path for result in changed if (path := _real_path(result.file))]
    base = _base(paths)
    terminal = sys.stdout.isatty() or colored
    for result in changed:
        file = result.file
        if file.text.encode(splice(file.text.text, result.edits)) != result.after:
            raise InternalError("the edits do not give the converted text", Place(file.file.name))
        path = _real_path(file)
        name = file.file.name if path is None else os.path.relpath(path, base).replace(os.sep, "/")
        diff = diff_of(name, result)
        shown = for_terminal(diff, colored=colored) if terminal else diff
        print_bytes(shown.encode("utf-8", "surrogateescape"))
    here = os.getcwd()
    if base != here:
        shown = os.path.relpath(base) if inside(here, base) else base
        tell(f"names in the diff count from {shown}: apply it by git -C {shlex.quote(shown)} apply")
