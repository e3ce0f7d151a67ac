"""Findings as workflow commands, which GitHub Actions shows as annotations of a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from dralint.errors import DralintError
from dralint.lint.finding import Finding
from dralint.report.escape import escape
from dralint.report.located import place_text, repository_path, subject_text

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def _property(text: str) -> str:
    """A property's value; line breaks of a file's name are kept, for the file to be found."""
    return re.sub(r"[^\r\n]+", lambda part: escape(part[0]), text).translate(_PROPERTY)


def _command(name: str, properties: Mapping[str, str | int], message: Sequence[str]) -> str:
    given = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {given}::" + "\n".join(message).translate(_DATA)


def _place(finding: Finding, root: str) -> Mapping[str, str | int]:
    """Columns only within one line: GitHub takes them for no others."""
    if finding.source is not None:
        return {"file": finding.source.template}
    region = finding.region
    place: dict[str, str | int] = {"file": repository_path(region.path, root), "line": region.line}
    if region.end_line != region.line:
        return {**place, "endLine": region.end_line}
    return {**place, "col": region.column, "endLine": region.end_line, "endColumn": region.end_column}


def _message(finding: Finding) -> Iterator[str]:
    """Lines. The first begins with the place: the log of a run shows nothing else of it."""
    where = escape(finding.source.template) if finding.source else place_text(finding)
    yield f"{where}: {escape(finding.message)}"
    if finding.source:
        subject = subject_text(finding)
        yield f"rendered: {place_text(finding)}{', ' if subject else ''}{subject}"
    for related in finding.related:
        region = related.region
        yield f"note: {escape(region.path)}:{region.line}:{region.column}: {escape(related.message)}"
    if finding.help:
        yield f"help: {escape(finding.help)}"


def _problem(problem: DralintError, root: str) -> str:
    place = problem.place
    properties: dict[str, str | int] = {}
    if place is not None:
        properties["file"] = repository_path(place.path, root)
        numbers = {"line": place.line, "col": place.column}
        properties |= {key: number for key, number in numbers.items() if number is not None}
    return _command("error", {**properties, "title": "dralint"}, [escape(str(problem))])


def report(findings: Sequence[Finding], problems: Sequence[DralintError], root: str) -> Iterator[str]:
    """Lines: one command for each finding and each problem.

    root  the absolute path of the work tree's root; files are named from there
    """
    for finding in findings:
        title = f"{finding.rule} {finding.name}"
        properties = {**_place(finding, root), "title": title}
        yield _command(_COMMANDS[finding.severity], properties, [*_message(finding)])
    for problem in problems:
        yield _problem(problem, root)


def disarmed(line: str) -> str:
    """A line of another format, so that the runner takes nothing in it for a command.

    A stranger's file may be called `::add-mask::x`, or hold `##[add-mask]x` in a line that is shown.
    """
    line = re.sub(r"^(\s*):(?=:)", r"\1\\x3a", line)
    return line.replace("##[", "#\\x23[")
