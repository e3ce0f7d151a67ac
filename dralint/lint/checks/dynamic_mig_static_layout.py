"""dynamic-mig-static-layout: DynamicMIG clears away the layouts of others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

_NONE = "all-disabled"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a mig-parted configuration that cuts cards, or a node's layout label, with DynamicMIG on."""
    facts: Any = subject.facts
    if facts["dynamic_mig"] is not True:
        return
    if subject.kind == "node":
        if facts["mig_config"] not in (None, "", _NONE):
            yield Hit("@mig_config", {"says": f"the node asks for the layout {facts['mig_config']}"})
    elif facts["offered"]:
        yield Hit("", {"says": "a MIG layout is configured"})
