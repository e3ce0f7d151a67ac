"""container-request-unknown: a container can only pick a request that its claim has."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.operations import Operation, Replace


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a request that no candidate of the claim has; the fix takes the nearest name."""
    facts = subject.facts
    if facts["request_known"] or facts["templated"]:
        return
    requests, meant = facts["requests"], facts["nearest_request"]
    names = ", ".join(map(str, requests)) if isinstance(requests, list) else ""
    operations: tuple[Operation, ...] = ()
    advice = (
        f"the claim's requests are {names}; leave `request` out to get all"
        if names
        else "the claim has no named request"
    )
    if isinstance(meant, str):
        advice = f"did you mean {meant}?"
        operations = (Replace(subject.object.document, (*subject.path, "request"), meant),)
    yield Hit("request", {"advice": advice}, None, (), operations, "unsafe")
