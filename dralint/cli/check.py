"""`dralint check`: lint manifests and report what is wrong."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from dralint.cli.messages import tell, tell_errors
from dralint.cli.options import Common, common_options, target_options
from dralint.errors import DralintError, UsageError

if TYPE_CHECKING:
    from dralint.lint.finding import Finding
    from dralint.lint.rule import Rule
    from dralint.lint.run import Run
    from dralint.lint.tally import Tally

FORMATS = ("text", "concise", "json")
FAIL_ON = ("error", "warning", "info", "never")


class Output(NamedTuple):
    """A format, and the file it is written to; None: stdout."""

    format: str
    file: str | None


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


def parse_outputs(texts: Sequence[str]) -> list[Output]:
    """`json=findings.json` and `text` as outputs; nothing: text. Raises UsageError."""
    outputs = []
    for text in texts or ("text",):
        name, equals, file = text.partition("=")
        if name not in FORMATS:
            raise UsageError(
                f"--output-format: there is no format {name!r}", advice=f"one of {', '.join(FORMATS)}"
            )
        if equals and not file:
            raise UsageError(f"--output-format {text}: the file's name is missing")
        outputs.append(Output(name, file or None))
    if sum(output.file is None for output in outputs) > 1:
        raise UsageError("two formats for stdout", advice="write one to a file: --output-format json=FILE")
    return outputs


def _rendered(output: Output, findings: Sequence[Finding], run: Run, summary: Any, colored: bool) -> str:
    texts = {file.file.name: file.text for file in run.files}
    if output.format == "json":
        from dralint.report.check_json import report

        return report(findings, texts, run.target, summary)
    from dralint.report.check_text import concise, full

    if output.format == "concise":
        lines = concise(findings, colored=colored)
    else:
        lines = full(findings, texts, colored=colored)
    return "".join(f"{line}\n" for line in lines)


def _write(
    outputs: Sequence[Output], findings: Sequence[Finding], run: Run, summary: Any, common: Common
) -> None:
    for output in outputs:
        to_stdout = output.file is None
        colored = to_stdout and common.colored(sys.stdout)
        text = _rendered(output, findings, run, summary, colored)
        if output.file is None:
            sys.stdout.write(text)
        else:
            from dralint.cli.destinations import save

            save(output.file, text.encode())


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
        fixes=any(output.format == "json" for output in outputs),
        engine=choice.engine,
    )
    findings = [each for each in lint(run, rules) if not ignored(each.rule, choice.ignore)]
    counts = tally(run)
    summary = _summary(run, counts, problems, outputs)
    _write(outputs, findings, run, summary, common)
    tell_errors(problems)
    if not common.quiet:
        for note in template_notes(run.files):
            tell(note)
        _tell_summary(findings, run, counts)
    if common.verbose:
        tell(f"{len(rules)} rules ran: {', '.join(rule.id for rule in rules)}")
    if problems:
        return 2
    return int(_fails(findings, choice.fail_on))


def _summary(run: Run, counts: Tally, problems: Sequence[DralintError], outputs: Sequence[Output]) -> Any:
    if not any(output.format == "json" for output in outputs):
        return None
    from dralint.report.check_json import Summary

    return Summary(len(run.files), counts, problems)


def _fails(findings: Sequence[Finding], fail_on: str) -> bool:
    if fail_on == "never":
        return False
    grave = FAIL_ON[: FAIL_ON.index(fail_on) + 1]
    return any(finding.severity in grave for finding in findings)


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
    help="text (default), concise or json; to stdout or a file. May be repeated.",
)
@click.option("--engine", metavar="NAME", help="The CEL engine: cel-expr-python (default) or cel-python.")
@common_options
def command(paths: Sequence[str], target: Any, outputs: Sequence[str], common: Common, **values: Any) -> int:
    """Lint manifests: files, directories, or - for standard input; without a path the current directory.

    Exit code 0: nothing found; 1: findings; 2: something could not be read, or the command line is wrong.
    """
    choice, _ = _choice(**values)
    return execute(paths, target, choice, parse_outputs(outputs), common)
