"""Findings as a person reads them: place, source line with a caret, hint; or one line each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dralint.report.escape import escape
from dralint.report.words import NO_FILES, counted

if TYPE_CHECKING:  # most files have no findings
    from dralint.lint.finding import Finding, Region
    from dralint.yamltext.text import SourceText

_BOLD, _BLUE, _RESET = "\033[1m", "\033[1;34m", "\033[0m"
_SEVERITY = {"error": "\033[1;31m", "warning": "\033[1;33m", "info": "\033[1;36m"}


class _Paint:
    """Colours, or none."""

    def __init__(self, colored: bool) -> None:
        self._colored = colored

    def __call__(self, color: str, text: str) -> str:
        return f"{color}{text}{_RESET}" if self._colored else text


def _place(region: Region) -> str:
    return f"{escape(region.path)}:{region.line}:{region.column}"


def _head(finding: Finding, paint: _Paint) -> str:
    severity = paint(_SEVERITY[finding.severity], finding.severity)
    return (
        f"{paint(_BOLD, _place(finding.region))}: {severity}[{finding.rule} {finding.name}] "
        f"{escape(finding.message)}"
    )


def _rendered(finding: Finding) -> str | None:
    """Where rendered output comes from; its lines are in no file that anybody edits."""
    if finding.source is None:
        return None
    ref = finding.object
    name = "/".join(part for part in (ref.namespace, ref.name) if part) if ref else ""
    what = f" ({ref.kind} {name})" if ref and ref.kind and name else ""
    return escape(f"{finding.source.template} of chart {finding.source.chart}{what}")


def _details(finding: Finding) -> Iterator[tuple[str, str]]:
    rendered = _rendered(finding)
    if rendered:
        yield "from", rendered
    for related in finding.related:
        yield "note", f"{_place(related.region)}: {escape(related.message)}"
    if finding.help:
        yield "help", escape(finding.help)
    yield "more", f"dralint explain {finding.rule}"


def _source(finding: Finding, text: SourceText, paint: _Paint) -> Iterator[str]:
    from dralint.report.excerpt import excerpt

    number = str(finding.region.line)
    margin = " " * len(number)
    shown = excerpt(text, finding.region)
    bar = paint(_BLUE, "|")
    yield f"{margin} {bar}"
    yield f"{paint(_BLUE, number)} {bar} {shown.line}"
    yield f"{margin} {bar} {paint(_SEVERITY[finding.severity], shown.carets)}"


def full(
    findings: Sequence[Finding], texts: Mapping[str, SourceText], *, colored: bool = False
) -> Iterator[str]:
    """Lines: every finding with its source line, an empty line after each.

    texts  the files' texts by name; a finding in another file has no source line
    """
    paint = _Paint(colored)
    for finding in findings:
        yield _head(finding, paint)
        text = texts.get(finding.region.path)
        if text is not None:
            yield from _source(finding, text, paint)
        margin = " " * len(str(finding.region.line)) if text is not None else ""
        for name, detail in _details(finding):
            yield f"{margin} {paint(_BLUE, '=')} {paint(_BOLD, name)}: {detail}"
        yield ""


def concise(findings: Sequence[Finding], *, colored: bool = False) -> Iterator[str]:
    """Lines: one for every finding."""
    paint = _Paint(colored)
    for finding in findings:
        rendered = _rendered(finding)
        yield _head(finding, paint) + (f" [{rendered}]" if rendered else "")


def totals(findings: Sequence[Finding], files: int) -> str:
    """`2 errors, 1 warning in 1 of 3 files`."""
    if not files:
        return NO_FILES
    where = counted(files, "file")
    if not findings:
        return f"no findings in {where}"
    from dralint.lint.finding import SEVERITIES

    counts = Counter(finding.severity for finding in findings)
    said = ", ".join(counted(counts[each], each) for each in SEVERITIES if counts[each])
    hit = len({finding.region.path for finding in findings})
    return f"{said} in {hit} of {where}"
