"""Where output goes: nothing that is read, no file that somebody else wrote, and what can be written."""

from __future__ import annotations

import os
from collections.abc import Sequence

from dralint.cli.inputs import existing, inside
from dralint.errors import Place, UsageError, WriteError
from dralint.report.ours import is_report
from dralint.source.find import STDIN
from dralint.source.limits import limits
from dralint.source.write import probe


def _is_named(path: str, named: Sequence[str]) -> bool:
    real = os.path.realpath(path)
    return any(
        os.path.realpath(name) == real or (os.path.exists(name) and os.path.samefile(name, path))
        for name in named
        if name != STDIN
    )


def _is_replaceable(path: str) -> bool:
    if os.path.getsize(path) > limits().file_size:
        return False
    with open(path, "rb") as file:
        return is_report(file.read())


def guard(path: str, named: Sequence[str]) -> None:
    """Make sure that a report can be written to a file, before anything is done.

    named  the paths of the command line

    Raises UsageError for a file that is read or is no report; WriteError where the report cannot be
    written. Pipes and devices are taken.
    """
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        return
    if os.path.isfile(path):
        if _is_named(path, named):
            raise UsageError(
                "is one of the files to read, and was to be replaced by a report",
                Place(path),
                "name another file",
            )
        try:
            replaceable = _is_replaceable(path)
        except OSError as error:
            raise WriteError(f"cannot be read: {error.strerror}", Place(path), "name another file") from None
        if not replaceable:
            raise UsageError(
                "exists and is no report of dralint", Place(path), "name another file, or remove it first"
            )
    probe(path)


def guard_directory(paths: Sequence[str], option: str, directory: str) -> None:
    """Make sure that files can be made in a directory, which may have to be made as well, before anything is done.

    Raises UsageError also for one that is read from: copies there would be read again. Raises WriteError.
    """
    there = existing(directory)
    if not os.path.isdir(there):
        which = "" if there == os.path.abspath(directory) else f"{os.path.relpath(there)} "
        raise UsageError(f"{option} {directory}: {which}is no directory", advice="name a new directory")
    for path in paths or (".",):
        if path != STDIN and inside(path, directory):
            raise UsageError(
                f"{option} {directory}: {path}, which is to be converted, lies in it",
                advice="name a new directory, or change the files with --write",
            )
    try:
        probe(os.path.join(there, ".dralint.probe"))
    except WriteError as error:
        raise WriteError(error.what, Place(directory), error.advice) from None
