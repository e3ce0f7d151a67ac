"""Pieces to edits and a new text: order, overlaps, block scalars beside a cut, the end of the file."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from dralint.yamltext.node import Node
from dralint.yamltext.operations import Edit
from dralint.yamltext.page import Page
from dralint.yamltext.piece import INLINE, Piece, Refused, rank


def ordered(pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces in the order of the text; raises Refused where two overlap."""
    found = sorted(pieces, key=lambda each: (each.start, each.end, each.rank))
    for before, after in itertools.pairwise(found):
        if after.start < before.end:
            raise Refused("two edits overlap here", after.start, max(before.group, after.group))
    return found


def settle(page: Page, scalars: list[Node], pieces: list[Piece]) -> Iterator[Piece]:
    """What else must go because a cut brings other lines up to the end of a block scalar.

    Blank lines would become part of a scalar that keeps them (`|+`), and a comment that is
    indented deeper than what was cut would become text.
    """
    cuts = {each.start: each for each in pieces if each.end > each.start}
    inserted = {each.start for each in pieces if each.text}
    group = max((each.group for each in pieces), default=-1)
    for scalar in scalars:
        position = page.line_end(page.content_end(scalar))
        keeps = "+" in (page.block_scalar(scalar) or "")
        column: int | None = None
        while position < len(page.text) and position not in inserted:
            cut = cuts.get(position)
            if cut is not None:
                column = len(page.indent(position)) if column is None else column
                position = cut.end
            elif page.is_blank(position):
                stop = page.line_end(position)
                if keeps and column is not None:
                    yield Piece(position, stop, "", rank(INLINE, 0), group)
                position = stop
            else:
                excess = len(page.indent(position)) - (column or 0)
                if column is not None and excess > 0 and page.is_comment(position):
                    yield Piece(position, position + excess, "", rank(INLINE, 0), group)
                break


def _at_end(page: Page, pieces: list[Piece]) -> Edit:
    """The last edits, which reach the line break that the file does not have, as one edit that does not.

    pieces: in order and touching each other, the last up to the end of the page
    """
    start = pieces[0].start
    text = "".join(each.text for each in pieces)
    line_break = page.line_break(page.length)
    if text:
        text = text.removesuffix(line_break)
        return (
            Edit(page.length, page.length, line_break + text)
            if start > page.length
            else Edit(start, page.length, text)
        )
    return Edit(start - len(page.line_break(start - 1)), page.length, "")


def to_edits(page: Page, pieces: list[Piece], scalars: list[Node]) -> list[Edit]:
    """The edits of the file's own text.

    pieces: in order, not overlapping; scalars: the block scalars of the last edited document
    """
    tail: list[Piece] = []
    rest = list(pieces)
    if page.lacks_line_break:
        reached = len(page.text)
        while rest and rest[-1].end == reached:
            tail.insert(0, rest.pop())
            reached = tail[0].start
    edits = [Edit(each.start, each.end, each.text) for each in rest if each.start < each.end or each.text]
    if not tail:
        return edits
    last = _at_end(page, tail)
    if not last.text and _ends_in_scalar(page, scalars, tail[0].start):
        # Without its line break the text that is now the last would lose one.
        last = Edit(tail[0].start, page.length, "")
    return [*edits, last]


def _ends_in_scalar(page: Page, scalars: list[Node], position: int) -> bool:
    return any(
        page.line_end(page.content_end(scalar)) == position and "-" not in (page.block_scalar(scalar) or "")
        for scalar in scalars
    )


def splice(text: str, edits: Sequence[Edit]) -> str:
    """The text with the edits made; they are in order and do not overlap."""
    parts: list[str] = []
    position = 0
    for edit in edits:
        parts += (text[position : edit.start], edit.text)
        position = edit.end
    return "".join([*parts, text[position:]])
