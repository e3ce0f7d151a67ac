"""Suppressions: which findings a comment or an annotation silences, and which of them silence nothing."""

from __future__ import annotations

import dataclasses
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from dralint.kube.objects import KubeObject, ParsedFile
from dralint.lint.finding import Finding, Region
from dralint.lint.rule import OWN, UNUSED_SUPPRESSION, AnyRule, Rule
from dralint.lint.select import MIGRATION
from dralint.lint.views import ancestors
from dralint.yamltext.view import Path

EVERY = "*"
# So many lines further away a finding above a comment counts as.
_ABOVE = 5
_HELP = "Remove it, or put it on the line of the finding or above it"
_MISWRITTEN = "Name rules by id or name, as `dralint rules` lists them"


class Within(NamedTuple):
    """Everything of a document at or below a path."""

    document: int
    path: Path


@dataclass(eq=False)
class Suppression:
    """What one comment or annotation says.

    rules      ids and names as written; EVERY for all rules of dralint and of the team
    wrong      why it can silence nothing, None where it is well written
    document   the one it stands in
    lines      the lines whose findings it is for
    within     the parts of documents whose findings it is for
    whole      it is for the whole file
    object     the object it stands in, None for a comment that belongs to none
    field      of an annotation
    used       the ids of the rules that it has silenced
    """

    file: ParsedFile
    start: int
    end: int
    rules: tuple[str, ...]
    wrong: str | None = None
    document: int = 0
    lines: range = range(0)
    within: tuple[Within, ...] = ()
    whole: bool = False
    object: KubeObject | None = None
    field: str | None = None
    used: set[str] = dataclasses.field(default_factory=set)

    @property
    def region(self) -> Region:
        text = self.file.text
        return Region(self.file.file.name, *text.position(self.start), *text.position(self.end))


class _ByLine:
    """Suppressions of one file, found by a line that they are for."""

    def __init__(self, found: Iterable[Suppression]) -> None:
        self._found = sorted(found, key=lambda each: each.lines.start)
        self._starts = [each.lines.start for each in self._found]
        self._furthest = [*accumulate((each.lines.stop for each in self._found), max)]

    def at(self, line: int) -> Iterator[Suppression]:
        index = bisect_right(self._starts, line)
        while index and self._furthest[index - 1] > line:
            index -= 1
            if line in self._found[index].lines:
                yield self._found[index]


class _Left:
    """The findings that were not silenced, by rule and file."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._lines: dict[tuple[str, str], list[int]] = {}
        for finding in findings:
            self._lines.setdefault((finding.rule, finding.region.path), []).append(finding.region.line)
        for lines in self._lines.values():
            lines.sort()

    def nearest(self, each: Suppression, rule: str) -> str:
        """Where the finding is that a suppression was most likely meant for."""
        line = each.region.line
        lines = self._lines.get((rule, each.file.file.name), [])
        if not lines:
            return ""
        index = bisect_left(lines, line)
        # A comment is for what stands below it: a finding above is nearer only where there is none just below.
        beside = lines[max(index - 1, 0) : index + 1]
        near = min(beside, key=lambda other: other - line if other >= line else line - other + _ABOVE)
        return f"; the nearest is on line {near}"


class Suppressions:
    """Those of all files of a run.

    known  all rules there are; a suppression may name one that does not run
    ran    the rules that run
    """

    def __init__(
        self,
        found: Mapping[ParsedFile, Sequence[Suppression]],
        known: Sequence[AnyRule],
        ran: Sequence[AnyRule],
    ) -> None:
        self._found = [each for of_file in found.values() for each in of_file]
        self._whole: dict[int, list[Suppression]] = {}
        self._within: dict[tuple[int, Within], list[Suppression]] = {}
        for each in self._found:
            if each.whole:
                self._whole.setdefault(id(each.file), []).append(each)
            for within in each.within:
                self._within.setdefault((id(each.file), within), []).append(each)
        self._by_line = {
            id(file): _ByLine(each for each in of_file if each.lines) for file, of_file in found.items()
        }
        self._names = [name for rule in known for name in (rule.id, rule.name)]
        self._ids = {name.lower(): rule.id for rule in known for name in (rule.id, rule.name)}
        self._ran = {rule.id for rule in ran}
        usual = {rule.id for rule in known if rule.layer != MIGRATION}
        self._all_ran = self._ran >= usual

    def _rule(self, word: str) -> str | None:
        return self._ids.get(word.lower())

    def _near(self, line: int, obj: KubeObject, path: Path) -> Iterator[Suppression]:
        """Those that are for what stands at a place of the object's file."""
        file = id(obj.file)
        yield from self._whole.get(file, ())
        if file in self._by_line:
            yield from self._by_line[file].at(line)
        for above in ancestors(path):
            yield from self._within.get((file, Within(obj.document, above)), ())

    def silence(self, rule: Rule, line: int, obj: KubeObject, path: Path) -> bool:
        """Whether a finding at that place is silenced; remembers by what."""
        silenced = False
        for each in self._near(line, obj, path):
            if each.wrong is None:
                for word in each.rules:
                    if word == EVERY or self._rule(word) == rule.id:
                        each.used.add(rule.id)
                        silenced = True
        return silenced

    def _unused(self, each: Suppression, left: _Left) -> Iterator[tuple[str, str]]:
        """What is wrong with a suppression, word by word, and what helps."""
        if each.wrong is not None:
            yield each.wrong, _MISWRITTEN
            return
        for word in each.rules:
            rule = self._rule(word)
            if word == EVERY:
                if self._all_ran and not each.used:
                    yield "this suppression silences nothing", _HELP
            elif rule is None:
                yield self._unknown(word), _MISWRITTEN if not self._is_own(word) else _HELP
            elif rule in self._ran and rule not in each.used:
                message = f"this suppression silences no finding of {word}{left.nearest(each, rule)}"
                yield message, _HELP

    def _is_own(self, word: str) -> bool:
        return any(word.lower() in (own.id.lower(), own.name) for own in OWN)

    def _unknown(self, word: str) -> str:
        if self._is_own(word):
            return f"{word} cannot be suppressed here; --ignore leaves it out"
        from dralint.nvidia.nearest import did_you_mean

        nearest = did_you_mean(word, self._names)
        return f"there is no rule {word!r} to suppress{f'; {nearest}' if nearest else ''}"

    def findings(self, others: Sequence[Finding]) -> Iterator[Finding]:
        """One for every suppression, or rule of it, that silences nothing although the rule ran.

        others: the findings that were not silenced
        """
        own, left = UNUSED_SUPPRESSION, _Left(others)
        for each in self._found:
            for message, help_text in self._unused(each, left):
                yield Finding(
                    rule=own.id,
                    name=own.name,
                    layer=own.layer,
                    severity=own.severity[0].severity,
                    message=message,
                    region=each.region,
                    object=each.object.ref if each.object else None,
                    field=each.field,
                    source=each.object.origin if each.object else None,
                    help=help_text,
                )
