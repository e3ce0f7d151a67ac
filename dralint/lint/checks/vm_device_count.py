"""vm-device-count: a virtual machine takes one device by each entry, from a request for one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.facts.patched import is_patch
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a device whose claim or request is not there, or gives another number than one."""
    facts: Any = subject.facts
    claim, request = facts["claim_name"], facts["request"]
    if claim is None or (not facts["declared"] and is_patch(subject.object)):
        return
    if not facts["declared"]:
        says = f"the machine has no claim {claim}"
        advice = f"declare {claim} under resourceClaims"
    elif not facts["requests"] or request is None:
        return
    elif not facts["found"]:
        says = f"the claim has no request {request}"
        advice = f"its requests are {', '.join(facts['requests'])}"
    elif facts["count"] != 1:
        number = facts["count"] or "all"
        says = f"request {request} gives {number} devices, and KubeVirt takes one by each request"
        advice = "write a request with count 1 for each device, and an entry for each request"
    else:
        return
    yield Hit("", {"device": facts["name"] or "a device", "says": says, "advice": advice})
