"""Which devices selectors let through, and how many survive each of their clauses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from dralint.cel.dialect import Clause, EvaluationError, Program, Settings
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


class _Selector:
    """A program with its clauses and the words in each, which tell what it reads."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.clauses = program.clauses
        self.words = [frozenset(_WORD.findall(clause.text)) for clause in program.clauses]
        self.all_words = frozenset().union(*self.words)

    def answer(self, device: Device, value: Mapping[str, object], before: int) -> Answer:
        """What this selector says of a device as it looks in one form.

        before: the number of clauses of the selectors that let it through already
        """
        if not self.all_words.isdisjoint(device.unknown):
            return self._with_unknown(device, value, before)
        result = self.program.evaluate(value)
        if result is True:
            return Answer("yes", None, before + len(self.clauses))
        passed = before
        for clause in self.clauses:
            if clause.evaluate(value) is not True:
                break
            passed += 1
        if isinstance(result, EvaluationError):
            return Answer("error", result.message, passed, result)
        return Answer("no", None, passed)

    def _with_unknown(self, device: Device, value: Mapping[str, object], before: int) -> Answer:
        """A clause that reads what nobody knows of the device may hold or not."""
        reads: list[str] = []
        error: EvaluationError | None = None
        passed = before
        through = True
        for clause, words in zip(self.clauses, self.words, strict=True):
            unknown = words & device.unknown
            result = None if unknown else clause.evaluate(value)
            if result is False:
                return Answer("no", None, passed)
            if isinstance(result, EvaluationError):
                error, through = error or result, False
            reads.extend(sorted(unknown))
            passed += through
        if error is not None:
            return Answer("error", error.message, passed, error)
        return Answer("maybe", f"nobody knows its {' and '.join(dict.fromkeys(reads))} beforehand", passed)


def _row_answer(selectors: Sequence[_Selector], device: Device, row: Row) -> Answer:
    if isinstance(row.value, str):
        return Answer("error", row.value, 0)
    passed = 0
    maybe: Answer | None = None
    for selector in selectors:
        answer = selector.answer(device, row.value, passed)
        if answer.state in ("no", "error"):
            return answer
        if answer.state == "maybe":
            maybe = maybe or answer
        passed = answer.clauses
    return maybe._replace(clauses=passed) if maybe else Answer("yes", device.doubt, passed)


def _of_forms(answers: Sequence[tuple[str | None, Answer]], device: Device) -> Answer:
    """One answer from those for each form: certain only where all forms agree."""
    likeliest = answers[0][1]
    states = {answer.state for _, answer in answers}
    clauses = max(answer.clauses for _, answer in answers)
    if len(states) > 1 and not states.isdisjoint(("yes", "maybe")):
        fits = [when for when, answer in answers if answer.state in ("yes", "maybe") and when]
        misfits = [when for when, answer in answers if answer.state not in ("yes", "maybe") and when]
        if likeliest.state in ("yes", "maybe"):
            return Answer("maybe", f"not with {' or '.join(misfits)}", clauses)
        return Answer("maybe", f"only with {' or '.join(fits)}", clauses)
    if likeliest.state == "yes" and device.doubt:
        return likeliest._replace(state="maybe", clauses=clauses)
    return likeliest._replace(clauses=clauses)


def judge(programs: Sequence[Program], inventory: Inventory) -> Judgement:
    """Selectors on every device of an inventory; all must hold, and one that is false protects those after it."""
    selectors = [_Selector(program) for program in programs]
    answers: list[Answer] = []
    forms: list[tuple[str | None, Answer]] = []
    rows = inventory.rows
    for index, row in enumerate(rows):
        device = inventory.devices[row.device]
        forms.append((row.when, _row_answer(selectors, device, row)))
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
