"""driver-gates-exclude: gates that the driver refuses to start with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.facts.patched import is_patch
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.gates import driver_gates, requirements

_OWN_RULE = "DynamicMIG"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for the second of two gates that exclude each other, and for one that lacks what it needs.

    Also for a gate that is turned off although a beta gate, on by default, needs it.
    """
    facts: Any = subject.facts
    name = facts["name"]
    names = list(driver_gates())
    for other in facts["excluded"]:
        # Both are set, so that each has a subject: said once, at the one that stands later in the driver's list.
        if _OWN_RULE not in (name, other) and names.index(name) > names.index(other):
            values = {"relation": f"and {other} exclude each other", "advice": "turn one of them off"}
            yield Hit("", values)
    if is_patch(subject.object):
        return  # The other gate may be in the object that it changes.
    for other in facts["missing"]:
        yield Hit("", {"relation": f"needs {other}, which is off", "advice": f"set {other}: true as well"})
    if facts["value"] is False:
        for user, needed in requirements(facts["dra_driver"]):
            if needed == name and driver_gates()[user].stage == "beta" and user in facts["on_by_default"]:
                advice = f"set {user}: false as well"
                yield Hit("", {"relation": f"is off, and {user} (on by default) needs it", "advice": advice})
