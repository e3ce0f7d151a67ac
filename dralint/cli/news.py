"""Which findings are news: neither known by the baseline nor there before --base."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dralint.cli.choice import Choice
from dralint.lint.baseline import Baseline, Scope, empty, load
from dralint.lint.finding import Finding
from dralint.report.words import counted

_MOST_STALE = 5


class News:
    """Leaves out what is known; remembers what there was in all, and how much of it was left out.

    then  what was found at the base, None where there is none
    """

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self.then: list[Finding] | None = None
        self._baseline: Baseline | None = None
        self._everything: Sequence[Finding] = ()
        self._before = self._known = 0
        if choice.baseline is not None:
            try:
                self._baseline = load(choice.baseline)
            except FileNotFoundError:
                if not choice.write_baseline:
                    self._raise_missing(choice.baseline)
                self._baseline = empty(choice.baseline)

    @staticmethod
    def _raise_missing(path: str) -> None:
        from dralint.errors import ConfigError, Place

        raise ConfigError("there is no baseline", Place(path), "make it with --write-baseline")

    def new(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings that are to be reported."""
        self._everything = findings
        found = list(findings)
        if self.then is not None:
            from dralint.lint.past import new

            found = new(found, self.then)
        self._before = len(findings) - len(found)
        if self._baseline is not None:
            found = self._baseline.new(found)
        self._known = len(findings) - len(found) - self._before
        return found

    def write(self, scope: Scope) -> str:
        """Make what was found known from now on; what was done, for the summary. Raises WriteError."""
        from dralint.cli.destinations import save

        assert self._baseline is not None
        assert self._choice.baseline is not None
        self._baseline = self._baseline.updated(self._everything, scope)
        save(self._choice.baseline, self._baseline.dump().encode())
        return f"{counted(self._baseline.known.total(), 'finding')} written to {self._choice.baseline}"

    def left_out(self) -> Iterator[str]:
        """What was left out, for the summary."""
        if self._known:
            yield f"{self._known} known"
        if self._before:
            yield f"{self._before} there before {self._choice.base}"

    @property
    def dropped(self) -> int:
        """How many findings were left out."""
        return self._known + self._before

    def stale(self, scope: Scope, *, verbose: bool) -> Iterator[str]:
        """Notes about what is known and no longer there."""
        if self._baseline is None:
            return
        found = self._baseline.stale(self._everything, scope)
        for each, count in found if verbose else found[:_MOST_STALE]:
            where = ", ".join(part for part in (each.object, each.field) if part)
            times = f", {count} times" if count > 1 else ""
            at = f" ({where}{times})" if where else ""
            yield f"{self._choice.baseline}: note: {each.rule} in {each.path}{at} is no longer found"
        if found:
            left = 0 if verbose else max(0, len(found) - _MOST_STALE)
            more = f"{left} more are no longer found; " if left else ""
            yield f"{self._choice.baseline}: note: {more}--write-baseline writes it anew"
