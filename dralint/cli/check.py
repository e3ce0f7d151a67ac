"""`dralint check`: lint manifests and report what is wrong."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from dralint.cli.choice import FAIL_ON, Choice, settled, validate
from dralint.cli.formats import Output, Results, guard_outputs, parse_outputs, rendered, wants_fixes
from dralint.cli.help_text import Grouped
from dralint.cli.messages import tell, tell_assumptions, tell_errors, tell_run
from dralint.cli.options import Common, common_options, target_flags
from dralint.errors import DralintError, WriteError

if TYPE_CHECKING:
    from dralint.cli.before import Before
    from dralint.cli.checker import Checker
    from dralint.cli.fixes import Fixing
    from dralint.cli.inputs import Inputs
    from dralint.cli.news import News
    from dralint.cli.targets import TargetFlags
    from dralint.lint.baseline import Scope
    from dralint.lint.engine import Judged
    from dralint.lint.finding import Finding
    from dralint.lint.run import Run
    from dralint.lint.tally import Tally


class Checked(NamedTuple):
    """What a check gave: findings that are reported, how many are suppressed, and what else was done.

    run  with the files as they are after fixes
    """

    run: Run
    findings: Sequence[Finding]
    suppressed: int
    news: News | None
    fixing: Fixing | None


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


def _tell_summary(checked: Checked, counts: Tally, choice: Choice, *, verbose: bool) -> None:
    from dralint.lint.tally import said
    from dralint.report.check_text import totals

    more = [f"{checked.suppressed} suppressed"] if checked.suppressed else []
    more += checked.news.left_out() if checked.news else ()
    found = ", ".join([totals(checked.findings, len(checked.run.files)), *more])
    if checked.fixing:
        from dralint.report.fixes_text import made

        found = f"{made(checked.fixing.counts, written=not choice.diff)}; left: {found}"
    tell(found)
    tell(said(counts))
    tell_assumptions(checked.run.target, verbose=verbose)
    if checked.fixing and not checked.fixing.settled:
        tell("note: some fixes undo each other; look at what changed")
    if checked.findings:
        from dralint.report.fixes_text import available

        left = available(checked.findings, fixing=choice.fixes, all_tried=checked.run.room[0] > 0)
        if left:
            tell(left)


def _before(choice: Choice, paths: Sequence[str], inputs: Inputs, checker: Checker) -> Before | None:
    """The files at the revision of --base; None where nobody asks for it."""
    if choice.base is None:
        return None
    from dralint.cli.before import Before

    return Before(choice.base, paths, inputs.files, checker.words)


def _news(choice: Choice, run: Run, judged: Judged, checker: Checker, before: Before | None) -> News | None:
    """What tells findings that are known, or were there before; None where all are news."""
    if choice.baseline is None and before is None:
        return None
    from dralint.cli.news import News

    news = News(choice)
    if before is not None:
        news.then = before.findings(run, checker, judged.findings, choice.context)
    return news


def _scope(paths: Sequence[str], checker: Checker, problems: Sequence[DralintError], common: Common) -> Scope:
    from dralint.lint.baseline import Scope

    named = [common.stdin_name if path == "-" else path for path in paths or (".",)]
    unread = {problem.place.path for problem in problems if problem.place}
    return Scope(named, unread, {rule.id for rule in checker.rules})


def execute(
    paths: Sequence[str], flags: TargetFlags, choice: Choice, outputs: Sequence[Output], common: Common
) -> int:
    """Check, print, and return the exit code.

    0: no finding from the severity of --fail-on up; 1: there is one, or --diff shows a change; 2: something
    could not be read or written.
    """
    from dralint.cli.checker import Checker
    from dralint.cli.inputs import excluded_notes, make_context, read_inputs
    from dralint.cli.inventories import given_inventory, tell_notes
    from dralint.kube.bundle import Bundle, in_order
    from dralint.lint.explained import unexplained
    from dralint.lint.run import Run, room
    from dralint.lint.tally import tally
    from dralint.lint.templates import template_notes
    from dralint.lint.unread import unread_notes

    config = common.configuration
    problems: list[DralintError] = []
    checker = Checker(choice, flags, config, problems)
    inputs = read_inputs(
        paths,
        words=checker.words,
        stdin_name=common.stdin_name,
        passed_over=[output.file for output in outputs if output.file],
        excluded=config.excluded,
    )
    problems += inputs.problems
    inventory = given_inventory(choice.inventory, checker.target, common.stdin_name, problems)
    before = _before(choice, paths, inputs, checker)
    files = in_order(inputs.files)
    run = Run(
        files,
        Bundle(files),
        make_context(inputs, checker.words, choice.context),
        checker.target,
        choice.complete,
        choice.migration,
        fixes=choice.fixes or not common.quiet or wants_fixes(outputs),
        fixing=bool(choice.fixes),
        room=[room(made=bool(choice.fixes), shown=wants_fixes(outputs))],
        engine=choice.engine,
        given=inventory,
        past=None if before is None else lambda: before.bundle,
    )
    judged = checker.judge(run)
    problems[:] = unexplained(problems, judged.findings, checker.rules, run.files)
    news = _news(choice, run, judged, checker, before)
    new = news.new if news else list
    fixing = None
    if choice.fixes:
        from dralint.cli.fixes import delivered, fixed

        fixing = fixed(run, judged, checker, new, unsafe=choice.unsafe_fixes)
        fixing, unwritten = delivered(fixing, checker, write=not choice.diff, common=common)
        problems += unwritten
        run, judged = fixing.run, fixing.judged
    run = dataclasses.replace(run, target=judged.target or run.target)
    findings = new(judged.findings)
    scope = _scope(paths, checker, problems, common) if news else None
    written = ""
    if choice.write_baseline and news and scope:
        written = news.write(scope)
        findings = new(judged.findings)
    checked = Checked(run, findings, judged.suppressed, news, fixing)
    counts, left_out = tally(run), (judged.suppressed, news.dropped if news else 0)
    results = Results(
        findings, run, checker.rules, counts, choice.grave, problems, choice.sarif_category, left_out
    )
    _write(outputs, results, common)
    tell_errors(problems)
    if choice.statistics:
        _tell_statistics(findings)
    if not common.quiet:
        for note in excluded_notes(inputs, config):
            tell(note)
        tell_notes(inventory)
        for note in [*template_notes(run.files), *unread_notes(run.files, checker.rules)]:
            tell(note)
        stale = news.stale(scope, verbose=common.verbose) if news and scope else ()
        for note in [*stale, *([written] if written else [])]:
            tell(note)
        _tell_summary(checked, counts, choice, verbose=common.verbose)
    if common.verbose:
        tell_run(config.file, [rule.id for rule in checker.rules])
    if problems:
        return 2
    changes = choice.diff and fixing is not None and bool(fixing.results)
    return int(changes or any(finding.severity in choice.grave for finding in findings))


def _choice(**values: Any) -> Choice:
    return Choice(**{name: values.pop(name) for name in Choice._fields})


@click.command("check", cls=Grouped, short_help="Find mistakes in manifests.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@target_flags
@click.option(
    "--select",
    multiple=True,
    metavar="RULE",
    help="Run only these: ids, names or layers, with commas between. May be repeated.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="RULE",
    help="Leave these out: ids, names or layers, with commas between. May be repeated.",
)
@click.option("--rules", multiple=True, metavar="DIR", help="Run a team's own rules, too. May be repeated.")
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    help="Exit with 1 for findings of this severity or a graver one. Default: warning.",
)
@click.option(
    "--context",
    metavar="DIR|none",
    help="Where references may resolve besides the named files. Default: their git root.",
)
@click.option(
    "--complete", is_flag=True, help="The files are all there is: a name that resolves nowhere is an error."
)
@click.option(
    "--inventory",
    multiple=True,
    metavar="FILE",
    help="The devices that the cluster has: ResourceSlices, or Nodes with labels, in YAML or JSON; - is stdin. "
    "May be repeated. Default: those beside or above each file, else the catalogue of known cards.",
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
@click.option("--fix", is_flag=True, help="Change the files, where a finding has a safe fix.")
@click.option(
    "--unsafe-fixes", is_flag=True, help="With --fix or --diff: fixes that may change what runs, too."
)
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option(
    "--base", metavar="REV", help="Report only what was not there where REV and HEAD part, as git knows it."
)
@click.option("--baseline", metavar="FILE", help="Leave out the findings that FILE lists as known.")
@click.option("--write-baseline", is_flag=True, help="Write the findings into the --baseline file.")
@click.option("--engine", metavar="NAME", help="The CEL engine: cel-expr-python (default) or cel-python.")
@common_options
def command(
    paths: Sequence[str], target: TargetFlags, outputs: Sequence[str], common: Common, **values: Any
) -> int:
    """Lint manifests: files, directories, or - for standard input; without a path the current directory.

    Exit code 0: nothing found from the severity of --fail-on up; 1: findings, or --diff has something to show; 2: something
    could not be read, or the command line is wrong.
    """
    choice = settled(_choice(**values), common.configuration)
    validate(choice, paths, outputs)
    # A diff has stdout for itself.
    wanted = [] if choice.diff and not outputs else parse_outputs(outputs)
    guard_outputs(wanted, paths)
    return execute(paths, target, choice, wanted, common)
