"""shared-count-is-not-gpus: two units of a shared resource may be one GPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each request for more than one unit of a resource that a configuration shares."""
    facts: Any = subject.facts
    shared = {each["resource"]: each for each in facts["shared"] if not each["fails_above_one"]}
    for index, request in enumerate(facts["plugin_requests"]):
        config = shared.get(request["resource"])
        if config is not None and (request["count"] or 0) > 1:
            values = {
                "resource": request["resource"],
                "count": str(request["count"]),
                "replicas": str(config["replicas"]),
                "file": config["file"],
            }
            yield Hit(f"@plugin{index}", values)
