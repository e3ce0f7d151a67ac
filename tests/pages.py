"""Write into README.md what comes from elsewhere: the table of rules, and the output of its commands.

python tests/pages.py
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path

from dralint.lint.rule import Rule
from dralint.lint.rules import load_rules

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
START, END = "<!-- rules: written by tests/pages.py -->\n", "<!-- end of rules -->\n"
GROUPS = {
    "1": "API: what the API server takes",
    "2": "Selectors",
    "3": "Sharing and gates",
    "4": "Workloads",
    "5": "Stack",
    "6": "Migration",
}
CONSOLE = re.compile(r"^```console\n\$ dralint ([^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def group(rule: Rule) -> str:
    return GROUPS[rule.id.removeprefix("DRA")[0]]


def severities(rule: Rule) -> str:
    """The words a rule's severity can be, in the order of its cases."""
    return " or ".join(dict.fromkeys(case.severity for case in rule.severity))


def table(rules: list[Rule]) -> str:
    """One row per rule, under the name of its group."""
    lines = ["| rule | name | layer | severity | what it finds |", "|---|---|---|---|---|"]
    for name, members in groupby(rules, key=group):
        lines.append(f"| **{name}** | | | | |")
        lines += (
            f"| {rule.id} | `{rule.name}` | {rule.layer} | {severities(rule)} | "
            f"{rule.summary.replace('|', chr(92) + '|')}{' (fix)' if rule.fix else ''} |"
            for rule in members
        )
    return "\n".join(lines) + "\n"


def with_table(text: str) -> str:
    """A page's text with the table of rules in its place."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}{table(load_rules())}{END}{after}"


def output(arguments: str) -> str:
    """What `dralint ARGUMENTS` shows in the checkout."""
    command = [sys.executable, "-m", "dralint", *arguments.split()]
    # In GitHub Actions dralint would write annotations.
    environment = {name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"}
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout


def with_outputs(text: str) -> str:
    """A page's text with the output of each `$ dralint` command below it."""
    return CONSOLE.sub(lambda found: f"```console\n$ dralint {found[1]}\n{output(found[1])}```", text)


if __name__ == "__main__":
    README.write_text(with_outputs(with_table(README.read_text(encoding="utf-8"))), encoding="utf-8")
