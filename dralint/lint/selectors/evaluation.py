"""Selectors on devices, clause by clause, each evaluated only where its answer is wanted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from dralint.cel.device.answers import EvaluationError
from dralint.inventory.bounds import MEMORY, within
from dralint.inventory.device import Device, Inventory, Row
from dralint.inventory.judge import Clause, Program

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

# None: it depends on what nobody knows of a predicted device.
Answer = bool | EvaluationError | None


class Rows:
    """Some of the looks at the devices of an inventory; indexes: into its rows."""

    def __init__(self, inventory: Inventory, indexes: list[int]) -> None:
        self.inventory = inventory
        self.indexes = indexes

    @classmethod
    def of(cls, inventory: Inventory) -> Rows:
        """All that can be looked at."""
        readable = (index for index, row in enumerate(inventory.rows) if not isinstance(row.value, str))
        return cls(inventory, list(readable))

    def row(self, index: int) -> Row:
        """A look, by its index in the inventory."""
        return self.inventory.rows[index]

    def device(self, index: int) -> Device:
        """The device that is looked at."""
        return self.inventory.devices[self.inventory.rows[index].device]

    def value(self, index: int) -> Mapping[str, Any]:
        """What selectors see."""
        value = self.inventory.rows[index].value
        assert not isinstance(value, str)
        return value

    @cached_property
    def devices(self) -> list[Device]:
        """The devices, each once."""
        numbers = dict.fromkeys(self.row(index).device for index in self.indexes)
        return [self.inventory.devices[number] for number in numbers]

    @cached_property
    def alike(self) -> list[tuple[Device, list[int]]]:
        """The rows by what is known of their devices, each group with one of them."""
        groups: dict[tuple[frozenset[str], ...], tuple[Device, list[int]]] = {}
        for index in self.indexes:
            device = self.device(index)
            names = (device.unknown, device.attributes, device.capacity) if device.unknown else ()
            key = tuple(frozenset(each) for each in names)
            groups.setdefault(key, (device, []))[1].append(index)
        return list(groups.values())


class Doubt(NamedTuple):
    """What is not known about predicted devices besides their own `unknown`.

    gated  names that they have with a feature gate of which nobody knows whether it is on
    wide   places in the expression where it looks at a map of attributes as a whole
    """

    gated: frozenset[str] = frozenset()
    wide: Sequence[int] = ()


def _open(clause: Clause, text: str, offset: int, rows: Rows, doubt: Doubt) -> set[int]:
    """The rows for which a clause may hold or not."""
    words = frozenset(_WORD.findall(clause.text))
    wide = any(offset <= place < offset + len(clause.text) for place in doubt.wide)
    found: set[int] = set()
    for device, indexes in rows.alike:
        if device.unknown and (
            wide
            or any(
                name not in device.attributes and name not in device.capacity for name in words & doubt.gated
            )
            or any(
                all(part in text for part in device.unknown[name]) for name in words & device.unknown.keys()
            )
        ):
            found.update(indexes)
    if MEMORY in words:
        found.update(
            index for index in rows.indexes if within(clause.text, text, rows.device(index), rows.row(index))
        )
    return found


class Part:
    """A clause of a selector on rows.

    selector  which of the selectors; number: which of its clauses; offset: where it stands in the selector
    """

    def __init__(self, selector: int, number: int, clause: Clause, offset: int, rows: Rows) -> None:
        self.selector = selector
        self.number = number
        self.text = clause.text
        self.offset = offset
        self._clause = clause
        self._rows = rows
        self._known: dict[int, Answer] = {}

    def leave_open(self, rows: Iterable[int]) -> None:
        """Nobody knows the answer for these."""
        self._known.update(dict.fromkeys(rows))

    def answers(self, rows: Sequence[int]) -> dict[int, Answer]:
        """The clause's answer for each of the rows."""
        new = [index for index in rows if index not in self._known]
        results = self._clause.evaluate_all(self._rows.value(index) for index in new) if new else ()
        for index, result in zip(new, results, strict=True):
            judged = not isinstance(result, EvaluationError) or result.judged
            self._known[index] = result if judged else None
        return {index: self._known[index] for index in rows}

    @property
    def alone(self) -> Mapping[int, Answer]:
        """Its answer for every row."""
        return self.answers(self._rows.indexes)

    @property
    def never(self) -> bool:
        """Whether it lets no device through, and cannot."""
        return all(answer is False or isinstance(answer, EvaluationError) for answer in self.alone.values())


def _narrowed(parts: Iterable[Part], rows: list[int]) -> list[int]:
    for part in parts:
        answers = part.answers(rows)
        rows = [index for index in rows if answers[index] is True or answers[index] is None]
    return rows


class Outcome:
    """What selectors that must all hold make of rows."""

    def __init__(self, rows: Rows, programs: Sequence[Program], doubts: Sequence[Doubt]) -> None:
        self.rows = rows
        self._programs = programs
        self.parts = [
            part
            for selector, (program, doubt) in enumerate(zip(programs, doubts, strict=True))
            for part in _parts(selector, program, rows, doubt)
        ]
        self._passing: dict[Part | None, list[int]] = {}

    def passing(self, but: Part | None = None) -> list[int]:
        """The rows that every clause lets through, or may; but: with one clause left out."""
        if but not in self._passing:
            others = (part for part in self.parts if part is not but)
            self._passing[but] = _narrowed(others, self.rows.indexes)
        return self._passing[but]

    @property
    def nothing(self) -> bool:
        """Whether no device matches or may match."""
        return not self.passing()

    def let_through(self) -> Rows:
        """The rows that match or may match."""
        return Rows(self.rows.inventory, self.passing())

    def survivors(self) -> list[tuple[Part, list[int]]]:
        """The rows that are left after each clause and all before it."""
        left, found = self.rows.indexes, []
        for part in self.parts:
            left = _narrowed([part], left)
            found.append((part, left))
        return found

    @cached_property
    def errors(self) -> list[tuple[int, int, EvaluationError]]:
        """(row, selector, error) for each row on which a selector fails, unknown values taken as missing."""
        found = []
        for number, program in enumerate(self._programs):
            before = (part for part in self.parts if part.selector < number)
            asked = _narrowed(before, self.rows.indexes)
            results = program.evaluate_all(self.rows.value(index) for index in asked)
            found += [
                (index, number, result)
                for index, result in zip(asked, results, strict=True)
                if isinstance(result, EvaluationError)
            ]
        return found


def _parts(selector: int, program: Program, rows: Rows, doubt: Doubt) -> Iterable[Part]:
    text, start = program.expression, 0
    for number, clause in enumerate(program.clauses):
        start = max(text.find(clause.text, start), 0)
        part = Part(selector, number, clause, start, rows)
        part.leave_open(_open(clause, text, start, rows, doubt))
        yield part
