"""computedomain-many-pods-per-node: a node has one channel for each domain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

# NVIDIA GB200 and GB300 NVL72: a compute tray, which is a node, has four GPUs.
_GPUS_OF_A_NODE = 4


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for several pods that use one channel template and of which two fit on a node."""
    facts: Any = subject.facts
    if not facts["channel"] or facts["spread"] or (facts["replicas"] or 0) < 2:
        return
    counts = [each["count"] for each in facts["plugin_requests"] if each["base"] == "gpu"]
    if facts["claims_gpu"]:
        counts.append(facts["devices"])
    if counts and None not in counts and 0 < sum(counts) * 2 <= _GPUS_OF_A_NODE:
        yield Hit("@channel", {"gpus": str(sum(counts))})
