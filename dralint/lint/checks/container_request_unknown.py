"""container-request-unknown: a container can only pick a request that its claim has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.operations import Replace


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a request that no candidate of the claim has; the fix takes the nearest name."""
    facts: Any = subject.facts
    if facts["request_known"] or facts["templated"]:
        return
    meant, names = facts["nearest_request"], ", ".join(facts["requests"])
    if isinstance(meant, str):
        fix = (Replace(subject.object.document, (*subject.path, "request"), meant),)
        yield Hit("request", {"advice": f"did you mean {meant}?"}, operations=fix)
    elif names:
        yield Hit("request", {"advice": f"its requests are {names}; leave `request` out to get all"})
    else:
        yield Hit("request", {"advice": "it has no named requests"})
