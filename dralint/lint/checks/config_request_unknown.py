"""config-request-unknown: configs and constraints name requests of their own claim."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.operations import Operation, Replace


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a name that no request has; the fix takes the nearest one."""
    facts = subject.facts
    if facts["known"]:
        return
    meant = facts["nearest"]
    operations: tuple[Operation, ...] = ()
    advice = "its requests are {requests}" if facts["requests"] else "it has no requests"
    if isinstance(meant, str):
        advice = f"did you mean {meant}?"
        operations = (Replace(subject.object.document, subject.path, meant),)
    requests = facts["requests"]
    names = ", ".join(map(str, requests)) if isinstance(requests, list) else ""
    yield Hit("", {"advice": advice.format(requests=names)}, None, (), operations, "unsafe")
