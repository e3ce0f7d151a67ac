"""config-request-unknown: configs and constraints name requests of their own claim."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.operations import Replace


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a name that no request has; the fix takes the nearest one."""
    facts: Any = subject.facts
    if facts["known"]:
        return
    meant = facts["nearest"]
    if isinstance(meant, str):
        fix = (Replace(subject.object.document, subject.path, meant),)
        yield Hit("", {"advice": f"did you mean {meant}?"}, operations=fix)
    else:
        names = ", ".join(facts["requests"])
        yield Hit("", {"advice": f"its requests are {names}" if names else "it has no named requests"})
