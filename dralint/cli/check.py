"""`dralint check`: lint manifests and report what is wrong."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from dralint.cli.formats import Output, Results, parse_outputs, rendered, wants_fixes
from dralint.cli.messages import tell, tell_errors
from dralint.cli.options import Common, common_options, target_options
from dralint.errors import DralintError, WriteError

if TYPE_CHECKING:
    from dralint.lint.finding import Finding
    from dralint.lint.rule import Rule
    from dralint.lint.run import Run
    from dralint.lint.tally import Tally

FAIL_ON = ("error", "warning", "info", "never")


class Choice(NamedTuple):
    """Which rules run, what they know, and which findings make the exit code 1.

    rules    directories of a team's own rules
    context  a directory, "none", or None: the git roots of the named files
    engine   the CEL engine, None: the one that is installed
    """

    select: Sequence[str]
    ignore: Sequence[str]
    rules: Sequence[str]
    fail_on: str
    context: str | None
    complete: bool
    migration: bool
    engine: str | None
    statistics: bool
    sarif_category: str


def _write(outputs: Sequence[Output], results: Results, common: Common) -> None:
    """Raises WriteError for a file that cannot be written, after the others."""
    failed: list[WriteError] = []
    for output in outputs:
        colored = output.file is None and common.colored(sys.stdout)
        text = rendered(output, results, colored=colored)
        if output.file is None:
            sys.stdout.write(text)
            continue
        from dralint.cli.destinations import save

        try:
            save(output.file, text.encode())
        except WriteError as error:
            failed.append(error)
    tell_errors(failed[1:])
    if failed:
        raise failed[0]


def _tell_statistics(findings: Sequence[Finding]) -> None:
    from dralint.report.statistics_text import statistics

    for line in statistics(findings):
        tell(line)


def _tell_summary(findings: Sequence[Finding], run: Run, counts: Tally) -> None:
    from dralint.lint.tally import said
    from dralint.report.check_text import totals

    tell(totals(findings, len(run.files)))
    tell(said(counts))
    assumptions = run.target.assumptions()
    if assumptions:
        tell(f"assumed: {'; '.join(assumptions)}")


def _selected(choice: Choice, problems: list[DralintError]) -> list[Rule]:
    """The rules that run; a rule file that is not valid is a problem, the others run."""
    from dralint.lint.rules import load_rules
    from dralint.lint.select import select

    broken: list[Any] = []
    rules = load_rules(choice.rules, broken)
    problems += broken
    return select(rules, choice.select, choice.ignore, choice.migration)


def execute(
    paths: Sequence[str], target: Any, choice: Choice, outputs: Sequence[Output], common: Common
) -> int:
    """Check, print, and return the exit code.

    0: no finding from the severity of --fail-on up; 1: there is one; 2: something could not be read.
    """
    from dralint.cli.inputs import make_context, read_inputs
    from dralint.kube.bundle import Bundle
    from dralint.kube.kinds import joined_words
    from dralint.lint.engine import lint
    from dralint.lint.run import Run
    from dralint.lint.select import ignored
    from dralint.lint.tally import tally
    from dralint.lint.templates import template_notes

    problems: list[DralintError] = []
    rules = _selected(choice, problems)
    words = joined_words([word.encode() for rule in rules for word in rule.words])
    inputs = read_inputs(paths, words=words, stdin_name=common.stdin_name)
    problems += inputs.problems
    run = Run(
        inputs.files,
        Bundle(inputs.files),
        make_context(inputs, words, choice.context),
        target,
        choice.complete,
        choice.migration,
        fixes=wants_fixes(outputs),
        engine=choice.engine,
    )
    findings = [each for each in lint(run, rules) if not ignored(each.rule, choice.ignore)]
    counts = tally(run)
    grave = _grave(choice.fail_on)
    _write(outputs, Results(findings, run, rules, counts, grave, problems, choice.sarif_category), common)
    tell_errors(problems)
    if choice.statistics:
        _tell_statistics(findings)
    if not common.quiet:
        for note in template_notes(run.files):
            tell(note)
        _tell_summary(findings, run, counts)
    if common.verbose:
        tell(f"{len(rules)} rules ran: {', '.join(rule.id for rule in rules)}")
    if problems:
        return 2
    return int(any(finding.severity in grave for finding in findings))


def _grave(fail_on: str) -> Sequence[str]:
    """The severities for which the exit code is 1."""
    return () if fail_on == "never" else FAIL_ON[: FAIL_ON.index(fail_on) + 1]


def _choice(**values: Any) -> tuple[Choice, Mapping[str, Any]]:
    chosen = {name: values.pop(name) for name in Choice._fields}
    return Choice(**chosen), values


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@target_options
@click.option("--select", multiple=True, metavar="RULE", help="Run only these: an id, a name or a layer.")
@click.option("--ignore", multiple=True, metavar="RULE", help="Leave these out: an id, a name or a layer.")
@click.option("--rules", multiple=True, metavar="DIR", help="Run a team's own rules, too.")
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    default="warning",
    show_default=True,
    help="Exit with 1 for findings of this severity or a graver one.",
)
@click.option(
    "--context",
    metavar="DIR|none",
    help="Where references may resolve besides the named files. Default: their git root.",
)
@click.option(
    "--complete", is_flag=True, help="The files are all there is: a name that resolves nowhere is an error."
)
@click.option("--migration", is_flag=True, help="Run the rules for habits of the device plugin, too.")
@click.option(
    "--output-format",
    "outputs",
    multiple=True,
    metavar="FORMAT[=FILE]",
    help="text (default; in GitHub Actions github), concise, json, sarif, github, gitlab or junit; to stdout or "
    "a file. May be repeated.",
)
@click.option("--statistics", is_flag=True, help="Count the findings of each rule, on stderr.")
@click.option(
    "--sarif-category",
    metavar="NAME",
    default="",
    help="Tells apart the SARIF of several runs on one commit, such as one for each chart.",
)
@click.option("--engine", metavar="NAME", help="The CEL engine: cel-expr-python (default) or cel-python.")
@common_options
def command(paths: Sequence[str], target: Any, outputs: Sequence[str], common: Common, **values: Any) -> int:
    """Lint manifests: files, directories, or - for standard input; without a path the current directory.

    Exit code 0: nothing found; 1: findings; 2: something could not be read, or the command line is wrong.
    """
    choice, _ = _choice(**values)
    return execute(paths, target, choice, parse_outputs(outputs), common)
