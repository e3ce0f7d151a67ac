"""Where the result of `dralint convert` goes, as its options say."""

from __future__ import annotations

from typing import NamedTuple

STDOUT = "-"


class Destination(NamedTuple):
    """Where the result goes; without write, check, output_dir and standard input a diff is printed.

    output_dir, report, classes and output_overlay are paths as given, None where not asked for; report "-" is
    standard output, which then gets no diff; classes is the file of DeviceClasses.
    """

    stdin: bool
    write: bool
    check: bool
    output_dir: str | None
    report: str | None
    classes: str | None = None
    output_overlay: str | None = None

    @property
    def only_shows(self) -> bool:
        """Nothing is converted for good: what would change counts as left to do."""
        return self.check or not (self.write or self.output_dir or self.output_overlay or self.stdin)

    @property
    def made(self) -> list[str]:
        """The files and directories that the run makes, besides the files it changes."""
        made = (self.output_dir, self.output_overlay, self.report)
        return [path for path in made if path and path != STDOUT]
