"""Findings as a GitLab Code Quality report: schemas/gitlab.schema.json says what stands in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from dralint.errors import DralintError
from dralint.lint.finding import Finding
from dralint.report.escape import escape
from dralint.report.fingerprint import fingerprints
from dralint.report.indented import indented
from dralint.report.located import place_text, reported_path, repository_path

# What the API server refuses, and what gets no device, stops a rollout. "blocker" is what was not checked.
_SEVERITIES = {"error": "critical", "warning": "major", "info": "info"}


def _issue(finding: Finding, fingerprint: str, root: str) -> Mapping[str, Any]:
    message = f"{finding.rule} {finding.name}: {escape(finding.message)}"
    region = finding.region
    lines = {"begin": region.line, "end": region.end_line}
    if finding.source is not None:
        # GitLab asks for a line, and nobody knows which of the template.
        message += f" (rendered: {place_text(finding)})"
        lines = {"begin": 1, "end": 1}
    return {
        "description": message,
        "check_name": finding.rule,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": _path(reported_path(finding, root)), "lines": lines},
    }


def _path(path: str) -> str:
    """A path as JSON can hold it: bytes that are not UTF-8 are shown."""
    return escape(path) if any("\ud800" <= character <= "\udfff" for character in path) else path


def _problem(problem: DralintError, number: int, root: str) -> Mapping[str, Any] | None:
    place = problem.place
    if place is None:
        return None
    path, line = _path(repository_path(place.path, root)), place.line or 1
    key = json.dumps(["not-checked", path, problem.what, number])
    return {
        "description": f"not checked: {escape(problem.what)}",
        "check_name": "not-checked",
        "fingerprint": sha256(key.encode()).hexdigest(),
        "severity": "blocker",
        "location": {"path": path, "lines": {"begin": line, "end": line}},
    }


def report(findings: Sequence[Finding], problems: Sequence[DralintError], root: str) -> str:
    """The JSON text. A problem with a file is an issue as well, so that it does not look clean.

    root  the absolute path of the work tree's root; files are named from there
    """
    issues = [
        _issue(finding, fingerprint, root)
        for finding, fingerprint in zip(findings, fingerprints(findings, root), strict=True)
    ]
    told = [_problem(problem, number, root) for number, problem in enumerate(problems)]
    return indented([*issues, *filter(None, told)])
