"""Is a text a report that dralint wrote? Only such a file may be replaced by a report."""

from __future__ import annotations

import json
import re
from typing import Any

# The first lines of the formats text, concise and github, and of junit.
_FINDING = re.compile(rb".+:\d+:\d+: (?:error|warning|info)\[[\w.-]+ [\w.-]+\] ")
_COMMAND = re.compile(rb"::(?:error|warning|notice) (?:.*,)?title=(?:dralint|[\w.-]+ [\w.-]+)::")
_SUITES = re.compile(rb'(?:<\?xml [^>]*\?>\s*)?<testsuites name="dralint"')
_ISSUE = {"check_name", "fingerprint", "location"}


def _is_run(run: Any) -> bool:
    """Whether a run of a SARIF log is dralint's."""
    tool = run.get("tool") if isinstance(run, dict) else None
    driver = tool.get("driver") if isinstance(tool, dict) else None
    return isinstance(driver, dict) and driver.get("name") == "dralint"


def _is_json_report(data: bytes) -> bool:
    try:
        value: Any = json.loads(data)
    except (ValueError, RecursionError):
        return False
    if isinstance(value, list):
        return all(isinstance(issue, dict) and issue.keys() >= _ISSUE for issue in value)
    if not isinstance(value, dict):
        return False
    runs = value.get("runs")
    if isinstance(runs, list) and runs:
        return all(map(_is_run, runs))
    keys = value.keys()
    return value.get("version") == 1 and (
        keys >= {"target", "findings", "summary"} or keys >= {"target", "occurrences", "summary"}
    )


def is_report(data: bytes) -> bool:
    """Whether the bytes are a report of `check` or `convert`, in any format; nothing at all is one, too."""
    start = data.lstrip()
    if not start:
        return True
    if start[:1] in b"{[":
        return _is_json_report(data)
    return any(pattern.match(start) for pattern in (_FINDING, _COMMAND, _SUITES))
