"""The formats of `dralint check`: which there are, where each goes, and what makes it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dralint.cli.messages import on_github
from dralint.errors import DralintError, UsageError

if TYPE_CHECKING:
    from dralint.lint.finding import Finding
    from dralint.lint.rule import AnyRule
    from dralint.lint.run import Run
    from dralint.lint.tally import Tally
    from dralint.yamltext.text import SourceText


class Output(NamedTuple):
    """A format, and the file it is written to; None: stdout."""

    format: str
    file: str | None


class Results(NamedTuple):
    """What a run gave, for every format.

    rules     those that ran
    grave     the severities for which the exit code is 1
    problems  what could not be read
    category  tells runs on one commit apart; "" for the only one
    left_out  how many findings are suppressed, and how many are known or were there before
    """

    findings: Sequence[Finding]
    run: Run
    rules: Sequence[AnyRule]
    counts: Tally
    grave: Sequence[str]
    problems: Sequence[DralintError]
    category: str = ""
    left_out: tuple[int, int] = (0, 0)


def _texts(results: Results) -> Mapping[str, SourceText]:
    return {file.file.name: file.text for file in results.run.files}


def _root() -> str:
    """The root of the work tree of the current directory: CI services name files from there."""
    from dralint.source.git import git_root

    here = os.getcwd()
    return git_root(here) or here


def _lines(lines: Iterable[str]) -> str:
    if on_github():
        from dralint.report.github import disarmed

        lines = map(disarmed, lines)
    return "".join(f"{line}\n" for line in lines)


def _text(results: Results, colored: bool) -> str:
    from dralint.report.check_text import full

    return _lines(full(results.findings, _texts(results), colored=colored))


def _concise(results: Results, colored: bool) -> str:
    from dralint.report.check_text import concise

    return _lines(concise(results.findings, colored=colored))


def _json(results: Results, colored: bool) -> str:  # noqa: ARG001
    from dralint.report.check_json import Summary, report

    summary = Summary(len(results.run.files), results.counts, results.problems, *results.left_out)
    return report(results.findings, _texts(results), results.run.target, summary)


def _sarif(results: Results, colored: bool) -> str:  # noqa: ARG001
    from dralint.lint.rules import whole
    from dralint.report.sarif import report

    return report(
        results.findings,
        _texts(results),
        results.run.target,
        [*map(whole, results.rules)],
        results.problems,
        _root(),
        results.category,
    )


def _github(results: Results, colored: bool) -> str:  # noqa: ARG001
    from dralint.report.github import report

    return "".join(f"{line}\n" for line in report(results.findings, results.problems, _root()))


def _gitlab(results: Results, colored: bool) -> str:  # noqa: ARG001
    from dralint.report.gitlab import report

    return report(results.findings, results.problems, _root())


def _junit(results: Results, colored: bool) -> str:  # noqa: ARG001
    from dralint.report.junit import report

    files = [file.file.name for file in results.run.files]
    return report(files, results.findings, results.problems, results.grave, _root())


FORMATS: Mapping[str, Callable[[Results, bool], str]] = {
    "text": _text,
    "concise": _concise,
    "json": _json,
    "sarif": _sarif,
    "github": _github,
    "gitlab": _gitlab,
    "junit": _junit,
}
_WITH_FIXES = ("json", "sarif")


_STDOUT = "-"


def _same(path: str, other: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


def parse_outputs(texts: Sequence[str]) -> list[Output]:
    """`json=findings.json` and `text` as outputs; nothing: text, in GitHub Actions github. Raises UsageError."""
    outputs: list[Output] = []
    for text in texts or ("github" if on_github() else "text",):
        name, equals, file = text.partition("=")
        if name not in FORMATS:
            raise UsageError(
                f"--output-format: there is no format {name!r}", advice=f"one of {', '.join(FORMATS)}"
            )
        if equals and not file:
            raise UsageError(f"--output-format {text}: the file's name is missing")
        if file == _STDOUT:
            file = ""
        if file and any(output.file and _same(output.file, file) for output in outputs):
            raise UsageError(f"two formats for the file {file}", advice="give each its own")
        outputs.append(Output(name, file or None))
    if sum(output.file is None for output in outputs) > 1:
        raise UsageError("two formats for stdout", advice="write one to a file: --output-format json=FILE")
    return outputs


def guard_outputs(outputs: Sequence[Output], paths: Sequence[str]) -> None:
    """Make sure that the files of the outputs can be written, and hold nothing else.

    paths  those of the command line

    Raises UsageError, or WriteError.
    """
    for output in outputs:
        if output.file:
            from dralint.cli.guard import guard

            guard(output.file, paths)


def wants_fixes(outputs: Sequence[Output]) -> bool:
    """Whether one of the formats shows the edits of fixes; making them costs time."""
    return any(output.format in _WITH_FIXES for output in outputs)


def rendered(output: Output, results: Results, *, colored: bool) -> str:
    """The whole text of an output."""
    return FORMATS[output.format](results, colored)
