"""shared-claim-reservedfor-limit: a claim serves a limited number of pods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

# kubernetes/api resource types.go: ResourceClaimReservedForMaxSize, and its value before kubernetes/kubernetes#129543.
_LIMIT, _OLD_LIMIT, _SINCE_MINOR = 256, 32, 33


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a workload with more pods than a claim that it refers to by name can serve."""
    facts: Any = subject.facts
    limit = _LIMIT if run.target.kubernetes.minor >= _SINCE_MINOR else _OLD_LIMIT
    replicas = facts["pod"]["replicas"]
    if facts["kind"] == "ResourceClaim" and replicas is not None and replicas > limit:
        yield Hit("", {"limit": str(limit)})
