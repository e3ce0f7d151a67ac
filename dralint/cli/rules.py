"""`dralint rules`: a table of all rules, or a team's rules tried on their examples."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from dralint.cli.messages import tell, tell_errors
from dralint.cli.options import Common, plain_options
from dralint.errors import RuleError


def _test(directories: Sequence[str], quiet: bool) -> int:
    from dralint.cli.rule_tests import try_rules
    from dralint.lint.rules import load_rules, rule_files
    from dralint.report.escape import escape
    from dralint.report.words import counted

    broken: list[RuleError] = []
    known = load_rules(directories, broken)
    files = {file for directory in directories for file in rule_files(directory)}
    rules = [rule for rule in known if rule.file in files]
    tried = try_rules(rules, known)
    for failure in tried.failures:
        sys.stdout.write(f"{escape(f'{failure.place}: error: {failure.what}')}\n")
    tell_errors(broken)
    if not quiet:
        mistakes = len(tried.failures) + len(broken)
        tell(
            f"{counted(len(rules), 'rule')}, {counted(tried.examples, 'example')}: "
            + (counted(mistakes, "mistake") if mistakes else "all as they should be")
        )
    return 2 if broken else int(bool(tried.failures))


@click.command("rules", short_help="List the rules, or test rules of your own.")
@click.option("--rules", "directories", multiple=True, metavar="DIR", help="A team's own rules, too.")
@click.option(
    "--test", "tests", multiple=True, metavar="DIR", help="Try a team's own rules on their examples."
)
@click.option(
    "--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@plain_options
def command(directories: Sequence[str], tests: Sequence[str], form: str, common: Common) -> int:
    """List the rules: id, name, layer, severity and what each reports.

    With --test: exit code 0 where every bad example is found at its line and every good one passes, 1 where
    not, 2 for a rule file that is not valid.
    """
    from dralint.lint.rules import load_rules
    from dralint.report.rules_text import rule_data, table

    configured = common.configuration.rules
    if tests:
        return _test(tests, common.quiet)
    broken: list[RuleError] = []
    rules = load_rules(directories or configured, broken)
    if form == "json":
        import json

        from dralint.report.parts import VERSION

        sys.stdout.write(json.dumps({"version": VERSION, "rules": [*map(rule_data, rules)]}, indent=2) + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in table(rules)))
    tell_errors(broken)
    return 2 if broken else 0
