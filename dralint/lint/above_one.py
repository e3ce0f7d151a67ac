"""Requests for more than one unit of a resource that the device plugin's configuration shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from dralint.lint.subject import Subject


class AboveOne(NamedTuple):
    """A request of a workload.

    anchor  where it stands
    values  what messages say of it: resource, count, and the configuration's file
    config  the configuration of the resource, one of the facts' `shared`
    """

    anchor: str
    values: Mapping[str, str]
    config: Mapping[str, Any]


def above_one(subject: Subject, *, fails: bool) -> Iterator[AboveOne]:
    """The requests of a `workload`; fails: those that the device plugin refuses, else those that it serves."""
    facts: Any = subject.facts
    shared = {each["resource"]: each for each in facts["shared"] if each["fails_above_one"] is fails}
    for index, request in enumerate(facts["plugin_requests"]):
        config = shared.get(request["resource"])
        if config is not None and (request["count"] or 0) > 1:
            values = {
                "resource": request["resource"],
                "count": str(request["count"]),
                "file": config["file"],
            }
            yield AboveOne(f"@plugin{index}", values, config)
