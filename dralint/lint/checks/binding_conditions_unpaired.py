"""binding-conditions-unpaired: a device has conditions for success and for failure, or neither."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

_SUCCESS, _FAILURE = "bindingConditions", "bindingFailureConditions"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for one list without the other, and for a condition that stands in both."""
    facts: Any = subject.facts
    success, failure = facts["binding_conditions"], facts["binding_failure_conditions"]
    if bool(success) != bool(failure):
        has, lacks = (_SUCCESS, _FAILURE) if success else (_FAILURE, _SUCCESS)
        yield Hit(has, {"what": f"{has} are there, {lacks} are not"})
        return
    for index, name in enumerate(failure):
        if name in success:
            yield Hit(f"{_FAILURE}[{index}]", {"what": f"{name} stands in both lists"})
