"""karpenter-dra-off: Karpenter passes over pods with claims unless it is told otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

_WHAT = "karpenter"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a pod with claims on Karpenter's nodes, and for a Karpenter beside claims that ignores them."""
    facts: Any = subject.facts
    if subject.kind == "workload":
        if facts["claims_gpu"] and facts["karpenter_label"] is not None:
            says = f"the pod claims GPUs and asks for nodes by {facts['karpenter_label']}"
            yield Hit("@claim", {"says": says})
    elif facts["what"] == _WHAT and facts["uses_dra"] and not facts["on"]:
        yield Hit(
            "", {"says": "Karpenter is not told to look at claims, and claims for GPUs are among the files"}
        )
