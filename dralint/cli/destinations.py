"""Where converted files go: into the files themselves, or into a directory of copies."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence

from dralint.cli.inputs import existing, inside
from dralint.convert.model import FileResult
from dralint.errors import DralintError, Place, WriteError
from dralint.source.file import SourceFile
from dralint.source.write import check, check_new, probe, write, write_new


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


def _hindered(results: Sequence[FileResult]) -> dict[int, str]:
    """The groups of results that cannot all be written, and of each a file that hinders it."""
    found: dict[int, str] = {}
    for result in results:
        path = result.file.file.path
        if result.group is None or path is None or not result.changed or result.group in found:
            continue
        try:
            if result.made:
                check_new(path)
            else:
                check(path, result.file.file.data)
            probe(path)
        except WriteError:
            found[result.group] = result.file.file.name
    return found


def write_in_place(results: Sequence[FileResult]) -> list[DralintError]:
    """Write each file that changes, whole or not at all; what could not be written is returned.

    A result whose file could not be written has the reason as its error, and counts as unchanged; so have
    those that are right only together with it.
    """
    problems: list[DralintError] = []
    hindered = _hindered(results)
    for result in results:
        hinders = hindered.get(result.group) if result.group is not None and result.changed else None
        if hinders is not None and hinders != result.file.file.name:
            result.error = f"changes only together with {hinders}, which cannot be written"
            problems.append(WriteError(result.error, Place(result.file.file.name), "see there"))
            continue
        file = result.file.file
        if result.changed and file.path is not None:
            try:
                if result.made:
                    write_new(file.path, result.after)
                else:
                    write(file.path, result.after, file.data)
            except WriteError as error:
                # In the words of the command line, not of the file system.
                problems.append(WriteError(error.what, Place(file.name), error.advice))
                result.error = error.what
    return problems


def _open_at_once(path: str, flags: int) -> int:
    """A file descriptor for writing; a pipe that nobody reads fails instead of waiting for a reader."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if hasattr(os, "set_blocking"):
        os.set_blocking(descriptor, True)
    return descriptor


def _why(error: OSError, path: str) -> str:
    if error.errno == errno.ENXIO and stat.S_ISFIFO(os.stat(path).st_mode):
        return "nobody reads the pipe"
    return error.strerror or str(error)


def save(path: str, data: bytes) -> None:
    """Make or replace a file, whole or not at all; a pipe or a device is written to.

    Raises WriteError, also for links.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        try:
            with open(path, "wb", opener=_open_at_once) as stream:
                stream.write(data)
        except OSError as error:
            raise WriteError(f"could not be written: {_why(error, path)}", Place(path)) from None
    else:
        write(path, data, expected=None)


def check_copy(target: str, directory: str) -> None:
    """Raise the WriteError that `copy` is going to raise, as far as that can be told before; nothing is touched."""
    folder = os.path.dirname(target)
    if not inside(folder, directory):
        raise WriteError("a link leads out of the output directory", Place(target), "remove it")
    there = existing(folder)
    if not os.path.isdir(there):
        raise WriteError(f"could not be written: {there} is no directory", Place(target), "remove it")
    check(target)


def copy(data: bytes, target: str, directory: str) -> None:
    """Make or replace a file below a directory; raises WriteError, also where a link leads out of it."""
    if not inside(os.path.dirname(target), directory):
        raise WriteError("a link leads out of the output directory", Place(target), "remove it")
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
    except OSError as error:
        raise WriteError(f"could not be written: {error.strerror or error}", Place(target)) from None
    save(target, data)


def copy_of(file: SourceFile, directory: str) -> str:
    """Where the copy of a file goes."""
    return os.path.join(directory, relative_name(str(file.path)))


def write_copies(
    files: Sequence[SourceFile], results: Sequence[FileResult], directory: str
) -> list[DralintError]:
    """Put a copy of every file under a directory, converted where the conversion changes it.

    A copy's place is `relative_name`; nothing is written outside the directory, links included. A result
    whose copy could not be written has the reason as its error.
    """
    converted = {id(result.file.file): result for result in results}
    problems: list[DralintError] = []
    for file in files:
        target = copy_of(file, directory)
        result = converted.get(id(file))
        try:
            copy(result.after if result else file.data, target, directory)
        except WriteError as error:
            problems.append(error)
            if result:
                result.error = result.error or error.what
    return problems
