"""Words that all reports share."""

from __future__ import annotations

import pytest

from dralint.report.words import in_runs


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ([], ""),
        (["DRA101"], "DRA101"),
        (["DRA101", "DRA102"], "DRA101, DRA102"),
        (["DRA101", "DRA102", "DRA103"], "DRA101 to DRA103"),
        (["DRA101", "DRA102", "DRA103", "DRA201", "PROD002"], "DRA101 to DRA103, DRA201, PROD002"),
        (["DRA149", "DRA201", "DRA202", "DRA203", "DRA205"], "DRA149, DRA201 to DRA203, DRA205"),
        (["A009", "A010", "A011"], "A009 to A011"),
        (["A001", "B002", "B003"], "A001, B002, B003"),
        (["x", "y"], "x, y"),
    ],
)
def test_names_of_a_run_are_told_by_first_and_last(names: list[str], shown: str) -> None:
    assert in_runs(names) == shown
