"""Findings as JUnit XML: a suite for each file, a case for each finding (schemas/junit.xsd)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from dralint.errors import DralintError
from dralint.lint.finding import Finding
from dralint.report.escape import escape
from dralint.report.located import place_text, reported_path, repository_path, subject_text


class _Suites:
    """A suite for each file, with its cases. Everything is escaped: XML cannot hold control characters."""

    def __init__(self) -> None:
        self._suites: dict[str, Element] = {}
        self._named: Counter[tuple[str, str]] = Counter()

    def suite(self, path: str) -> Element:
        shown = escape(path)
        if shown not in self._suites:
            self._suites[shown] = Element("testsuite", name=shown)
        return self._suites[shown]

    def case(self, suite: Element, name: str, file: str, line: int | None = None) -> Element:
        """A new case. Servers tell cases apart by these names, over runs, too: no lines in them."""
        path = escape(file)
        self._named[path, name] += 1
        number = self._named[path, name]
        shown = name if number == 1 else f"{name} ({number})"
        case = SubElement(suite, "testcase", classname=path, name=shown, file=path)
        if line is not None:
            case.set("line", str(line))
        return case

    def all(self) -> Iterable[Element]:
        """The suites; one without cases gets one that passes."""
        for path, suite in self._suites.items():
            if len(suite) == 0:
                self.case(suite, "dralint check", path)
        return self._suites.values()


def _details(finding: Finding) -> Iterator[str]:
    rule = f"{finding.severity}[{finding.rule} {finding.name}]"
    yield f"{place_text(finding)}: {rule} {escape(finding.message)}"
    for related in finding.related:
        region = related.region
        yield f"note: {escape(region.path)}:{region.line}:{region.column}: {escape(related.message)}"
    if finding.help:
        yield f"help: {escape(finding.help)}"
    yield f"more: dralint explain {finding.rule}"


def _add_finding(suites: _Suites, finding: Finding, grave: Sequence[str], root: str) -> None:
    subject = subject_text(finding)
    name = f"{finding.rule} {finding.name}{': ' if subject else ''}{subject}"
    line = None if finding.source else finding.region.line
    suite = suites.suite(repository_path(finding.region.path, root))
    case = suites.case(suite, name, reported_path(finding, root), line)
    if finding.severity in grave:
        told = SubElement(case, "failure", type=finding.rule, message=escape(finding.message))
    else:
        told = SubElement(case, "system-out")
    told.text = "\n".join(_details(finding))


def _add_problem(suites: _Suites, problem: DralintError, root: str) -> None:
    place = problem.place
    path = repository_path(place.path, root) if place else "dralint"
    case = suites.case(suites.suite(path), "not checked", path, place.line if place else None)
    told = SubElement(case, "error", type=type(problem).__name__, message=escape(problem.what))
    told.text = escape(str(problem))


def _count(element: Element) -> Mapping[str, int]:
    tags = {"tests": "testcase", "failures": "failure", "errors": "error"}
    return {name: len(element.findall(f".//{tag}")) for name, tag in tags.items()}


def report(
    files: Sequence[str],
    findings: Sequence[Finding],
    problems: Sequence[DralintError],
    grave: Sequence[str],
    root: str,
) -> str:
    """The XML text, in ASCII. A file without findings is one case that passes.

    files     the names of all that were checked
    problems  what could not be read: errors
    grave     severities that are failures; findings of others pass and are told in system-out
    root      the absolute path of the work tree's root; files are named from there
    """
    suites = _Suites()
    for name in files:
        suites.suite(repository_path(name, root))
    for finding in findings:
        _add_finding(suites, finding, grave, root)
    for problem in problems:
        _add_problem(suites, problem, root)
    top = Element("testsuites", name="dralint")
    for suite in suites.all():
        for name, number in _count(suite).items():
            suite.set(name, str(number))
        top.append(suite)
    for name, number in _count(top).items():
        top.set(name, str(number))
    indent(top)
    data: bytes = tostring(top, encoding="us-ascii", xml_declaration=True)
    return data.decode("ascii") + "\n"
