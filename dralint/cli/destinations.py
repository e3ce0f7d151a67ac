"""Where converted files go: a diff, the files themselves, a directory of copies, or standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from dralint.cli.inputs import inside
from dralint.convert.model import FileResult
from dralint.errors import DralintError, InternalError, Place, WriteError
from dralint.report.convert_text import for_terminal
from dralint.report.diff import unified_diff
from dralint.source.file import SourceFile
from dralint.source.write import write


def relative_name(path: str) -> str:
    """A path with "/" between its parts: relative to the current directory where it lies below it.

    Elsewhere it is the absolute path without its root, so that it never leaves a directory it is
    joined to.
    """
    absolute = os.path.abspath(path)
    here = os.path.join(os.getcwd(), "")
    if absolute.startswith(here):
        relative = absolute[len(here) :]
    else:
        relative = os.path.splitdrive(absolute)[1].lstrip(os.sep)
    return relative.replace(os.sep, "/")


def print_bytes(data: bytes) -> None:
    """Write to stdout as it is: no line end is translated."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _spliced(result: FileResult) -> str:
    """The file's text with the edits made."""
    text = result.file.text.text
    parts: list[str] = []
    position = 0
    for edit in result.edits:
        parts += (text[position : edit.start], edit.text)
        position = edit.end
    return "".join([*parts, text[position:]])


def print_diff(results: Sequence[FileResult], *, colored: bool) -> None:
    """Print one diff of all files that change.

    Raises InternalError when the edits of a file do not make its converted text.
    """
    terminal = sys.stdout.isatty() or colored
    for result in results:
        if not result.changed:
            continue
        file = result.file
        if file.text.encode(_spliced(result)) != result.after:
            raise InternalError("the edits do not give the converted text", Place(file.file.name))
        name = relative_name(str(file.file.path)) if file.file.path else file.file.name
        diff = unified_diff(name, file.text, result.edits)
        shown = for_terminal(diff, colored=colored) if terminal else diff
        print_bytes(shown.encode("utf-8", "surrogateescape"))


def write_in_place(results: Sequence[FileResult]) -> list[DralintError]:
    """Write each file that changes, whole or not at all; what could not be written is returned."""
    problems: list[DralintError] = []
    for result in results:
        file = result.file.file
        if result.changed and file.path is not None:
            try:
                write(file.path, result.after, file.data)
            except WriteError as error:
                problems.append(error)
    return problems


def save(path: str, data: bytes) -> None:
    """Make or replace a file, whole or not at all; a pipe or a device is written to.

    Raises WriteError, also for links.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        try:
            with open(path, "wb") as stream:
                stream.write(data)
        except OSError as error:
            raise WriteError(f"could not be written: {error.strerror or error}", Place(path)) from None
    else:
        write(path, data, expected=None)


def write_copies(
    files: Sequence[SourceFile], results: Sequence[FileResult], directory: str
) -> list[DralintError]:
    """Put a copy of every file under a directory, converted where the conversion changes it.

    A copy's place is `relative_name`; nothing is written outside the directory, links included.
    """
    converted = {id(result.file.file): result.after for result in results}
    problems: list[DralintError] = []
    for file in files:
        target = os.path.join(directory, relative_name(str(file.path)))
        if not inside(os.path.dirname(target), directory):
            problems.append(
                WriteError("a link leads out of the output directory", Place(target), "remove it")
            )
            continue
        try:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            save(target, converted.get(id(file), file.data))
        except WriteError as error:
            problems.append(error)
        except OSError as error:
            problems.append(WriteError(f"could not be written: {error.strerror or error}", Place(target)))
    return problems
