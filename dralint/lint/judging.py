"""Subjects to answers: the rules of each kind of subject that occurs, judged subject by subject.

What only a finding needs is imported at the first one: most files have none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from dralint.lint.engine import Judged
from dralint.lint.rule import Rule
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.trouble import Trouble

if TYPE_CHECKING:
    from dralint.cel.predicates import PredicateError
    from dralint.lint.finding import Finding, Severity
    from dralint.lint.reporting import Reporter
    from dralint.lint.suppression import Suppressions

    Answers = Mapping[str, bool | PredicateError]

_FIRED = Hit()


class Question(NamedTuple):
    """One CEL expression of a rule: its `when`, or the `if` of the case with that number."""

    rule: Rule
    text: str
    case: int | None = None


def _questions(rules: Iterable[Rule]) -> dict[str, Question]:
    """What is asked of each subject; the severity only where the rule fires, as it may not hold elsewhere."""
    asked: dict[str, Question] = {}
    for rule in rules:
        if rule.when is not None:
            asked[rule.id] = Question(rule, rule.when)
        for number, case in enumerate(rule.severity):
            if case.condition is not None:
                text = (
                    case.condition if rule.when is None else f"({rule.when}\n) ? ({case.condition}\n) : false"
                )
                asked[f"{rule.id}/{number}"] = Question(rule, text, number)
    return asked


class _Judge:
    """The rules of one kind of subject, compiled at the first subject of that kind."""

    def __init__(self, rules: Sequence[Rule], variables: Sequence[str], engine: str | None) -> None:
        self.rules = rules
        self.questions = _questions(rules)
        self._predicates = None
        if self.questions:
            from dralint.cel.predicates import Predicates

            texts = {name: question.text for name, question in self.questions.items()}
            self._predicates = Predicates(variables, texts, engine)
        self._checks = {rule.id: rule.check for rule in rules if rule.check}
        self._loaded: dict[str, Callable[[Subject, Run], Iterable[Hit]]] = {}

    def answers(self, subject: Subject) -> Answers:
        return self._predicates.evaluate(subject.facts) if self._predicates else {}

    def check(self, rule: Rule) -> Callable[[Subject, Run], Iterable[Hit]]:
        """The function of a rule's module in dralint.lint.checks."""
        if rule.id not in self._loaded:
            self._loaded[rule.id] = import_module(f"dralint.lint.checks.{rule.check}").check
        return self._loaded[rule.id]


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
        found.sort(key=lambda each: (each.region[:3], each.rule, each.region, each.message))
        return Judged(found, suppressed)

    def _judge(self, subject: Subject) -> None:
        judge = self._judges.get(subject.kind)
        if judge is None:
            judge = _Judge(self._by_kind[subject.kind], list(subject.facts), self._run.engine)
            self._judges[subject.kind] = judge
        answers = judge.answers(subject)
        for rule in judge.rules:
            for hit in self._hits(judge, rule, subject, answers):
                if self._reporter is None:
                    from dralint.lint.reporting import Reporter

                    self._reporter = Reporter(self._run, self._suppressions, self._trouble)
                self._reporter.report(
                    rule, subject, hit, partial(self._severity, judge, rule, subject, answers)
                )

    def _hits(self, judge: _Judge, rule: Rule, subject: Subject, answers: Answers) -> Sequence[Hit]:
        if rule.check is not None:
            try:
                return list(judge.check(rule)(subject, self._run))
            except Exception as error:  # noqa: BLE001  # one bad rule must not cost the others
                self._trouble.crashed(rule, subject, error)
                return ()
        answer = answers[rule.id]
        if not isinstance(answer, bool):
            self._trouble.failed(judge.questions[rule.id], subject, answer, self._run.engine)
            return ()
        return (_FIRED,) if answer else ()

    def _severity(self, judge: _Judge, rule: Rule, subject: Subject, answers: Answers) -> Severity:
        for number, case in enumerate(rule.severity):
            name = f"{rule.id}/{number}"
            answer = answers[name] if case.condition is not None else True
            if not isinstance(answer, bool):
                self._trouble.failed(judge.questions[name], subject, answer, self._run.engine)
            elif answer:
                return case.severity
        return rule.severity[-1].severity
