"""Rules that could not be judged, as findings of the engine itself: one per rule and file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dralint.errors import Place
from dralint.lint.rule import NOT_JUDGED, RULE_FAILED, Rule
from dralint.lint.subject import NotJudged, Subject
from dralint.yamltext.view import Path

if TYPE_CHECKING:
    from dralint.cel.predicates import PredicateError
    from dralint.lint.finding import Finding, Region


def _innermost(error: BaseException) -> str:
    """The line of dralint's code that raised, for who repairs it."""
    trace, where = error.__traceback__, ""
    while trace is not None:
        where = f"{trace.tb_frame.f_globals.get('__name__', '')}:{trace.tb_lineno}"
        trace = trace.tb_next
    return where


class _Case:
    """The first subject a rule failed on in a file, and how many more there were."""

    def __init__(
        self, rule: Rule, subject: Subject | None, what: str, place: Place | None, own: Rule
    ) -> None:
        self.rule, self.subject, self.what, self.place, self.own = rule, subject, what, place, own
        self.more = 0

    def finding(self) -> Finding:
        from dralint.lint.finding import Finding
        from dralint.lint.places import field

        name = f"{self.rule.name} ({self.rule.id})"
        verb = "failed" if self.own is RULE_FAILED else "was not judged"
        here = " here" if self.subject else ""
        places = "place" if self.more == 1 else "places"
        more = f"; and in {self.more} more {places} of this file" if self.more else ""
        where = f" [{self.place}]" if self.place and self.subject else ""
        obj = self.subject.object if self.subject else None
        return Finding(
            rule=self.own.id,
            name=self.own.name,
            layer=self.own.layer,
            severity=self.own.severity[0].severity,
            message=f"the rule {name} {verb}{here}: {self.what}{more}{where}",
            region=self._region(),
            object=obj.ref if obj else None,
            field=field(obj, self.subject.path) if obj and self.subject else None,
            source=obj.origin if obj else None,
            help=self.own.summary,
        )

    def _region(self) -> Region:
        from dralint.lint.places import region

        if self.subject is not None:
            return region(self.subject.object, self.subject.path)
        from dralint.lint.finding import Region

        place = self.place or Place(self.rule.file or self.rule.id)
        line, column = place.line or 1, place.column or 1
        return Region(place.path, line, column, line, column + 1)


class Trouble:
    """Collects what went wrong with rules."""

    def __init__(self) -> None:
        # Where the expressions that failed stand in their rule files.
        self._places: dict[tuple[str | int, ...], Place] = {}
        self._cases: dict[tuple[str, str, bool, str], _Case] = {}

    def findings(self) -> list[Finding]:
        return [case.finding() for case in self._cases.values()]

    def _add(self, rule: Rule, subject: Subject | None, what: str, place: Place | None, own: Rule) -> None:
        file = subject.object.file.file.name if subject else ""
        key = (rule.id, file, own is RULE_FAILED, "" if subject else str(place))
        if key in self._cases:
            self._cases[key].more += subject is not None
        else:
            self._cases[key] = _Case(rule, subject, what, place, own)

    def crashed(self, rule: Rule, subject: Subject, error: Exception) -> None:
        """A check raised, or its answer could not be turned into a finding."""
        if isinstance(error, NotJudged):
            self._add(rule, subject, str(error), None, NOT_JUDGED)
            return
        said = str(error).splitlines()[0][:200] if str(error) else ""
        what = f"{type(error).__name__}{': ' if said else ''}{said} in {_innermost(error)}"
        self._add(rule, subject, what, None, RULE_FAILED)

    def failed(self, rule: Rule, case: int | None, subject: Subject, error: PredicateError) -> None:
        """An expression has no answer for a subject, or does not compile and never has one.

        case  the number of a severity's condition; None: the rule's `when`
        """
        if error.limit:
            self._add(rule, subject, error.what, None, NOT_JUDGED)
            return
        from dralint.lint.rule_file import place

        at: Path = ("when",) if case is None else ("severity", case, "if")
        key = (rule.id, *at)
        if key not in self._places:
            self._places[key] = place(rule.file, at, error.line, error.column)
        elif error.line is not None:
            return
        self._add(rule, subject if error.line is None else None, error.what, self._places[key], RULE_FAILED)
