"""extended-resource-amounts: a limit and a request of an extended resource are one whole number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.kube.quantity import parse_quantity
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def _broken(text: str | None) -> bool:
    quantity = parse_quantity(text) if text is not None else None
    return text is not None and (quantity is None or quantity.whole is None)


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for an amount that is no whole number, a request without a limit, and one that differs from it.

    No CEL, so that a run over manifests of the device plugin does not load it.
    """
    facts: Any = subject.facts
    if not facts["extended"] or facts["templated"] or facts["partial"]:
        return
    name, limit, request = facts["name"], facts["limit"], facts["request"]
    resources = subject.path[:-2]
    for place, text in (("limits", limit), ("requests", request)):
        if _broken(text):
            yield Hit((*resources, place, name), {"what": f"{text} is no whole number"})
            return
    if limit is None and request is not None:
        yield Hit((*resources, "requests", name), {"what": "it has a request and no limit"})
    elif not facts["equal"]:
        yield Hit((*resources, "requests", name), {"what": f"the request is {request}, the limit {limit}"})
