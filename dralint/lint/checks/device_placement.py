"""device-placement: devices say where they are exactly if their slice lets each say it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a device with a field of its slice's, with two, or with none where it needs one."""
    facts: Any = subject.facts
    found = facts["node_fields"]
    if not facts["per_device"]:
        if found:
            yield Hit(
                found[0], {"what": f"{found[0]} needs perDeviceNodeSelection: true in the slice's spec"}
            )
    elif not found:
        what = "the slice has perDeviceNodeSelection, but it has none of nodeName, nodeSelector and allNodes"
        yield Hit("", {"what": what})
    elif len(found) > 1:
        yield Hit(found[1], {"what": f"it has both {' and '.join(found)}; keep one of them"})
