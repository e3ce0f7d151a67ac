"""device-entries-limit: limits on devices that are no limit of a single list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

# kubernetes/api resource/v1 types.go, constants ResourceSliceMax...
_ENTRIES, _VALUES, _HEAVY_DEVICES, _DEVICES = 32, 48, 64, 128


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a device with too many entries or values, and for a slice with too many heavy devices."""
    facts: Any = subject.facts
    if subject.kind == "slice":
        if facts["heavy"] and _HEAVY_DEVICES < facts["devices"] <= _DEVICES:
            what = f"devices with taints, counters or list attributes: at most {_HEAVY_DEVICES} in a slice"
            yield Hit("spec.devices", {"what": f"{facts['devices']} {what}"})
        return
    name = facts["name"] or "without a name"
    if facts["entries"] > _ENTRIES:
        what = f"{facts['entries']} attributes and capacities, at most {_ENTRIES} are allowed"
        yield Hit("", {"what": f"device {name} has {what}"})
    if facts["values"] > _VALUES:
        what = f"{facts['values']} values of attributes, at most {_VALUES} are allowed"
        yield Hit("", {"what": f"device {name} has {what}"})
