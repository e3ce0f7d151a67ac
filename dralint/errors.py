"""The errors that dralint shows as one line: what is wrong, where, and what to do."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A point in a file: `line` and `column` start at 1; None where only the file is known."""

    path: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        numbers = (number for number in (self.line, self.column) if number is not None)
        return ":".join([self.path, *map(str, numbers)])


class DralintError(Exception):
    """Base of all expected errors; the command line turns each into one line and exit code 2."""

    def __init__(self, what: str, place: Place | None = None, advice: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.place = place
        self.advice = advice

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        advice = f" ({self.advice})" if self.advice else ""
        return f"{where}{self.what}{advice}"


class UsageError(DralintError):
    """Options that contradict each other or name what does not exist."""


class ConfigError(DralintError):
    """A configuration file that is not valid."""


class InputError(DralintError):
    """A file or document that cannot be read: it costs that file or document, not the run."""


class RuleError(DralintError):
    """A rule file that is not valid."""


class WriteError(DralintError):
    """A file that could not be written, or must not be."""


class InternalError(DralintError):
    """A check of dralint on its own work failed; nothing was written."""
