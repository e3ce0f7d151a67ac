"""matchattribute-unknown: devices without the attribute never satisfy a constraint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from dralint.lint.checks.matchattribute_wrong_domain import right_name
from dralint.lint.run import Run
from dralint.lint.selectors.constraints import Covered, covered
from dralint.lint.selectors.names import device_types, in_stock, listed, published_as
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.vocabulary import DEVICE_TYPES, attribute_meant, drivers, named, names, why_missing
from dralint.yamltext.operations import Operation, Replace


def _lacks(view: View, found: Covered) -> bool:
    return published_as(
        view, "attributes", found.domain, found.name, device_types(view)
    ) is None and not in_stock(view, "attributes", found.domain, found.name)


def _other_types(view: View, found: Covered) -> list[str]:
    return [
        each for each in DEVICE_TYPES if published_as(view, "attributes", found.domain, found.name, (each,))
    ]


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for an attribute of NVIDIA's domain that devices of a covered request do not have."""
    found = covered(subject, run)
    if found is None or found.domain not in drivers():
        return
    nvidia = [view for view in found.asks if view.driver == found.domain]
    without = [view for view in nvidia if _lacks(view, found)]
    if not without or (len(without) == len(nvidia) and right_name(found, nvidia)):
        return
    view = without[0]
    types = _other_types(view, found)
    operations: tuple[Operation, ...] = ()
    applicability: Literal["safe", "unsafe"] = "unsafe"
    if types:
        what = f"devices of type {view.type} do not have it, only those of type {' and '.join(types)}"
    else:
        past = named(found.domain, found.name, found.domain, "attributes")
        reason = why_missing(past[0], run.target) if past else None
        there = [
            each
            for each in names(found.domain)
            if each.map == "attributes" and not why_missing(each, run.target)
        ]
        close = attribute_meant(found.name, there)
        advice = f"did you mean {close.name.domain}/{close.name.name}?" if close else ""
        if close:
            new = f"{close.name.domain}/{close.name.name}"
            operations = (Replace(subject.object.document, found.path, new),)
            applicability = "safe" if close.certain else "unsafe"
        known = f"it publishes {listed([each.name for each in there], 6)}"
        what = f"the driver does not publish it: {reason or advice or known}"
    values = {"full": f"{found.domain}/{found.name}", "what": what}
    yield Hit(found.path, values, None, (), operations, applicability)
