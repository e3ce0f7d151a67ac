"""Subjects to findings: the rules of each kind of subject that occurs, judged subject by subject."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from dralint.cel.predicates import PredicateError, Predicates
from dralint.errors import InternalError
from dralint.kube.objects import KubeObject
from dralint.lint.engine import Judged
from dralint.lint.finding import Finding, Fix, Related, Severity
from dralint.lint.message import filled
from dralint.lint.places import field, marked, parse_field, region
from dralint.lint.rule import Rule
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.trouble import Trouble
from dralint.yamltext.view import Path

if TYPE_CHECKING:
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
        texts = {name: question.text for name, question in self.questions.items()}
        self._predicates = Predicates(variables, texts, engine) if texts else None
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
        self._suppressed: set[tuple[object, ...]] = set()
        self._by_kind: dict[str, list[Rule]] = defaultdict(list)
        for rule in rules:
            for kind in rule.subjects:
                self._by_kind[kind].append(rule)
        self._judges: dict[str, _Judge] = {}
        self._named = {id(file) for file in run.files}
        self._trouble = Trouble()
        self._findings: dict[tuple[object, ...], Finding] = {}

    def judged(self) -> Judged:
        from dralint.lint.facts import subjects

        for subject in subjects(self._run, frozenset(self._by_kind)):
            self._judge(subject)
        found = [*self._findings.values(), *self._trouble.findings()]
        if self._suppressions is not None:
            found += self._suppressions.findings(found)
        found.sort(key=lambda each: (each.region[:3], each.rule, each.region, each.message))
        return Judged(found, len(self._suppressed))

    def _judge(self, subject: Subject) -> None:
        judge = self._judges.get(subject.kind)
        if judge is None:
            judge = _Judge(self._by_kind[subject.kind], list(subject.facts), self._run.engine)
            self._judges[subject.kind] = judge
        answers = judge.answers(subject)
        for rule in judge.rules:
            for hit in self._hits(judge, rule, subject, answers):
                self._report(judge, rule, subject, hit, answers)

    def _hits(self, judge: _Judge, rule: Rule, subject: Subject, answers: Answers) -> Sequence[Hit]:
        if rule.check is not None:
            try:
                return list(judge.check(rule)(subject, self._run))
            except Exception as error:  # noqa: BLE001  # one bad rule must not cost the others
                self._trouble.crashed(rule, subject, error)
                return ()
        answer = answers[rule.id]
        if isinstance(answer, PredicateError):
            self._trouble.failed(judge.questions[rule.id], subject, answer, self._run.engine)
            return ()
        return (_FIRED,) if answer else ()

    def _severity(self, judge: _Judge, rule: Rule, subject: Subject, answers: Answers) -> Severity:
        for number, case in enumerate(rule.severity):
            name = f"{rule.id}/{number}"
            answer = answers[name] if case.condition is not None else True
            if isinstance(answer, PredicateError):
                self._trouble.failed(judge.questions[name], subject, answer, self._run.engine)
            elif answer:
                return case.severity
        return rule.severity[-1].severity

    def _report(self, judge: _Judge, rule: Rule, subject: Subject, hit: Hit, answers: Answers) -> None:
        """Every finding of a rule passes here once."""
        try:
            obj, path = self._place(subject, hit.at if hit.at != "" else rule.at)
            inside = hit.span
            if id(obj.file) not in self._named:
                obj, path, inside = subject.object, subject.path, None
            if inside is None and path == subject.path:
                inside = subject.span
            place = region(obj, path) if inside is None else marked(obj, *inside)
            message = filled(rule.message, hit.values, subject.facts)
            key = (rule.id, place, message, obj.origin)
            if key in self._findings:
                return
            if self._suppressions and self._suppressions.silence(rule, place.line, obj, path):
                self._suppressed.add(key)
                return
            self._findings[key] = Finding(
                rule=rule.id,
                name=rule.name,
                layer=rule.layer,
                severity=hit.severity or self._severity(judge, rule, subject, answers),
                message=message,
                region=place,
                object=obj.ref,
                field=field(obj, path),
                related=tuple(self._related(rule, subject, hit)),
                source=obj.origin,
                help=filled(rule.hint or (rule.fix.title if rule.fix else ""), hit.values, subject.facts),
                fix=self._fix(rule, subject, hit)
                if self._run.fixes and obj.file is subject.object.file
                else None,
            )
        except Exception as error:  # noqa: BLE001  # a rule's `at` or fix that does not fit
            self._trouble.crashed(rule, subject, error)

    @staticmethod
    def _place(subject: Subject, at: str | Path) -> tuple[KubeObject, Path]:
        """The object and the path that an `at` names. Raises KeyError for an anchor that is not there."""
        if not isinstance(at, str):
            return subject.object, at
        if not at.startswith("@"):
            return subject.object, (*subject.path, *parse_field(at))
        anchor, dot, rest = at[1:].partition(".")
        obj, path = subject.anchors[anchor]
        return obj, (*path, *parse_field(rest)) if dot else path

    def _related(self, rule: Rule, subject: Subject, hit: Hit) -> Iterable[Related]:
        for spec in rule.related:
            if not spec.at.startswith("@") or spec.at[1:].partition(".")[0] in subject.anchors:
                place = self._place(subject, spec.at)
                yield Related(region(*place), filled(spec.message, hit.values, subject.facts))
        for obj, path, message in hit.related:
            yield Related(region(obj, path), message)

    def _fix(self, rule: Rule, subject: Subject, hit: Hit) -> Fix | None:
        from dralint.lint.fixes import operation, text_edits

        obj = subject.object
        operations = list(hit.operations)
        for data in rule.fix.operations if rule.fix else ():
            at = next(data[key] for key in ("rename", "remove", "replace", "put") if key in data)
            values: dict[str, Any] = {
                key: filled(value, hit.values, subject.facts) if isinstance(value, str) else value
                for key, value in data.items()
            }
            operations.append(operation(values, obj.document, self._place(subject, at)[1]))
        try:
            edits, loses_comment = text_edits(obj, operations)
        except InternalError as error:
            self._trouble.crashed(rule, subject, error)
            return None
        by_rule = rule.fix.applicability if rule.fix else "safe"
        unsafe = loses_comment or "unsafe" in (hit.applicability, by_rule)
        operations = [each._replace(document=obj.document) for each in operations]
        return Fix("unsafe" if unsafe else "safe", edits, tuple(operations)) if edits else None
