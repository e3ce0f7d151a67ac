"""nvidiadriver-invalid: what the API server refuses of an NVIDIADriver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

# gpu-operator v26.7.0, api/nvidia/v1alpha1/nvidiadriver_types.go.
_TYPES = ("gpu", "vgpu", "vgpu-host-manager")


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for an unknown driver type, and a default driver with a node selector."""
    facts: Any = subject.facts
    if facts["what"] != "NVIDIADriver":
        return
    settings = facts["settings"]
    kind = settings["spec.driverType"]
    if kind is not None and kind not in _TYPES and "spec.driverType" not in facts["templated"]:
        yield Hit("spec.driverType", {"says": f"driverType {kind} is none of {', '.join(_TYPES)}"})
    if settings["spec.default"] is True and settings["spec.nodeSelector"] is not None:
        says = "the default driver is for all other nodes and has no nodeSelector"
        yield Hit("spec.nodeSelector", {"says": says})
