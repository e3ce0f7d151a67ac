"""Which devices selectors let through, and how many survive each of their clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from dralint.cel.device.answers import EvaluationError
from dralint.inventory.bounds import MEMORY, NOT_SEEN, within
from dralint.inventory.device import Device, Inventory, Row

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

State = Literal["yes", "no", "maybe", "error"]
Result = bool | EvaluationError


class Clause(Protocol):
    """A part of a selector between `&&`, of whatever engine."""

    text: str

    def evaluate_all(self, devices: Iterable[Mapping[str, Any]]) -> list[Result]:
        """The answer for each device; all together are bounded."""


class Program(Protocol):
    """A selector that compiles; `cost`: None where the engine estimates none."""

    @property
    def expression(self) -> str:
        """Its text."""

    @property
    def clauses(self) -> Sequence[Clause]:
        """What stands between the outermost `&&`."""

    @property
    def cost(self) -> int | None:
        """What Kubernetes estimates."""

    def evaluate_all(self, devices: Iterable[Mapping[str, Any]]) -> list[Result]:
        """The answer for each device; all together are bounded."""


class Answer(NamedTuple):
    """What selectors say of a device.

    state    maybe: it depends on what nobody knows of a predicted device
    reason   of maybe and error: what it depends on, or what went wrong
    clauses  how many clauses, counted through all selectors, let it through before one did not
    error    of the state error, where an evaluation failed
    """

    state: State
    reason: str | None
    clauses: int
    error: EvaluationError | None = None


class Judgement(NamedTuple):
    """Selectors that must all hold, judged on an inventory.

    answers    one for each device
    clauses    the texts of the clauses of all selectors, in their order
    surviving  how many devices each clause, after those before it, lets through
    """

    answers: list[Answer]
    clauses: list[str]
    surviving: list[int]

    @property
    def matching(self) -> int:
        """How many devices match for certain."""
        return sum(answer.state == "yes" for answer in self.answers)

    @property
    def possible(self) -> int:
        """How many devices may match."""
        return sum(answer.state == "maybe" for answer in self.answers)


class _Selector:
    """A program with its clauses and the words in each, which tell what it reads."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.clauses = program.clauses
        self.words = [frozenset(_WORD.findall(clause.text)) for clause in self.clauses]
        self.all_words = frozenset().union(*self.words)

    def unknown(self, device: Device, row: Row) -> frozenset[str]:
        """What it reads of a device and nobody knows."""
        text = self.program.expression
        found = [
            name
            for name in self.all_words & device.unknown.keys()
            if all(part in text for part in device.unknown[name])
        ]
        if device.forms and any(within(clause.text, text, device, row) for clause in self.clauses):
            found.append(MEMORY)
        return frozenset(found)


class _Standing:
    """How the rows of an inventory stand while selector after selector is asked.

    rows     all of them
    values   by row: what selectors see
    left     the rows that all selectors so far let through
    reasons  by row that may have to go: what nobody knows of it
    answers  by row that is out
    before   the number of clauses of the selectors so far
    """

    def __init__(self, inventory: Inventory) -> None:
        self.rows = inventory.rows
        self.devices = [inventory.devices[row.device] for row in inventory.rows]
        self.values: dict[int, Mapping[str, Any]] = {}
        self.reasons: dict[int, str] = {}
        self.answers: dict[int, Answer] = {}
        self.before = 0
        for index, row in enumerate(inventory.rows):
            if isinstance(row.value, str):
                self.answers[index] = Answer("error", row.value, 0)
            else:
                self.values[index] = row.value
        self.left = list(self.values)

    def evaluate(self, what: Program | Clause, rows: Sequence[int]) -> dict[int, Result]:
        results = what.evaluate_all(self.values[index] for index in rows)
        return dict(zip(rows, results, strict=True))

    def ask(self, selector: _Selector) -> None:
        """Take out the rows that a selector does not let through."""
        results = self.evaluate(selector.program, self.left)
        failing: dict[int, Result] = {}
        unknown: dict[int, frozenset[str]] = {}
        for index, result in results.items():
            if isinstance(result, EvaluationError) and not result.judged:
                self.answers[index] = Answer("error", result.message, self.before, result)
            elif found := selector.unknown(self.devices[index], self.rows[index]):
                unknown[index] = found
            elif result is not True:
                failing[index] = result
        self._stop(selector, failing)
        self._open(selector, unknown)
        self.left = [index for index in self.left if index not in self.answers]
        self.before += len(selector.clauses)

    def _stop(self, selector: _Selector, failing: Mapping[int, Result]) -> None:
        """Rows that are out, each with the number of clauses that let it through."""
        left = list(failing)
        passed = dict.fromkeys(left, self.before)
        for clause in selector.clauses:
            results = self.evaluate(clause, left)
            left = [index for index in left if results[index] is True]
            for index in left:
                passed[index] += 1
        for index, result in failing.items():
            if isinstance(result, EvaluationError):
                self.answers[index] = Answer("error", result.message, passed[index], result)
            else:
                self.answers[index] = Answer("no", None, passed[index])

    def _open(self, selector: _Selector, unknown: Mapping[int, frozenset[str]]) -> None:
        """Rows of which something is not known: a clause that reads it may hold or not, the others decide."""
        reads: dict[int, dict[str, None]] = {index: {} for index in unknown}
        errors: dict[int, EvaluationError] = {}
        passed = dict.fromkeys(unknown, self.before)
        for clause, words in zip(selector.clauses, selector.words, strict=True):
            rows = [index for index in unknown if index not in self.answers]
            here = {
                index: self._unknown_in(selector, clause.text, words & unknown[index], index)
                for index in rows
            }
            known = [index for index in rows if not here[index]]
            results = self.evaluate(clause, known)
            for index in rows:
                result = results.get(index)
                if result is False:
                    self.answers[index] = Answer("no", None, passed[index])
                elif isinstance(result, EvaluationError):
                    errors.setdefault(index, result)
                reads[index].update(dict.fromkeys(sorted(here[index])))
                passed[index] += index not in errors
        for index, names in reads.items():
            if index in errors and index not in self.answers:
                self.answers[index] = Answer("error", errors[index].message, passed[index], errors[index])
            elif names:
                self.reasons.setdefault(index, self._reason(names, index))

    def _unknown_in(
        self, selector: _Selector, clause: str, names: frozenset[str], index: int
    ) -> frozenset[str]:
        device = self.devices[index]
        if (
            MEMORY in names
            and MEMORY not in device.unknown
            and not within(clause, selector.program.expression, device, self.rows[index])
        ):
            return names - {MEMORY}
        return names

    def _reason(self, names: Iterable[str], index: int) -> str:
        unknown = [name for name in names if name in self.devices[index].unknown]
        return f"nobody knows its {' and '.join(unknown)} beforehand" if unknown else NOT_SEEN

    def answer(self, index: int) -> Answer:
        """What all selectors together say of a row."""
        if index in self.answers:
            return self.answers[index]
        if index in self.reasons:
            return Answer("maybe", self.reasons[index], self.before)
        return Answer("yes", self.devices[index].doubt, self.before)


def _depends(forms: Sequence[tuple[Row, Answer]]) -> str:
    """What a device must be like to match, where its forms do not agree."""
    fits = forms[0][1].state in ("yes", "maybe")
    others = [row for row, answer in forms if row.when and (answer.state in ("yes", "maybe")) != fits]
    seen = [row.when for row in others if row.seen and row.when]
    if not seen:
        return str(others[0].when)
    return f"{'not' if fits else 'only'} with {' or '.join(seen)}"


def _of_forms(forms: Sequence[tuple[Row, Answer]], device: Device) -> Answer:
    """One answer from those for each form: certain only where all forms agree."""
    likeliest = forms[0][1]
    clauses = max(answer.clauses for _, answer in forms)
    if len({answer.state in ("yes", "maybe") for _, answer in forms}) > 1:
        reason = likeliest.reason if likeliest.state == "maybe" else _depends(forms)
        return Answer("maybe", reason, clauses)
    if likeliest.state == "yes" and device.doubt:
        return likeliest._replace(state="maybe", clauses=clauses)
    return likeliest._replace(clauses=clauses)


def _surviving(answers: Sequence[Answer], clauses: int) -> list[int]:
    # A device that stopped at a clause got through all before it.
    stopped = [0] * (clauses + 1)
    for answer in answers:
        stopped[answer.clauses] += 1
    left, surviving = len(answers), []
    for number in stopped[:clauses]:
        left -= number
        surviving.append(left)
    return surviving


def judge(programs: Sequence[Program], inventory: Inventory) -> Judgement:
    """Selectors on every device of an inventory; all must hold, and one that is false protects those after it."""
    selectors = [_Selector(program) for program in programs]
    standing = _Standing(inventory)
    for selector in selectors:
        standing.ask(selector)
    forms: dict[int, list[tuple[Row, Answer]]] = {}
    for index, row in enumerate(inventory.rows):
        forms.setdefault(row.device, []).append((row, standing.answer(index)))
    answers = [_of_forms(forms[index], device) for index, device in enumerate(inventory.devices)]
    clauses = [clause.text for selector in selectors for clause in selector.clauses]
    return Judgement(answers, clauses, _surviving(answers, len(clauses)))
