"""kueue-inadmissible-claim: Kueue counts devices before it admits, and not every claim can be counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each form of claim that Kueue does not admit."""
    facts: Any = subject.facts
    if facts["direct"]:
        values = {
            "what": f"a ResourceClaim that the pod names itself ({facts['direct'][0]})",
            "advice": "make it a ResourceClaimTemplate",
        }
        yield Hit("@direct", values)
    if facts["alternatives"]:
        yield Hit("@queue", {"what": "alternatives (firstAvailable)", "advice": "ask with `exactly`"})
    if facts["all_mode"]:
        yield Hit("@queue", {"what": "allocationMode All", "advice": "ask for a count"})
