"""shared-request-above-one: the device plugin refuses more than one unit of some shared resources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each request for more than one unit where the configuration lets that fail."""
    facts: Any = subject.facts
    shared = {each["resource"]: each for each in facts["shared"] if each["fails_above_one"]}
    for index, request in enumerate(facts["plugin_requests"]):
        config = shared.get(request["resource"])
        if config is not None and (request["count"] or 0) > 1:
            values = {
                "resource": request["resource"],
                "count": str(request["count"]),
                "way": "MPS" if config["way"] == "mps" else "time-slicing",
                "file": config["file"],
            }
            yield Hit(f"@plugin{index}", values)
