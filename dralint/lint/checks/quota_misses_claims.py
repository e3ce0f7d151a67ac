"""quota-misses-claims: a quota on a resource name does not count claims."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.operations import Operation, Put

_KEY = "{name}.deviceclass.resource.k8s.io/devices"


def _fix(subject: Subject, names: list[str], amount: str | None) -> tuple[Operation, ...]:
    """A line for each class, with the amount that the resource has."""
    if amount is None:
        return ()
    value: int | str = int(amount) if amount.isdecimal() else amount
    after = str(subject.anchors["limited"][1][-1])
    return tuple(
        Put(subject.object.document, subject.path, _KEY.format(name=name), value, after=after)
        for name in names
    )


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a quota that misses classes which claims of its namespace use."""
    facts: Any = subject.facts
    if not facts["missed"]:
        return
    values = {
        "keys": ", ".join(_KEY.format(name=name) for name in facts["missed"]),
        "first": str(facts["limited"][0]),
    }
    yield Hit("@limited", values, operations=_fix(subject, facts["missed"], facts["amount"]))
