"""Which devices selectors let through, and how many survive each of their clauses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from dralint.cel.dialect import (
    MAX_STEPS,
    MAX_STEPS_OF_ALL,
    Clause,
    EvaluationError,
    Program,
    Settings,
)
from dralint.inventory.device import Device, Inventory, Row
from dralint.nvidia.target import Target

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

State = Literal["yes", "no", "maybe", "error"]


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
    clauses    of all selectors, in their order
    surviving  how many devices each clause, after those before it, lets through
    """

    answers: list[Answer]
    clauses: list[Clause]
    surviving: list[int]

    @property
    def matching(self) -> int:
        """How many devices match for certain."""
        return sum(answer.state == "yes" for answer in self.answers)

    @property
    def possible(self) -> int:
        """How many devices may match."""
        return sum(answer.state == "maybe" for answer in self.answers)


def selector_settings(target: Target) -> Settings:
    """The CEL that the target's API server takes in new objects."""
    return Settings(
        target.kubernetes.minor,
        consumable_capacity=bool(target.kubernetes_gate("DRAConsumableCapacity")),
        list_type_attributes=bool(target.kubernetes_gate("DRAListTypeAttributes")),
    )


class _Meter:
    """Bounds the steps of all evaluations together, as of each one."""

    def __init__(self) -> None:
        self.left = MAX_STEPS_OF_ALL

    def evaluate(self, what: Program | Clause, value: Mapping[str, object]) -> bool | EvaluationError:
        if self.left < 0:
            return EvaluationError("the devices before took too many steps", 0, judged=False)
        budget = [MAX_STEPS]
        answer = what.evaluate(value, budget)
        self.left -= MAX_STEPS - budget[0]
        return answer


class _Selector(NamedTuple):
    """A program with its clauses and the words in each, which tell what it reads."""

    program: Program
    clauses: tuple[Clause, ...]
    words: tuple[frozenset[str], ...]
    all_words: frozenset[str]


def _selector(program: Program) -> _Selector:
    words = tuple(frozenset(_WORD.findall(clause.text)) for clause in program.clauses)
    return _Selector(program, program.clauses, words, frozenset().union(*words))


def _unknown(selector: _Selector, device: Device) -> frozenset[str]:
    """What a selector reads of a device and nobody knows."""
    if not device.unknown:
        return frozenset()
    text = selector.program.expression
    return frozenset(
        name
        for name in selector.all_words & device.unknown.keys()
        if all(part in text for part in device.unknown[name])
    )


def _answer(selector: _Selector, value: Mapping[str, object], before: int, meter: _Meter) -> Answer:
    """What a selector says of a device as it looks in one form.

    before: the number of clauses of the selectors that let it through already
    """
    result = meter.evaluate(selector.program, value)
    if result is True:
        return Answer("yes", None, before + len(selector.clauses))
    passed = before
    for clause in selector.clauses:
        if meter.evaluate(clause, value) is not True:
            break
        passed += 1
    if isinstance(result, EvaluationError):
        return Answer("error", result.message, passed, result)
    return Answer("no", None, passed)


def _answer_with_unknown(
    selector: _Selector, unknown: frozenset[str], value: Mapping[str, object], before: int, meter: _Meter
) -> Answer:
    """The same, where a clause that reads what nobody knows of the device may hold or not."""
    reads: list[str] = []
    error: EvaluationError | None = None
    passed = before
    for clause, words in zip(selector.clauses, selector.words, strict=True):
        result = None if words & unknown else meter.evaluate(clause, value)
        if result is False:
            return Answer("no", None, passed)
        if isinstance(result, EvaluationError):
            error = error or result
        reads.extend(sorted(words & unknown))
        passed += error is None
    if error is not None:
        return Answer("error", error.message, passed, error)
    return Answer("maybe", f"nobody knows its {' and '.join(dict.fromkeys(reads))} beforehand", passed)


def _row_answer(selectors: Sequence[_Selector], device: Device, row: Row, meter: _Meter) -> Answer:
    if isinstance(row.value, str):
        return Answer("error", row.value, 0)
    passed = 0
    maybe: Answer | None = None
    for selector in selectors:
        unknown = _unknown(selector, device)
        if unknown:
            answer = _answer_with_unknown(selector, unknown, row.value, passed, meter)
        else:
            answer = _answer(selector, row.value, passed, meter)
        if answer.state in ("no", "error"):
            return answer
        if answer.state == "maybe":
            maybe = maybe or answer
        passed = answer.clauses
    return maybe._replace(clauses=passed) if maybe else Answer("yes", device.doubt, passed)


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
        return Answer("maybe", _depends(forms), clauses)
    if likeliest.state == "yes" and device.doubt:
        return likeliest._replace(state="maybe", clauses=clauses)
    return likeliest._replace(clauses=clauses)


def judge(programs: Sequence[Program], inventory: Inventory) -> Judgement:
    """Selectors on every device of an inventory; all must hold, and one that is false protects those after it."""
    selectors = [_selector(program) for program in programs]
    meter = _Meter()
    answers: list[Answer] = []
    forms: list[tuple[Row, Answer]] = []
    rows = inventory.rows
    for index, row in enumerate(rows):
        device = inventory.devices[row.device]
        forms.append((row, _row_answer(selectors, device, row, meter)))
        if index + 1 == len(rows) or rows[index + 1].device != row.device:
            answers.append(_of_forms(forms, device))
            forms = []
    clauses = [clause for selector in selectors for clause in selector.clauses]
    # A device that stopped at a clause got through all before it.
    stopped = [0] * (len(clauses) + 1)
    for answer in answers:
        stopped[answer.clauses] += 1
    left, surviving = len(answers), []
    for number in stopped[: len(clauses)]:
        left -= number
        surviving.append(left)
    return Judgement(answers, clauses, surviving)
