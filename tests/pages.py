"""Write into README.md and docs/convert.md what comes from elsewhere: tables, a diff, the output of commands.

python tests/pages.py
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

from dralint.lint.rule import Rule
from dralint.lint.rules import load_rules
from dralint.report.words import counted
from tests import kinds_page, name_references

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
START, END = "<!-- rules: written by tests/pages.py -->\n", "<!-- end of rules -->\n"
GROUPS = {
    "1": "the API: names, fields and versions that the API server refuses",
    "2": "selectors and constraints, against the devices there are",
    "3": "sharing, opaque configurations and feature gates",
    "4": "workloads: pods and the claims they use",
    "5": "the stack: installations of driver, operator, scheduler",
    "6": "migration: habits of the device plugin",
}
CONSOLE = re.compile(r"^```console\n\$ dralint ([^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The first diff is what a command shows, without its head, from a line on.
OPENING = re.compile(
    r"^<!-- diff: ([^\n]+) from (@@[^\n]*) -->\n```diff\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


def _severities(rules: list[Rule]) -> str:
    """How many rules have each gravest severity: `30 errors, 4 warnings`."""
    order = ("error", "warning", "info")
    gravest = Counter(min((case.severity for case in rule.severity), key=order.index) for rule in rules)
    return ", ".join(
        f"{gravest[each]} info" if each == "info" else counted(gravest[each], each)
        for each in order
        if gravest[each]
    )


def table(rules: list[Rule]) -> str:
    """One row per group of rules."""
    lines = ["| ids | what about | rules | severity | with a fix |", "|---|---|---|---|---|"]
    for digit, about in GROUPS.items():
        members = [rule for rule in rules if rule.id.removeprefix("DRA").startswith(digit)]
        if members:
            fixes = sum(rule.fix is not None for rule in members)
            lines.append(f"| DRA{digit}xx | {about} | {len(members)} | {_severities(members)} | {fixes} |")
    return "\n".join(lines) + "\n"


def with_table(text: str) -> str:
    """A page's text with the table of rules in its place."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}{table(load_rules())}{END}{after}"


def run(arguments: str, *, stderr: int = subprocess.STDOUT) -> str:
    """What `dralint ARGUMENTS` shows in the checkout."""
    command = [sys.executable, "-m", "dralint", *shlex.split(arguments)]
    # In GitHub Actions dralint would write annotations.
    environment = {name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"}
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        check=False,
    ).stdout


def _part(found: re.Match[str]) -> str:
    diff = run(found[1], stderr=subprocess.DEVNULL)
    hunk = diff[diff.index(f"{found[2]}\n") :].partition("\n@@ ")[0].partition("\n")[2].rstrip("\n")
    return f"<!-- diff: {found[1]} from {found[2]} -->\n```diff\n{hunk}\n```"


def with_outputs(text: str) -> str:
    """A page's text with the output of each `$ dralint` command below it."""
    text = OPENING.sub(_part, text)
    return CONSOLE.sub(lambda found: f"```console\n$ dralint {found[1]}\n{run(found[1])}```", text)


if __name__ == "__main__":
    kinds_page.write()
    name_references.write()
    README.write_text(with_outputs(with_table(README.read_text(encoding="utf-8"))), encoding="utf-8")
