"""shared-resource-suffix: `.shared` names are the device plugin's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each request for a resource whose name says that it is shared."""
    facts: Any = subject.facts
    for index, request in enumerate(facts["plugin_requests"]):
        if request["shared"]:
            yield Hit(f"@plugin{index}", {"resource": request["resource"]})
