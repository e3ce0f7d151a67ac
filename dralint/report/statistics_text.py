"""How often each rule found something, as a table for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dralint.lint.finding import SEVERITIES, Finding
from dralint.report.words import counted


def _said(findings: Sequence[Finding]) -> str:
    """`2 errors, 1 warning in 3 files`."""
    counts = Counter(finding.severity for finding in findings)
    said = ", ".join(counted(counts[each], each) for each in SEVERITIES if counts[each])
    return f"{said} in {counted(len({finding.region.path for finding in findings}), 'file')}"


def statistics(findings: Sequence[Finding]) -> Iterator[str]:
    """Lines: each rule that found something with its findings by severity, the busiest rule first."""
    by_rule: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        by_rule.setdefault((finding.rule, finding.name), []).append(finding)
    busiest = sorted(by_rule.items(), key=lambda item: (-len(item[1]), item[0]))
    rows = [(str(len(found)), rule, name, _said(found)) for (rule, name), found in busiest]
    count, rule, name = (max((len(row[column]) for row in rows), default=0) for column in range(3))
    for row in rows:
        yield f"{row[0]:>{count}}  {row[1]:{rule}}  {row[2]:{name}}  {row[3]}"
