"""Write the table of rules into README.md, between the two comments that mark its place.

python tests/readme_rules.py
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from dralint.lint.rule import Rule
from dralint.lint.rules import load_rules

README = Path(__file__).resolve().parent.parent / "README.md"
START, END = "<!-- rules: written by tests/readme_rules.py -->\n", "<!-- end of rules -->\n"
GROUPS = {
    "1": "API: what the API server takes",
    "2": "Selectors",
    "3": "Sharing and gates",
    "4": "Workloads",
    "5": "Stack",
    "6": "Migration",
}


def group(rule: Rule) -> str:
    return GROUPS[rule.id.removeprefix("DRA")[0]]


def severities(rule: Rule) -> str:
    """The words a rule's severity can be, in the order of its cases."""
    return " or ".join(dict.fromkeys(case.severity for case in rule.severity))


def table(rules: list[Rule]) -> str:
    """One row per rule, under the name of its group."""
    lines = ["| rule | | layer | severity | what it finds |", "|---|---|---|---|---|"]
    for name, members in groupby(rules, key=group):
        lines.append(f"| **{name}** | | | | |")
        lines += (
            f"| {rule.id} | `{rule.name}` | {rule.layer} | {severities(rule)} | "
            f"{rule.summary.replace('|', chr(92) + '|')}{' (fix)' if rule.fix else ''} |"
            for rule in members
        )
    return "\n".join(lines) + "\n"


def with_table(text: str, rules: list[Rule]) -> str:
    """The README's text with the table in its place."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}{table(rules)}{END}{after}"


if __name__ == "__main__":
    README.write_text(with_table(README.read_text(encoding="utf-8"), load_rules()), encoding="utf-8")
