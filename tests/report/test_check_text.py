"""Findings as people read them, whole outputs as snapshots; nothing in them can fool a terminal."""

from __future__ import annotations

import re

import pytest
from syrupy.assertion import SnapshotAssertion

from dralint.report.check_text import concise, full, totals
from dralint.report.words import NO_FILES
from tests.report.findings import FILES, FINDINGS


def test_text(snapshot: SnapshotAssertion) -> None:
    assert "\n".join(full(FINDINGS, FILES)) == snapshot


def test_text_in_colour(snapshot: SnapshotAssertion) -> None:
    assert "\n".join(full(FINDINGS, FILES, colored=True)) == snapshot


def test_concise(snapshot: SnapshotAssertion) -> None:
    assert "\n".join(concise(FINDINGS)) == snapshot


def test_without_colours_nothing_but_printable_characters_leaves() -> None:
    for line in [*full(FINDINGS, FILES), *concise(FINDINGS)]:
        assert line.isprintable()


def test_colours_are_all_that_colours_add() -> None:
    plain = list(full(FINDINGS, FILES))
    colored = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in full(FINDINGS, FILES, colored=True)]
    assert colored == plain


@pytest.mark.parametrize(
    ("count", "files", "expected"),
    [
        (0, 0, NO_FILES),
        (0, 1, "no findings in 1 file"),
        (1, 1, "1 error in 1 of 1 file"),
        (4, 3, "2 errors, 1 warning, 1 info in 2 of 3 files"),
    ],
)
def test_totals(count: int, files: int, expected: str) -> None:
    assert totals(FINDINGS[:count], files) == expected
