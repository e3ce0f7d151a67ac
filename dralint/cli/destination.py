"""Where a conversion goes, and which options for it go together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dralint.errors import UsageError

STDIN = STDOUT = "-"


class Destination(NamedTuple):
    """Where the result goes; without write, check, output_dir and standard input a diff is printed.

    output_dir, report and classes are paths as given, None where not asked for; report "-" is standard
    output, which then gets no diff; classes is the file of DeviceClasses.
    """

    stdin: bool
    write: bool
    check: bool
    output_dir: str | None
    report: str | None
    classes: str | None = None

    @property
    def only_shows(self) -> bool:
        """Nothing is converted for good: what would change counts as left to do."""
        return self.check or not (self.write or self.output_dir or self.stdin)

    @property
    def made(self) -> list[str]:
        """The files and directories that the run makes, besides the files it changes."""
        return [path for path in (self.output_dir, self.report) if path and path != STDOUT]


def _validate_output_dir(paths: Sequence[str], directory: str) -> None:
    """Raises UsageError: nothing is read from the directory that copies go to, or they would be read again."""
    import os

    from dralint.cli.inputs import inside

    if os.path.exists(directory) and not os.path.isdir(directory):
        raise UsageError(f"--output-dir {directory}: is no directory", advice="name a new directory")
    for path in paths or (".",):
        if path != STDIN and inside(path, directory):
            raise UsageError(
                f"--output-dir {directory}: {path}, which is to be converted, lies in it",
                advice="name a new directory, or change the files with --write",
            )


def validate(paths: Sequence[str], to: Destination) -> None:
    """Raises UsageError for options that cannot go together, WriteError for a report that cannot be written."""
    given = (("--write", to.write), ("--check", to.check), ("--output-dir", to.output_dir))
    chosen = [name for name, value in given if value]
    if len(chosen) > 1:
        raise UsageError(f"{' and '.join(chosen)} cannot be combined", advice="choose one")
    if to.stdin and len(paths) > 1:
        raise UsageError("- cannot be combined with other paths", advice="convert them in two runs")
    if to.stdin and to.write:
        raise UsageError("--write cannot be combined with -", advice="the result goes to stdout")
    if to.stdin and to.report == STDOUT and not (to.check or to.output_dir):
        raise UsageError("--report - cannot be combined with -", advice="write the report to a file")
    if to.report == "" or to.output_dir == "":
        raise UsageError(f"--{'report' if to.report == '' else 'output-dir'}: the name is empty")
    if to.output_dir:
        _validate_output_dir(paths, to.output_dir)
    if to.report and to.report != STDOUT:
        from dralint.cli.guard import guard

        guard(to.report, paths)
