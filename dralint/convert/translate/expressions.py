"""CEL texts that are put together from smaller ones, with parentheses where a reader wants them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple


class Test(NamedTuple):
    """A CEL expression; `joins`: the operator between its outermost parts, where it has several."""

    text: str
    joins: Literal["", "&&", "||"] = ""


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


def one_of(value: str, literals: Sequence[str]) -> Test:
    """The value is one of the literals; there is at least one."""
    if len(literals) == 1:
        return Test(f"{value} == {literals[0]}")
    return Test(f"{value} in [{', '.join(literals)}]")


def none_of(value: str, literals: Sequence[str]) -> Test:
    """The value is none of the literals; there is at least one."""
    if len(literals) == 1:
        return Test(f"{value} != {literals[0]}")
    return Test(f"!({value} in [{', '.join(literals)}])")


def is_not(test: Test) -> Test:
    """It does not hold."""
    return Test(f"!({test.text})")
