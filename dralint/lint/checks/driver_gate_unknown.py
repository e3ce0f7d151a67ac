"""driver-gate-unknown: the driver does not start with a gate that it does not have."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.operations import Rename


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a gate that the installed release does not have; the fix writes the name it was meant for."""
    facts = subject.facts
    if facts["known"] or facts["value"] is None:
        return
    since, meant = facts["since"], facts["nearest"]
    if since is not None:
        values = {"since_then": f", it came with {since}", "advice": f"drop it, or install driver {since}"}
        yield Hit("", values)
        return
    fix = (Rename(subject.object.document, subject.path, meant),) if isinstance(meant, str) else ()
    advice = f"did you mean {meant}?" if meant else "its gates are in the documentation, feature-gates.md"
    yield Hit("", {"since_then": "", "advice": advice}, operations=fix)
