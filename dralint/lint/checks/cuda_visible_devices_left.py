"""cuda-visible-devices-left: inside a container the devices are numbered from 0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

_UUIDS = ("GPU-", "MIG-")


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for UUIDs, and for an index that the container's devices do not reach."""
    facts: Any = subject.facts
    value, devices = facts["cuda_visible_devices"], facts["devices"]
    if not value:
        return
    parts = [part.strip() for part in value.split(",")]
    if any(part.startswith(_UUIDS) for part in parts):
        says = "names one device of one node by its UUID: with any other device allocated, CUDA sees none"
        yield Hit("", {"says": says, "advice": "remove the variable"})
    elif devices is not None and all(part.isdecimal() for part in parts):
        beyond = [part for part in parts if int(part) >= devices]
        if beyond:
            last = devices - 1
            numbers = "its only GPU is 0" if last == 0 else f"its {devices} GPUs are 0 to {last}"
            says = f"is beyond what the claim gives: inside the container {numbers}"
            yield Hit("", {"says": says, "advice": "remove the variable, or count from 0"})
