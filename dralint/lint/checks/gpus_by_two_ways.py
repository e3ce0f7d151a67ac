"""gpus-by-two-ways: one container of a pod has its GPU from the device plugin, another by a claim."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.checks.extended_resource_not_mapped import served
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

_INIT = "initContainers"
_HELD = "the pod holds both as long as it lives, although the two never run at the same time"
_NODE = "the pod needs a node that hands out GPUs in both ways"


def _ends(container: Any) -> bool:
    """Whether a container has ended before the next one begins."""
    return bool(container["role"] == _INIT and not container["sidecar"])


def _takes_turns(container: Any, other: Any) -> bool:
    """Whether one of two has ended before the other begins; a sidecar runs along with the init containers behind it."""
    if _ends(container):
        return not (other["sidecar"] and other["before"])
    return _ends(other) and not (container["sidecar"] and not other["before"])


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a request to the device plugin in a pod that another of whose containers has a GPU by a claim.

    Certainly too much is held where one of the two ends before the other begins: the device plugin gave both one. Else
    each has its own, which only wants two allocators on one node, unless a DeviceClass serves the name as well.
    """
    facts: Any = subject.facts
    beside = facts["gpus_beside"]
    # What a container asks for twice itself is double-request-device-plugin-and-claim.
    if not beside or facts["gpu_claims"] or facts["pod"]["partial"]:
        return
    resource = str(subject.anchors["device_plugin"][1][-1])
    other = next((each for each in beside if _takes_turns(facts, each)), None)
    if other is None and served(resource, run):
        return
    shown = other or beside[0]
    values = {
        "resource": resource,
        "other": str(shown["name"]),
        "claim": str(shown["claim"]),
        "says": _HELD if other else _NODE,
    }
    yield Hit("@device_plugin", values, severity="warning" if other else "info")
