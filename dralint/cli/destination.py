"""Where a conversion goes, and which options for it go together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from dralint.errors import UsageError

STDIN = STDOUT = "-"


class Destination(NamedTuple):
    """Where the result goes; without write, check, output_dir and standard input a diff is printed.

    output_dir, classes and output_overlay are paths as given, None where not asked for; the report "-" is
    standard output, which then gets no diff; classes is the file of DeviceClasses.
    """

    stdin: bool
    write: bool
    check: bool
    output_dir: str | None
    reports: Sequence[str] = ()
    classes: str | None = None
    output_overlay: str | None = None

    @property
    def only_shows(self) -> bool:
        """Nothing is converted for good: what would change counts as left to do."""
        return self.check or not (self.write or self.output_dir or self.output_overlay or self.stdin)

    @property
    def made(self) -> list[str]:
        """The files and directories that the run makes, besides the files it changes."""
        made = (self.output_dir, self.output_overlay, *self.reports)
        return [path for path in made if path and path != STDOUT]


def validate(paths: Sequence[str], to: Destination) -> None:
    """Raises UsageError for options that cannot go together, WriteError for a report that cannot be written."""
    directories = (("--output-dir", to.output_dir), ("--output-overlay", to.output_overlay))
    given = (("--write", to.write), ("--check", to.check), *directories)
    chosen = [name for name, value in given if value]
    if len(chosen) > 1:
        raise UsageError(f"{' and '.join(chosen)} cannot be combined", advice="choose one")
    if to.stdin and len(paths) > 1:
        raise UsageError("- cannot be combined with other paths", advice="convert them in two runs")
    if to.stdin and (to.write or to.output_overlay):
        raise UsageError(f"{chosen[0]} cannot be combined with -", advice="the result goes to stdout")
    if to.stdin and STDOUT in to.reports and not (to.check or to.output_dir):
        raise UsageError("--report - cannot be combined with -", advice="write the report to a file")
    for name, value in (*(("--report", each) for each in to.reports), *directories):
        if value == "":
            raise UsageError(f"{name}: the name is empty")
    from dralint.cli.guard import guard, guard_directory

    for name, directory in directories:
        if directory:
            guard_directory(paths, name, directory)
    real = [each if each == STDOUT else os.path.realpath(each) for each in to.reports]
    for number, report in enumerate(to.reports):
        if real[number] in real[:number]:
            raise UsageError(f"--report {report} is named twice", advice="name another file for one of them")
        if report != STDOUT:
            guard(report, paths)
