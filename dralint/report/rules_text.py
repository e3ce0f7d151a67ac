"""Rules for people: the table of all of them, and one explained with its examples."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dralint.lint.rule import Rule
from dralint.report.escape import escape

_WIDTH = 88
LAYERS = {
    "api": "the API server refuses it",
    "runtime": "accepted, but the pod gets no device, the wrong one, or never starts",
    "migration": "a habit of the device plugin whose meaning changes under DRA; runs with --migration",
    "advice": "works, but can be done better",
    "engine": "dralint itself",
}


NEEDS = {
    "context": "the rest of the git root of the named files, or --context",
    "installation": "what installs the DRA driver there, where the named files do not say it",
}


def _severity(rule: Rule) -> str:
    """`error`, or `error/warning` where it depends on the case."""
    return "/".join(dict.fromkeys(case.severity for case in rule.severity))


def table(rules: Sequence[Rule]) -> Iterator[str]:
    """Lines: id, name, layer, severity and summary of each rule, in columns."""
    rows = [(rule.id, rule.name, rule.layer, _severity(rule), escape(rule.summary)) for rule in rules]
    head = ("ID", "NAME", "LAYER", "SEVERITY", "SUMMARY")
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(4)]
    for row in [head, *rows]:
        yield "  ".join(
            [*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]]
        ).rstrip()


def rule_data(rule: Rule) -> Mapping[str, Any]:
    """A rule as `dralint rules --output-format json` writes it."""
    return {
        "id": rule.id,
        "name": rule.name,
        "layer": rule.layer,
        "severity": [{"if": case.condition, "is": case.severity} for case in rule.severity],
        "summary": rule.summary,
        "why": rule.why,
        "needs": list(rule.needs),
        "fix": rule.fix.applicability if rule.fix else None,
        "since": rule.since,
        "sources": list(rule.sources),
    }


def _wrapped(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(text.strip().split("\n\n")):
        if number:
            yield ""
        yield from textwrap.wrap(" ".join(paragraph.split()), _WIDTH, break_long_words=False)


def _severity_lines(rule: Rule) -> Iterator[str]:
    if len(rule.severity) == 1:
        yield f"Severity: {rule.severity[0].severity}"
        return
    yield "Severity:"
    for case in rule.severity:
        condition = " ".join(case.condition.split()) if case.condition else ""
        yield f"  {case.severity} if {condition}" if condition else f"  {case.severity} otherwise"


def _example(example: Mapping[str, Any]) -> Iterator[str]:
    files = example["files"]
    given = " ".join(example.get("args", ()))
    if given:
        yield f"  with {given}"
    marked = example.get("file", next(iter(files)))
    for name, text in files.items():
        if len(files) > 1:
            yield f"  # {name}"
        for number, line in enumerate(text.rstrip("\n").split("\n"), 1):
            mark = ">" if name == marked and number == example.get("line") else " "
            yield f"{mark} {'  '}{line}".rstrip()


def _shown(line: str) -> str:
    return "\t".join(map(escape, line.split("\t")))


def explained(rule: Rule, examples: Mapping[str, Any]) -> Iterator[str]:
    """Lines: all that a rule's file says of it. examples: its `bad` and `good`, or nothing."""
    return map(_shown, _explained(rule, examples))


def _explained(rule: Rule, examples: Mapping[str, Any]) -> Iterator[str]:
    yield f"{rule.id} {rule.name}"
    yield ""
    yield f"{rule.summary}."
    yield ""
    yield f"Layer:    {rule.layer} ({LAYERS[rule.layer]})"
    yield from _severity_lines(rule)
    for need in rule.needs:
        yield f"Needs:    {need} ({NEEDS[need]})"
    if rule.since:
        yield f"Since:    {rule.since}"
    yield ""
    yield from _wrapped(rule.why)
    if rule.fix:
        yield ""
        yield f"Fix ({rule.fix.applicability}): {rule.fix.title}"
    for title, key in (("Bad", "bad"), ("Good", "good")):
        for example in examples.get(key, ())[:1]:
            yield ""
            yield f"{title}:"
            yield ""
            yield from _example(example)
    if rule.sources:
        yield ""
        yield "Sources:"
        yield from (f"  {source}" for source in rule.sources)
