"""What makes two findings of different runs the same one: never the line, which any edit moves."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence

from dralint.lint.finding import Finding
from dralint.report.located import reported_path


def fingerprints(findings: Sequence[Finding], root: str) -> list[str]:
    """One for each finding, 64 hexadecimal digits; no two are equal.

    Made of rule, path, object without API version (which rules want changed) and field, and a number
    for those that have all in common.
    """
    found: list[str] = []
    seen: Counter[tuple[str | None, ...]] = Counter()
    for finding in findings:
        ref = finding.object
        named = (ref.kind, ref.namespace, ref.name) if ref else (None, None, None)
        key = (finding.rule, reported_path(finding, root), *named, finding.field)
        text = json.dumps([*key, seen[key]])
        seen[key] += 1
        found.append(hashlib.sha256(text.encode()).hexdigest())
    return found
