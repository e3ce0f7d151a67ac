"""request-exactly-or-firstavailable: a request asks in exactly one way, and completely."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

# kubernetes/api resource/v1 types.go: FirstAvailableDeviceRequestMaxSize.
_MAX_ALTERNATIVES = 8


def _nested(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Where and what, for versions with `exactly`."""
    if facts["exactly"] and facts["first_available"]:
        yield "firstAvailable", "it has both `exactly` and `firstAvailable`; keep one of them"
    elif facts["first_available"] and not facts["alternatives"]:
        yield "firstAvailable", "`firstAvailable` lists no alternative"
    elif not facts["exactly"] and not facts["first_available"] and not facts["flat_fields"]:
        yield "", "it has neither `exactly` nor `firstAvailable`"
    elif facts["exactly"] and facts["device_class"] is None and not facts["flat_fields"]:
        yield "exactly.deviceClassName", "`exactly` names no deviceClassName"


def _flat(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Where and what, for v1beta1 and v1alpha3."""
    if facts["exactly"]:
        return
    if facts["flat_fields"] and facts["first_available"]:
        yield (
            "firstAvailable",
            f"it has both {facts['flat_fields'][0]} and `firstAvailable`; keep one of them",
        )
    elif facts["first_available"] and not facts["alternatives"]:
        yield "firstAvailable", "`firstAvailable` lists no alternative"
    elif not facts["first_available"] and facts["device_class"] is None:
        yield "", "it names neither deviceClassName nor `firstAvailable`"


def _alternatives(alternatives: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    if len(alternatives) > _MAX_ALTERNATIVES:
        yield (
            f"firstAvailable[{_MAX_ALTERNATIVES}]",
            f"`firstAvailable` lists {len(alternatives)} alternatives, at most {_MAX_ALTERNATIVES} are allowed",
        )
    for index, each in enumerate(alternatives):
        missing = [
            field
            for field, key in (("name", "name"), ("deviceClassName", "device_class"))
            if each[key] is None
        ]
        if missing:
            at = f"firstAvailable[{index}].{missing[0]}"
            yield at, f"an alternative has no {' and no '.join(missing)}"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each way in which a request does not say what it asks for."""
    facts: Any = subject.facts
    found = list(_flat(facts) if facts["flat_version"] else _nested(facts))
    for at, what in [*found, *_alternatives(facts["alternatives"])]:
        yield Hit(at, {"what": what})
