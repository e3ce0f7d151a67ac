"""`dralint explain RULE`: what a rule reports, why it matters, a bad and a good example."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from dralint.cli.options import Common, plain_options


@click.command("explain", short_help="Say what a rule finds, and why it matters.")
@click.argument("rule", metavar="RULE")
@click.option("--rules", "directories", multiple=True, metavar="DIR", help="A team's own rules, too.")
@plain_options
def command(rule: str, directories: Sequence[str], common: Common) -> int:
    """Explain a rule, by its id or name."""
    from dralint.lint.rule import OWN
    from dralint.lint.rule_file import examples
    from dralint.lint.rules import load_rules
    from dralint.lint.select import find_rule
    from dralint.report.rules_text import explained

    found = find_rule([*load_rules(directories or common.configuration.rules), *OWN], rule)
    sys.stdout.write("".join(f"{line}\n" for line in explained(found, examples(found))))
    return 0
