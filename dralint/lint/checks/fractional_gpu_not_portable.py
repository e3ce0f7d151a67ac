"""fractional-gpu-not-portable: memory and cores of a GPU as resources are a scheduler extender's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.resources import PARTS


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for the first request of a pod for a part of a GPU."""
    facts: Any = subject.facts
    for index, request in enumerate(facts["plugin_requests"]):
        if request["base"] in PARTS:
            yield Hit(f"@plugin{index}", {"resource": request["resource"]})
            return
