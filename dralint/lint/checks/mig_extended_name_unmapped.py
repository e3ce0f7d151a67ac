"""mig-extended-name-unmapped: no DeviceClass of the driver has the name of a MIG resource."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.checks.extended_resource_not_mapped import served
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for each request for a MIG resource by name that no class among the files serves."""
    facts: Any = subject.facts
    for index, request in enumerate(facts["plugin_requests"]):
        if request["base"] == "mig" and not request["shared"] and not served(request["resource"], run):
            profile = request["profile"] or "the profile"
            yield Hit(f"@plugin{index}", {"resource": request["resource"], "profile": profile})
