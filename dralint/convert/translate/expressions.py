"""CEL texts that are put together from smaller ones, with parentheses where a reader wants them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple


class Test(NamedTuple):
    """A CEL expression.

    joins     the operator between its outermost parts, where it has several
    opposite  how to say that it does not hold; "": `!(...)`
    """

    text: str
    joins: Literal["", "&&", "||"] = ""
    opposite: str = ""


def _within(test: Test, operator: str) -> str:
    return f"({test.text})" if test.joins and test.joins != operator else test.text


def _joined(tests: Iterable[Test], operator: Literal["&&", "||"]) -> Test:
    distinct = list(dict.fromkeys(tests))
    if len(distinct) == 1:
        return distinct[0]
    return Test(f" {operator} ".join(_within(each, operator) for each in distinct), operator)


def every(tests: Iterable[Test]) -> Test:
    """All of them hold; there is at least one."""
    return _joined(tests, "&&")


def some(tests: Iterable[Test]) -> Test:
    """One of them holds; there is at least one."""
    return _joined(tests, "||")


def quoted(text: str) -> str:
    """A text as a CEL literal."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def equal(value: str, literal: str) -> Test:
    """The value is the literal."""
    return Test(f"{value} == {literal}", "", f"{value} != {literal}")


def one_of(value: str, literals: Sequence[str]) -> Test:
    """The value is one of the literals, of which there is at least one; equal ones count once."""
    distinct = list(dict.fromkeys(literals))
    if len(distinct) == 1:
        return equal(value, distinct[0])
    return Test(f"{value} in [{', '.join(distinct)}]")


def is_not(test: Test) -> Test:
    """It does not hold."""
    return Test(test.opposite or f"!({test.text})", "", test.text if test.opposite else "")
