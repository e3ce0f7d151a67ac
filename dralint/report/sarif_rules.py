"""Rules as SARIF's reporting descriptors, with the help that a code scanning page shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dralint.lint.rule import Rule
from dralint.lint.rule_file import examples
from dralint.report.rules_text import explained
from dralint.report.sarif_help import markdown

LEVELS = {"error": "error", "warning": "warning", "info": "note"}
# What GitHub calls the severities of rules that are not about security.
_PROBLEMS = {"error": "error", "warning": "warning", "info": "recommendation"}


def descriptor(rule: Rule) -> Mapping[str, Any]:
    """The rule with its examples from the rule file. Raises RuleError when that cannot be read any more."""
    severity = rule.severity[-1].severity
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": " ".join(rule.why.split())},
        "help": {"text": "\n".join(explained(rule, {})), "markdown": markdown(rule, examples(rule))},
        "defaultConfiguration": {"level": LEVELS[severity]},
        "properties": {
            "tags": ["kubernetes", "gpu", "dra", rule.layer],
            "precision": "high",
            "problem.severity": _PROBLEMS[severity],
            "since": rule.since,
        },
    }
