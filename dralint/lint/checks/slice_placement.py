"""slice-placement: a slice says in one way on which nodes its devices are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.facts.patched import is_patch
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

_FIELDS = "nodeName, nodeSelector, allNodes, perDeviceNodeSelection"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for an empty field, for several fields, for none, and for a selector without exactly one term."""
    facts: Any = subject.facts
    found, empty = facts["placement"], facts["empty"]
    for name in empty:
        said = "is empty" if name == "nodeName" else "is false"
        yield Hit(f"spec.{name}", {"what": f"{name} {said}; leave it out"})
    if empty:
        return
    if not found and is_patch(subject.object):
        return
    if not found:
        yield Hit(
            "spec", {"what": f"the slice does not say on which nodes its devices are; set one of {_FIELDS}"}
        )
    elif len(found) > 1:
        yield Hit(f"spec.{found[1]}", {"what": f"the slice has both {' and '.join(found)}; keep one of them"})
    elif facts["terms"] is not None and facts["terms"] != 1:
        what = f"nodeSelector has {facts['terms']} nodeSelectorTerms, it takes exactly one"
        yield Hit("spec.nodeSelector.nodeSelectorTerms", {"what": what})
