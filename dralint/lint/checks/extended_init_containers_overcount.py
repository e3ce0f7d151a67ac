"""extended-init-containers-overcount: the alpha of extended resources counted init containers on top."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

# kubernetes/kubernetes#134882 is in 1.35.
_MINOR = 34


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for GPU resources of init containers on 1.34 with the gate on."""
    facts: Any = subject.facts
    on = run.target.kubernetes_gate("DRAExtendedResource")
    if run.target.kubernetes.minor == _MINOR and on and facts["init_requests"]:
        yield Hit("", {"resources": ", ".join(facts["init_requests"])})
