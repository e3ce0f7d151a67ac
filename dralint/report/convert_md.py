"""A conversion as Markdown, for a pull request or a wiki."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from dralint.report.convert_page import NeededClass, Page, Total, page
from dralint.report.words import counted

if TYPE_CHECKING:
    from dralint.convert.model import Conversion
    from dralint.errors import DralintError

# What Markdown or HTML would read as its own.
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>|~#!&@]")
_FENCE = re.compile(r"`{3,}")


def _text(text: str) -> str:
    """The text as it is, whatever Markdown makes of its characters."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def _code(text: str) -> str:
    """The text as code in a line or a cell."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    ticks, gap = "`" * (longest + 1), " " if longest else ""
    # In a table a bar ends the cell, in code too.
    return f"{ticks}{gap}{text}{gap}{ticks}".replace("|", "\\|")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _totals(name: str, shown: Page, totals: Sequence[Total]) -> Iterator[str]:
    rows = [(each.name, each) for each in totals] + [("all", shown.totals)]
    yield from _table(
        (name, "requests", *shown.outcomes),
        ((_text(label), str(each.all), *map(str, each.counts)) for label, each in rows),
    )


def _fenced(text: str) -> Iterator[str]:
    longest = max(map(len, _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    yield from (f"{fence}diff", text, fence)


def _classes(classes: Sequence[NeededClass]) -> Iterator[str]:
    yield from _table(
        ("state", "class", "for", "why"),
        (
            (f"**{each.state}**", _code(each.name), _code(each.resource), _text(each.reason))
            for each in classes
        ),
    )
    texts = [each.text for each in classes if each.text]
    if texts:
        yield from ("", "```yaml", "\n---\n".join(texts), "```")


def _head(shown: Page) -> Iterator[str]:
    counts = ", ".join(
        f"{count} {outcome}" for count, outcome in zip(shown.totals.counts, shown.outcomes, strict=True)
    )
    yield "# Move to Dynamic Resource Allocation"
    yield f"{counted(shown.totals.all, 'GPU request')}: {counts}."
    advice = ", ".join(f"{count} {word}" for word, count in shown.advice)
    yield f"{counted(len(shown.workloads), 'workload')}: {advice}."
    yield ", ".join(f"{_text(name)} {_text(value)}" for name, value in shown.target) + "."


def _steps(shown: Page) -> Iterator[str]:
    for number, (title, text) in enumerate(shown.steps, 1):
        yield f"{number}. **{_text(title)}.** {_text(text)}"


def _workloads(shown: Page) -> Iterator[str]:
    yield from _table(
        ("advice", "workload", "where", "requests", "why"),
        (
            (
                f"**{each.advice}**",
                _text(each.subject),
                _code(each.place),
                str(each.requests),
                _text("; ".join(each.reasons)),
            )
            for each in shown.workloads
        ),
    )


def _requests(shown: Page) -> Iterator[str]:
    yield from _table(
        ("outcome", "request", "in", "where", "why", "what to do"),
        (
            (
                f"**{each.outcome}**",
                f"{_code(each.resource)} {_code(each.quantity)}",
                _text(each.subject),
                _code(each.place),
                _text(f"{each.reason}: {each.claim}" if each.claim else each.reason),
                _text(each.next),
            )
            for each in shown.rows
        ),
    )


def _remarks(shown: Page) -> Iterator[str]:
    yield from _table(
        ("", "about", "where", "what to know"),
        ((each.weight, _text(each.topic), _code(each.place), _text(each.message)) for each in shown.remarks),
    )


def _diffs(shown: Page) -> Iterator[str]:
    for diff in shown.diffs:
        yield from _fenced(diff.text)
    if shown.left_out:
        yield f"{counted(shown.left_out, 'more changed file')}: `dralint convert` shows the difference."


def _listed(texts: Iterable[str]) -> Iterator[str]:
    return (f"- {_text(each)}" for each in texts)


def _sections(shown: Page) -> Iterator[tuple[str, Iterable[str]]]:
    """The parts of the report by their title; one without lines is left out."""
    yield "What could not be read or written", _listed(shown.problems)
    yield "What to do on the cluster", _steps(shown)
    if shown.rows:
        yield "By namespace", _totals("namespace", shown, shown.namespaces)
        yield "By kind", _totals("kind", shown, shown.kinds)
        yield "Workloads", _workloads(shown)
        yield "Requests", _requests(shown)
    if shown.classes:
        yield "DeviceClasses", _classes(shown.classes)
    if shown.remarks:
        yield "Beside the workloads", _remarks(shown)
    yield "Taken for granted", _listed(shown.assumptions)
    yield "Before and after", _diffs(shown)


def report(conversion: Conversion, problems: Sequence[DralintError]) -> str:
    """The Markdown text of `convert --report FILE.md`.

    problems  what could not be read or written
    """
    shown = page(conversion, problems)
    parts = ["\n\n".join(_head(shown))]
    for title, lines in _sections(shown):
        body = "\n".join(lines)
        if body:
            parts.append(f"## {title}\n\n{body}")
    return "\n\n".join(parts) + "\n"
