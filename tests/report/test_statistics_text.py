"""The table of how often each rule found something."""

from __future__ import annotations

from syrupy.assertion import SnapshotAssertion

from dralint.report.statistics_text import statistics
from tests.report.findings import FINDINGS
from tests.report.hostile import HOSTILE


def test_statistics(snapshot: SnapshotAssertion) -> None:
    assert "\n".join(statistics([*FINDINGS, *HOSTILE, *[FINDINGS[0]] * 9])) == snapshot


def test_counts_add_up() -> None:
    findings = [*FINDINGS, *HOSTILE]
    assert sum(int(line.split()[0]) for line in statistics(findings)) == len(findings)


def test_nothing_found() -> None:
    assert list(statistics([])) == []
