"""What the readable reports of a conversion say, in the order in which a person reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from dralint.convert.advice.steps import subject
from dralint.convert.class_file import class_text
from dralint.convert.model import ClaimRef, ClassNeed, Conversion, Note, Occurrence, Outcome, Workload
from dralint.errors import DralintError, Place
from dralint.report.diff import diff_of
from dralint.report.escape import escape

# Characters of diffs that a report shows; a browser and a reader have enough of it by then.
_MOST = 400_000
_NOWHERE = "(none)"


class Total(NamedTuple):
    """The requests of one namespace or kind by their outcome, in the order of Outcome."""

    name: str
    counts: tuple[int, ...]

    @property
    def all(self) -> int:
        return sum(self.counts)


class Row(NamedTuple):
    """A request as a line of a table; claim: what takes its place, "" for nothing."""

    place: str
    subject: str
    resource: str
    quantity: str
    outcome: str
    mode: str
    reason: str
    claim: str
    next: str


class Advised(NamedTuple):
    """A workload as a line of a table."""

    advice: str
    subject: str
    place: str
    requests: int
    reasons: tuple[str, ...]


class Remark(NamedTuple):
    """A note as a line of a table."""

    weight: str
    topic: str
    place: str
    message: str


class NeededClass(NamedTuple):
    """A DeviceClass that requests by name stand on; text: as YAML, "" where something serves them already."""

    name: str
    resource: str
    state: str
    reason: str
    text: str


class Diff(NamedTuple):
    """A changed file, before and after."""

    path: str
    text: str


class Page(NamedTuple):
    """All that a report shows; every text is free of control characters.

    left_out  how many changed files have no diff here because the report would be too long
    """

    target: tuple[tuple[str, str], ...]
    outcomes: tuple[str, ...]
    totals: Total
    advice: tuple[tuple[str, int], ...]
    namespaces: list[Total]
    kinds: list[Total]
    workloads: list[Advised]
    rows: list[Row]
    classes: list[NeededClass]
    remarks: list[Remark]
    steps: list[tuple[str, str]]
    assumptions: list[str]
    problems: list[str]
    diffs: list[Diff]
    left_out: int


def _counts(occurrences: Sequence[Occurrence]) -> tuple[int, ...]:
    found = Counter(each.outcome for each in occurrences)
    return tuple(found[outcome] for outcome in Outcome)


def _totals(occurrences: Sequence[Occurrence], name: Callable[[Occurrence], str | None]) -> list[Total]:
    groups: dict[str, list[Occurrence]] = {}
    for each in occurrences:
        groups.setdefault(escape(name(each) or _NOWHERE), []).append(each)
    return [Total(group, _counts(groups[group])) for group in sorted(groups)]


def _claim(claim: ClaimRef) -> str:
    """What a claim holds, and its template: `2 of gpu.nvidia.com from chat-gpu`; or that the pods share it."""
    what = f"{claim.count} of {claim.device_class}"
    if claim.profile:
        what += f" with profile {claim.profile}"
    for name, quantity in claim.capacity:
        what += f" with {name} {quantity}"
    others = "".join(f", {_claim(other)}" for other in claim.others)
    return f"{what} {'in the shared' if claim.shared else 'from'} {claim.template}{others}"


def _row(occurrence: Occurrence) -> Row:
    where = subject(occurrence.object, occurrence.path)
    inside = f", container {occurrence.container}" if occurrence.container else ""
    return Row(
        *map(
            escape,
            (
                str(Place(occurrence.path, occurrence.line, occurrence.column)),
                where + inside,
                occurrence.resource,
                occurrence.quantity or "null",
                occurrence.outcome.value,
                occurrence.mode or "",
                occurrence.reason,
                _claim(occurrence.claim) if occurrence.claim else "",
                occurrence.next,
            ),
        )
    )


def _advised(workload: Workload) -> Advised:
    return Advised(
        workload.advice,
        escape(subject(workload.object, workload.path)),
        escape(str(Place(workload.path, workload.line))),
        len(workload.outcomes),
        tuple(map(escape, workload.reasons)),
    )


def _remark(note: Note) -> Remark:
    place = escape(str(Place(note.path, note.line, note.column)))
    return Remark("edited" if note.edited else note.weight, escape(note.topic), place, escape(note.message))


def _class(need: ClassNeed) -> NeededClass:
    text = class_text(need).rstrip("\n") if need.state != "served" else ""
    return NeededClass(escape(need.name), escape(need.resource), need.state, escape(need.reason), text)


def _diffs(conversion: Conversion) -> Iterator[Diff]:
    room = _MOST
    for result in conversion.files:
        if result.changed and room > 0:
            text = diff_of(result.file.file.name, result)
            room -= len(text)
            if room >= 0:
                lines = (escape(line.removesuffix("\r")) for line in text.splitlines())
                yield Diff(escape(result.file.file.name), "\n".join(lines))


def page(conversion: Conversion, problems: Sequence[DralintError]) -> Page:
    """What a report shows of a conversion.

    problems  what could not be read or written
    """
    found = conversion.occurrences
    advice = Counter(each.advice for each in conversion.workloads)
    diffs = list(_diffs(conversion))
    return Page(
        (
            ("Kubernetes", str(conversion.target.kubernetes)),
            ("DRA driver", conversion.target.dra_driver),
            ("GPU driver", conversion.target.gpu_driver or "not said"),
            ("driver install", conversion.target.stack),
        ),
        tuple(outcome.value for outcome in Outcome),
        Total("all", _counts(found)),
        tuple((word, advice[word]) for word in ("move", "wait", "stay")),
        _totals(found, lambda each: each.object.namespace if each.object else None),
        _totals(found, lambda each: each.object.kind if each.object else None),
        [_advised(each) for each in conversion.workloads],
        [_row(each) for each in found],
        [_class(each) for each in conversion.classes],
        [_remark(each) for each in conversion.notes],
        [(escape(step.title), escape(step.text)) for step in conversion.steps],
        [escape(each) for each in conversion.assumptions],
        [escape(str(each)) for each in problems],
        diffs,
        sum(result.changed for result in conversion.files) - len(diffs),
    )
