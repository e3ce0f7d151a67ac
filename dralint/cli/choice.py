"""What a person asked of `dralint check`: options first, then the configuration, then defaults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dralint.cli.config import Config
from dralint.errors import UsageError
from dralint.source.find import STDIN

FAIL_ON = ("error", "warning", "info", "never")
_FAIL_ON = "warning"


class Choice(NamedTuple):
    """Which rules run, what they know, which findings count, and what is done about them.

    rules           directories of a team's own rules
    fail_on         the severity from which the exit code is 1, or "never"; None: not said
    context         a directory, "none", or None: the git roots of the named files
    engine          the CEL engine, None: the one that is installed
    statistics      count the findings of each rule on stderr
    sarif_category  tells runs on one commit apart; "" for the only one
    base            a revision: only what was not there at its merge base with HEAD is reported
    baseline        the file of findings that are known
    inventory       files that say which devices the cluster has
    """

    select: Sequence[str]
    ignore: Sequence[str]
    rules: Sequence[str]
    fail_on: str | None
    context: str | None
    complete: bool
    migration: bool
    engine: str | None
    statistics: bool = False
    sarif_category: str = ""
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    base: str | None = None
    baseline: str | None = None
    write_baseline: bool = False
    inventory: Sequence[str] = ()

    @property
    def fixes(self) -> bool:
        """Whether findings are to be fixed, in the files or in a diff."""
        return self.fix or self.diff

    @property
    def grave(self) -> Sequence[str]:
        """The severities for which the exit code is 1."""
        fail_on = self.fail_on or _FAIL_ON
        return () if fail_on == "never" else FAIL_ON[: FAIL_ON.index(fail_on) + 1]


def settled(choice: Choice, config: Config) -> Choice:
    """The choice with what the configuration says where no option says it; an option replaces a list."""
    if not config.data:
        return choice
    baseline = config.data.get("baseline")
    return choice._replace(
        select=choice.select or config.words("select"),
        ignore=choice.ignore or config.words("ignore"),
        rules=choice.rules or config.rules,
        fail_on=choice.fail_on or config.data.get("fail-on"),
        context=choice.context or config.context,
        migration=choice.migration or bool(config.data.get("migration")),
        baseline=choice.baseline or (config.path(baseline) if baseline else None),
    )


def validate(choice: Choice, paths: Sequence[str], formats: Sequence[str]) -> None:
    """Raises UsageError for options that cannot go together; formats: as --output-format has them."""
    if choice.unsafe_fixes and not choice.fixes:
        raise UsageError("--unsafe-fixes does nothing alone", advice="add --fix, or --diff to see them")
    if choice.fix and not choice.diff and STDIN in paths:
        raise UsageError("--fix cannot change standard input", advice="--diff shows what it would change")
    if choice.diff and any("=" not in each for each in formats):
        raise UsageError(
            "--diff and a format both go to stdout",
            advice="write the format to a file: --output-format json=FILE",
        )
    if [*choice.inventory, *paths].count(STDIN) > 1:
        raise UsageError("standard input can be read only once", advice="name a file for one of them")
    if choice.base is not None and STDIN in paths:
        raise UsageError("--base: standard input has no history", advice="name the files")
    if choice.write_baseline:
        if choice.baseline is None:
            raise UsageError("--write-baseline: no file is named", advice="add --baseline FILE")
        if choice.fixes or choice.base is not None:
            other = "--base" if choice.base is not None else "--diff" if choice.diff else "--fix"
            raise UsageError(
                f"--write-baseline and {other} cannot be combined", advice="do one after the other"
            )
