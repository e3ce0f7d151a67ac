"""Selectors on devices, clause by clause: which devices each clause would let through if it stood alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

from dralint.cel.device.answers import EvaluationError
from dralint.inventory.device import Device, Inventory, Row
from dralint.inventory.judge import Clause, Program

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

# None: it depends on what nobody knows of a predicted device.
Answer = bool | EvaluationError | None
State = Literal["yes", "no", "error"]


class Rows(NamedTuple):
    """Some of the looks at the devices of an inventory; indexes: into its rows."""

    inventory: Inventory
    indexes: list[int]

    @classmethod
    def of(cls, inventory: Inventory) -> Rows:
        """All that can be looked at."""
        return cls(
            inventory, [index for index, row in enumerate(inventory.rows) if not isinstance(row.value, str)]
        )

    def row(self, index: int) -> Row:
        """A look, by its index in the inventory."""
        return self.inventory.rows[index]

    def device(self, index: int) -> Device:
        """The device that is looked at."""
        return self.inventory.devices[self.inventory.rows[index].device]

    @property
    def devices(self) -> list[Device]:
        """The devices, each once."""
        return [
            self.inventory.devices[each] for each in dict.fromkeys(self.row(i).device for i in self.indexes)
        ]


class Part(NamedTuple):
    """A clause of a selector.

    selector  which of the selectors; number: which of its clauses
    answers   by index of the row
    """

    selector: int
    number: int
    text: str
    offset: int
    answers: Mapping[int, Answer]


class Outcome:
    """What selectors that must all hold make of rows."""

    def __init__(self, rows: Rows, parts: Sequence[Part], programs: Sequence[Program]) -> None:
        self.rows = rows
        self.parts = parts
        self._programs = programs

    @cached_property
    def states(self) -> dict[int, State]:
        """By row; yes: it matches, or may match. One false selector keeps those after it from being asked."""
        return {index: self._state(index) for index in self.rows.indexes}

    def _state(self, index: int) -> State:
        for selector in range(len(self._programs)):
            answers = [part.answers[index] for part in self.parts if part.selector == selector]
            if False in answers:
                return "no"
            if any(isinstance(answer, EvaluationError) for answer in answers):
                return "error"
        return "yes"

    @cached_property
    def nothing(self) -> bool:
        """Whether no device matches or may match."""
        return "yes" not in self.states.values()

    def let_through(self) -> Rows:
        """The rows that match or may match."""
        return Rows(self.rows.inventory, [index for index, state in self.states.items() if state == "yes"])

    def passing(self, but: Part | None = None) -> list[int]:
        """The rows that every clause lets through, or may, with one clause left out."""
        return [
            index
            for index in self.rows.indexes
            if all(_passes(part.answers[index]) for part in self.parts if part is not but)
        ]

    def survivors(self) -> list[tuple[Part, int]]:
        """How many devices are left after each clause and all before it."""
        left, found = self.rows.indexes, []
        for part in self.parts:
            left = [index for index in left if _passes(part.answers[index])]
            found.append((part, len({self.rows.row(index).device for index in left})))
        return found

    def errors(self) -> list[tuple[int, int, EvaluationError]]:
        """(row, selector, error) for each row on which a selector fails outright, unknown values taken as missing."""
        found = []
        for number, program in enumerate(self._programs):
            asked = [
                index
                for index in self.rows.indexes
                if all(_passes(part.answers[index]) for part in self.parts if part.selector < number)
            ]
            results = program.evaluate_all(_value(self.rows.row(index)) for index in asked)
            found += [
                (index, number, result)
                for index, result in zip(asked, results, strict=True)
                if isinstance(result, EvaluationError)
            ]
        return found


def _passes(answer: Answer) -> bool:
    return answer is True or answer is None


def _value(row: Row) -> Mapping[str, Any]:
    assert not isinstance(row.value, str)
    return row.value


def _unknown(words: frozenset[str], text: str, device: Device, gated: frozenset[str]) -> bool:
    """Whether an expression reads what nobody knows of a device."""
    if not device.unknown:
        return False
    if any(name not in device.attributes and name not in device.capacity for name in words & gated):
        return True
    return any(all(part in text for part in device.unknown[name]) for name in words & device.unknown.keys())


def _answers(
    clause: Clause, text: str, rows: Rows, gated: frozenset[str], *, wide: bool
) -> dict[int, Answer]:
    words = frozenset(_WORD.findall(clause.text))
    open_ = {
        index
        for index in rows.indexes
        if _unknown(words, text, rows.device(index), gated) or (wide and rows.device(index).unknown)
    }
    known = [index for index in rows.indexes if index not in open_]
    results = clause.evaluate_all(_value(rows.row(index)) for index in known)
    answers: dict[int, Answer] = dict.fromkeys(open_)
    for index, result in zip(known, results, strict=True):
        judged = not isinstance(result, EvaluationError) or result.judged
        answers[index] = result if judged else None
    return answers


def outcome(
    programs: Sequence[Program],
    rows: Rows,
    gated: frozenset[str] = frozenset(),
    wide: Sequence[Sequence[int]] = (),
) -> Outcome:
    """Every clause of the selectors on every row.

    gated  names that predicted devices have with a feature gate of which nobody knows whether it is on
    wide   for each program the places where it looks at a map of attributes as a whole, what nobody knows included
    """
    parts = []
    for selector, program in enumerate(programs):
        places = wide[selector] if wide else ()
        start = 0
        for number, clause in enumerate(program.clauses):
            offset = max(program.expression.find(clause.text, start), 0)
            whole = any(offset <= place < offset + len(clause.text) for place in places)
            answers = _answers(clause, program.expression, rows, gated, wide=whole)
            parts.append(Part(selector, number, clause.text, offset, answers))
            start = offset
    return Outcome(rows, parts, programs)
