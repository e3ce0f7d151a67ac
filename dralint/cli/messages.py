"""Lines on stderr, safe to show."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from dralint.errors import DralintError
from dralint.report.escape import escape

if TYPE_CHECKING:
    from dralint.nvidia.target import Target


# Characters. A name of 50 MB says no more than its beginning.
_LONGEST = 4_000


def on_github() -> bool:
    """Whether this is a step of a GitHub Actions workflow, whose log is read for commands."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def _shortened(line: str) -> str:
    """The line without the middle of a very long one: where is at its beginning, what to do at its end."""
    left_out = len(line) - _LONGEST
    if left_out <= 0:
        return line
    half = _LONGEST // 2
    return f"{line[:half]} [{left_out:,} characters left out] {line[-half:]}"


def tell(line: str) -> None:
    """One line on stderr, after what was printed; a closed or full stderr is no reason to fail."""
    line = _shortened(line)
    if on_github():
        from dralint.report.github import disarmed

        line = disarmed(line)
    with suppress(OSError, ValueError):
        # Where it fails it does so again at the end of the run, and is told.
        sys.stdout.flush()
    with suppress(OSError, ValueError):
        sys.stderr.write(escape(line) + "\n")
        sys.stderr.flush()


def tell_assumptions(target: Target, *, verbose: bool) -> None:
    """What was taken for granted: in one short line, or a line for each."""
    brief = ", ".join(target.brief())
    if verbose:
        for each in target.assumptions():
            tell(f"assumed: {each}")
    elif brief:
        tell(f"assumed: {brief} (-v says more)")


def tell_run(configuration: str | None, rules: Sequence[str]) -> None:
    """Which configuration file was read, and which rules ran."""
    from dralint.report.words import in_runs

    tell(f"configuration: {configuration or 'none'}")
    tell(f"{len(rules)} rules ran: {in_runs(rules)}")


def tell_errors(errors: Iterable[DralintError]) -> None:
    """One line for each: `file:line:column: error: what is wrong (what to do)`."""
    for error in errors:
        advice = f" ({error.advice})" if error.advice else ""
        tell(f"{error.place or 'dralint'}: error: {error.what}{advice}")
