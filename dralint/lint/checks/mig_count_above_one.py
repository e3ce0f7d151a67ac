"""mig-count-above-one: one process uses one MIG device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each request for more than one MIG device by name."""
    facts: Any = subject.facts
    for index, request in enumerate(facts["plugin_requests"]):
        if request["base"] == "mig" and (request["count"] or 0) > 1:
            yield Hit(f"@plugin{index}", {"resource": request["resource"], "count": str(request["count"])})
