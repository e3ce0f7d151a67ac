"""Fingerprints for CI services: what makes two findings of different runs the same one, as one word."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence

from dralint.lint.finding import Finding
from dralint.lint.fingerprint import Fingerprint, fingerprint
from dralint.report.located import reported_path


def fingerprints(findings: Sequence[Finding], root: str) -> list[str]:
    """One for each finding, 64 hexadecimal digits; no two are equal.

    Made of rule, path, object and field, never of lines, and a number for those that have all in common.
    """
    found: list[str] = []
    seen: Counter[Fingerprint] = Counter()
    for finding in findings:
        key = fingerprint(finding, reported_path(finding, root))
        text = json.dumps([*key, seen[key]])
        seen[key] += 1
        found.append(hashlib.sha256(text.encode()).hexdigest())
    return found
