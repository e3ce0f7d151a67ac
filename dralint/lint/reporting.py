"""Hits to findings: where they point, what they say, how they are mended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dralint.errors import InternalError
from dralint.kube.objects import KubeObject
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
    from dralint.yamltext.operations import Operation


class Reporter:
    """The findings of one run and what is suppressed, each by what makes it one of its own."""

    def __init__(self, run: Run, suppressions: Suppressions | None, trouble: Trouble) -> None:
        self.findings: dict[tuple[object, ...], Finding] = {}
        self.suppressed: set[tuple[object, ...]] = set()
        self._run = run
        self._suppressions = suppressions
        self._trouble = trouble
        self._named = {id(file) for file in run.files}
        self._room = run.room
        self._fixed: set[tuple[int, int, Path]] = set()

    def report(self, rule: Rule, subject: Subject, hit: Hit, severity: Callable[[], Severity]) -> None:
        """Every finding of a rule passes here once; `severity` is asked where the hit has none."""
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
            if key in self.findings:
                return
            # No comment can stand inside of a block scalar, where a clause of a selector is.
            lines = [place.line] if inside is None else [place.line, region(obj, path).line]
            if self._suppressions and any(
                self._suppressions.silence(rule, line, obj, path) for line in dict.fromkeys(lines)
            ):
                self.suppressed.add(key)
                return
            self.findings[key] = Finding(
                rule=rule.id,
                name=rule.name,
                layer=rule.layer,
                severity=hit.severity or severity(),
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

    def _make_room(self, obj: KubeObject, operations: Sequence[Operation]) -> None:
        """Takes what the fix of an object costs; where fixes are made, the first of each object is free."""
        from dralint.lint.fixes import stands_alone

        if not operations:
            return
        document = obj.file.documents[obj.document]
        alone = self._run.fixing and stands_alone(obj)
        key = (id(obj.file), obj.document, obj.path if alone else ())
        if not self._run.fixing or key in self._fixed:
            piece = obj.node if alone else document
            self._room[0] -= piece.end - piece.start
        self._fixed.add(key)

    def _fix(self, rule: Rule, subject: Subject, hit: Hit) -> Fix | None:
        from dralint.lint.fixes import operation, text_edits

        obj = subject.object
        if self._room[0] <= 0:
            return None
        operations = list(hit.operations)
        for data in rule.fix.operations if rule.fix else ():
            at = next(data[key] for key in ("rename", "remove", "replace", "put") if key in data)
            values: dict[str, Any] = {
                key: filled(value, hit.values, subject.facts) if isinstance(value, str) else value
                for key, value in data.items()
            }
            operations.append(operation(values, obj.document, self._place(subject, at)[1]))
        self._make_room(obj, operations)
        try:
            edits, loses_comment = text_edits(obj, operations, alone=self._run.fixing)
        except InternalError as error:
            self._trouble.crashed(rule, subject, error)
            return None
        by_rule = rule.fix.applicability if rule.fix else "safe"
        unsafe = loses_comment or "unsafe" in (hit.applicability, by_rule)
        operations = [each._replace(document=obj.document) for each in operations]
        return Fix("unsafe" if unsafe else "safe", edits, tuple(operations)) if edits else None
