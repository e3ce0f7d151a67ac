"""`dralint rules`: a table of all rules."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from dralint.cli.messages import tell_errors
from dralint.cli.options import Common, common_options
from dralint.errors import RuleError


@click.command("rules")
@click.option("--rules", "directories", multiple=True, metavar="DIR", help="A team's own rules, too.")
@click.option(
    "--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@common_options
def command(directories: Sequence[str], form: str, common: Common) -> int:  # noqa: ARG001
    """List the rules: id, name, layer, severity and what each reports."""
    from dralint.lint.rules import load_rules
    from dralint.report.rules_text import rule_data, table

    broken: list[RuleError] = []
    rules = load_rules(directories, broken)
    if form == "json":
        import json

        from dralint.report.parts import VERSION

        sys.stdout.write(json.dumps({"version": VERSION, "rules": [*map(rule_data, rules)]}, indent=2) + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in table(rules)))
    tell_errors(broken)
    return 2 if broken else 0
