"""Subjects to answers: the rules of each kind of subject that occurs, judged subject by subject.

What only a finding needs is imported at the first one: most files have none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from dralint.lint.engine import Judged, place
from dralint.lint.rule import Rule
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.trouble import Trouble
from dralint.yamltext.view import Plain

if TYPE_CHECKING:
    from dralint.cel.predicates import PredicateError, Predicates
    from dralint.lint.finding import Finding, Severity
    from dralint.lint.reporting import Reporter
    from dralint.lint.suppression import Suppressions

    Answer = bool | PredicateError
    Answers = Mapping[str, Answer]
    Check = Callable[[Subject, Run], Iterable[Hit]]

_FIRED = Hit()
# A word, with the field that is read of it; `object.size()` reads all of it.
_READ = re.compile(r"(\w+)(?:\.(\w+)\b(?!\s*\())?")
_TEXT = re.compile(r"""'[^']*'|"[^"]*\"""")
# The facts of which answers are remembered: the number of characters that they have written down, and how many.
_SHORT, _REMEMBERED = 2_000, 5_000


def _reads(texts: Iterable[str], variables: Sequence[str]) -> list[tuple[str, tuple[str, ...] | None]]:
    """The variables that expressions may read, each with the fields that are read of it; None: all of it.

    Words inside of texts are none of them, but where a text is hard to see.
    """
    fields: dict[str, set[str] | None] = {}
    for text in texts:
        hard = "\\" in text or "//" in text
        for name, of_it in _READ.findall(text if hard else _TEXT.sub("", text)):
            known = fields.setdefault(name, set())
            if of_it and known is not None:
                known.add(of_it)
            else:
                fields[name] = None
    return [
        (name, tuple(sorted(found)) if (found := fields[name]) is not None else None)
        for name in variables
        if name in fields
    ]


def _part(value: Plain, fields: tuple[str, ...] | None) -> Plain:
    """What is read of a fact; a field that is not there is none that is null."""
    if fields is None or not isinstance(value, dict):
        return value
    return {field: value[field] for field in fields if field in value}


class _Judge:
    """The rules of one kind of subject, compiled at the first subject of that kind."""

    def __init__(self, rules: Sequence[Rule], variables: Sequence[str], engine: str | None) -> None:
        self.checking = [rule for rule in rules if rule.check]
        self.asked = {rule.id: rule for rule in rules if rule.when is not None}
        self._variables, self._engine = variables, engine
        texts = {rule.id: rule.when for rule in rules if rule.when is not None}
        self._predicates = self._compiled(texts) if texts else None
        self._read = _reads(texts.values(), variables)
        self._known: dict[str, Answers] = {}
        self._cases: dict[tuple[str, int], Predicates] = {}
        self.checks: dict[str, Check] = {}

    def _compiled(self, texts: Mapping[str, str]) -> Predicates:
        from dralint.cel.predicates import Predicates

        return Predicates(self._variables, texts, self._engine)

    def answers(self, subject: Subject) -> Answers:
        """What the conditions say; of equal facts they say the same, and most subjects have those of another."""
        if self._predicates is None:
            return {}
        key = repr([_part(subject.facts[name], fields) for name, fields in self._read])
        answers = self._known.get(key)
        if answers is None:
            answers = self._predicates.evaluate(subject.facts)
            if len(key) < _SHORT and len(self._known) < _REMEMBERED:
                self._known[key] = answers
        return answers

    def case(self, rule: Rule, number: int, subject: Subject) -> Answer:
        """Whether a severity counts; compiled at the first finding, as it may not hold where none is."""
        condition = rule.severity[number].condition
        if condition is None:
            return True
        key = rule.id, number
        if key not in self._cases:
            self._cases[key] = self._compiled({rule.id: condition})
        return self._cases[key].evaluate(subject.facts)[rule.id]

    def load(self, rule: Rule) -> Check:
        """The function of a rule's module in dralint.lint.checks, from here on among `checks`."""
        found: Check = import_module(f"dralint.lint.checks.{rule.check}").check
        self.checks[rule.id] = found
        return found


class Judging:
    """One run: its findings so far, those that are suppressed, and the rules that failed."""

    def __init__(self, run: Run, rules: Sequence[Rule], suppressions: Suppressions | None = None) -> None:
        self._run = run
        self._suppressions = suppressions
        self._by_kind: dict[str, list[Rule]] = defaultdict(list)
        for rule in rules:
            for kind in rule.subjects:
                self._by_kind[kind].append(rule)
        self._judges: dict[str, _Judge] = {}
        self._trouble = Trouble()
        self._reporter: Reporter | None = None

    def judged(self) -> Judged:
        from dralint.lint.facts import subjects

        for subject in subjects(self._run, frozenset(self._by_kind)):
            self._judge(subject)
        found: list[Finding] = []
        suppressed = 0
        if self._reporter is not None:
            found += self._reporter.findings.values()
            suppressed = len(self._reporter.suppressed)
        found += self._trouble.findings()
        if self._suppressions is not None:
            found += self._suppressions.findings(found)
        found.sort(key=place)
        return Judged(found, suppressed)

    def _judge(self, subject: Subject) -> None:
        judge = self._judges.get(subject.kind)
        if judge is None:
            judge = _Judge(self._by_kind[subject.kind], list(subject.facts), self._run.engine)
            self._judges[subject.kind] = judge
        # For most subjects no check has anything to say: no call that can be spared.
        for rule in judge.checking:
            try:
                hits = list((judge.checks.get(rule.id) or judge.load(rule))(subject, self._run))
            except Exception as error:  # noqa: BLE001  # one bad rule must not cost the others
                self._trouble.crashed(rule, subject, error)
                continue
            for hit in hits:
                self._report(judge, rule, subject, hit)
        for name, answer in judge.answers(subject).items():
            if answer is True:
                self._report(judge, judge.asked[name], subject, _FIRED)
            elif answer is not False:
                self._trouble.failed(judge.asked[name], None, subject, answer)

    def _report(self, judge: _Judge, rule: Rule, subject: Subject, hit: Hit) -> None:
        if self._reporter is None:
            from dralint.lint.reporting import Reporter

            self._reporter = Reporter(self._run, self._suppressions, self._trouble)
        self._reporter.report(rule, subject, hit, partial(self._severity, judge, rule, subject))

    def _severity(self, judge: _Judge, rule: Rule, subject: Subject) -> Severity:
        for number, case in enumerate(rule.severity):
            answer = judge.case(rule, number, subject)
            if not isinstance(answer, bool):
                self._trouble.failed(rule, number, subject, answer)
            elif answer:
                return case.severity
        return rule.severity[-1].severity
