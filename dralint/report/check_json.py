"""Findings as JSON, version 1: schemas/check.schema.json says what stands in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dralint.errors import DralintError
from dralint.lint.finding import Finding, Fix, Region
from dralint.report.indented import indented
from dralint.report.parts import VERSION, object_data, problem_data, source_data, target_data
from dralint.yamltext.text import SourceText

if TYPE_CHECKING:
    from dralint.lint.tally import Tally
    from dralint.nvidia.target import Target


class Summary(NamedTuple):
    """What is told beside the findings.

    files       how many were checked
    problems    what could not be read
    suppressed  findings that a comment or an annotation silences
    known       findings of the baseline, or that were there before --base
    """

    files: int
    tally: Tally
    problems: Sequence[DralintError]
    suppressed: int = 0
    known: int = 0


def _region(region: Region) -> dict[str, Any]:
    return {
        "path": region.path,
        "line": region.line,
        "column": region.column,
        "endLine": region.end_line,
        "endColumn": region.end_column,
    }


def _fix(fix: Fix | None, text: SourceText | None) -> Mapping[str, Any] | None:
    if fix is None or text is None:
        return None
    edits = []
    for edit in fix.edits:
        (line, column), (end_line, end_column) = text.position(edit.start), text.position(edit.end)
        edits.append(
            {"line": line, "column": column, "endLine": end_line, "endColumn": end_column, "text": edit.text}
        )
    return {"applicability": fix.applicability, "edits": edits}


def _finding(finding: Finding, text: SourceText | None) -> Mapping[str, Any]:
    return {
        "rule": finding.rule,
        "name": finding.name,
        "layer": finding.layer,
        "severity": finding.severity,
        "message": finding.message,
        **_region(finding.region),
        "object": object_data(finding.object),
        "field": finding.field,
        "related": [{**_region(each.region), "message": each.message} for each in finding.related],
        "source": source_data(finding.source),
        "help": finding.help,
        "fix": _fix(finding.fix, text),
    }


def report(
    findings: Sequence[Finding], texts: Mapping[str, SourceText], target: Target, summary: Summary
) -> str:
    """The JSON text; texts: the files' texts by name, for the edits of fixes."""
    counts = Counter(finding.severity for finding in findings)
    data: dict[str, Any] = {
        "version": VERSION,
        "target": target_data(target),
        "findings": [_finding(each, texts.get(each.region.path)) for each in findings],
        "summary": {
            "files": summary.files,
            "error": counts["error"],
            "warning": counts["warning"],
            "info": counts["info"],
            "suppressed": summary.suppressed,
            "known": summary.known,
            "gpuRequests": {"devicePlugin": summary.tally.device_plugin, "dra": summary.tally.dra},
            "assumptions": target.assumptions(),
            "problems": [problem_data(problem) for problem in summary.problems],
        },
    }
    return indented(data)
