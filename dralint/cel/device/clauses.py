"""The clauses of a selector: what stands between its outermost `&&`, also inside of `cel.bind`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dralint.cel.device.folds import is_bind
from dralint.cel.device.lexing import Token, arguments
from dralint.cel.device.tree import Call, Checked, Comprehension, Node


class ClauseRange(NamedTuple):
    """A clause as a tree that can be evaluated alone, and where its text stands."""

    node: Node
    start: int
    end: int


def _trimmed(found: list[Token], start: int, end: int) -> tuple[int, int]:
    """The range without blanks and comments at its ends, and without parentheses that it shares with others."""
    inside = [token for token in found if start <= token.start and token.end <= end]
    open_: list[int] = []
    unmatched: set[int] = set()
    for index, token in enumerate(inside):
        if token.text == "(":
            open_.append(index)
        elif token.text == ")":
            if open_:
                open_.pop()
            else:
                unmatched.add(index)
    unmatched.update(open_)
    kept = [token for index, token in enumerate(inside) if index not in unmatched]
    return (kept[0].start, kept[-1].end) if kept else (start, end)


def _bound_range(found: list[Token], opening: int) -> tuple[int, int] | None:
    """Where the third argument of the call whose parenthesis opens at this offset stands."""
    index = next((index for index, token in enumerate(found) if token.start == opening), None)
    ranges = arguments(found, index) if index is not None else []
    return ranges[2] if len(ranges) == 3 else None


def _terms(node: Node) -> Iterator[tuple[Node, int | None]]:
    """The operands of a chain of `&&` in order, each with the id of the operator after it."""
    if isinstance(node, Call) and node.function == "_&&_":
        left, right = node.args
        *before, (last, _) = _terms(left)
        yield from before
        yield last, node.id
        yield from _terms(right)
    else:
        yield node, None


def clause_ranges(checked: Checked, found: list[Token], length: int) -> list[ClauseRange]:
    """The clauses of an expression of this length, in order; one where nothing is to be split."""
    return list(_split(checked, found, checked.root, 0, length))


def _split(checked: Checked, found: list[Token], node: Node, start: int, end: int) -> Iterator[ClauseRange]:
    if isinstance(node, Comprehension) and is_bind(node):
        inner = _bound_range(found, checked.positions.get(node.id, -1))
        if inner is not None:
            for clause in _split(checked, found, node.result, *inner):
                yield clause._replace(node=node._replace(result=clause.node))
            return
    terms = list(_terms(node))
    if len(terms) == 1:
        yield ClauseRange(node, *_trimmed(found, start, end))
        return
    for term, operator in terms:
        stop = end if operator is None else checked.positions.get(operator, end)
        yield from _split(checked, found, term, start, stop)
        start = stop + len("&&")
