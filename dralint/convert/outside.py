"""Requests that stand in no container: whether a DeviceClass can serve their name."""

from __future__ import annotations

from collections.abc import Sequence

from dralint.convert.by_name import stays
from dralint.convert.elsewhere import becomes_a_request, may_become_a_request, outside_pods
from dralint.convert.modes import fits_by_name, gate_verdict
from dralint.convert.occurrences import Found
from dralint.convert.refusals import because, leave, refusals
from dralint.convert.requests import decide_alone
from dralint.convert.work import Ground
from dralint.kube.kinds import kind_of


def _by_name(found: Found, ground: Ground) -> bool:
    """Whether the request stays, for a DeviceClass to serve it."""
    obj = found.object
    if obj is not None and not leave(refusals(obj, found.place), "extended-resource"):
        return False
    if ground.options.mode == "extended-resource":
        return may_become_a_request(found)
    kind = kind_of(found.object) if found.object is not None else None
    return kind is not None and becomes_a_request(found) and fits_by_name(kind.schema, ground.options)


def decide_outside(outside: Sequence[Found], ground: Ground) -> None:
    """Give verdicts to the requests of a file that stand in no container and have none."""
    waiting = [each for each in outside if each.verdict is None]
    for found in waiting:
        if not _by_name(found, ground):
            found.verdict = outside_pods(found)
    named = [each for each in waiting if each.verdict is None]
    for found in named:
        beside = [each for each in named if (each.document, each.place) == (found.document, found.place)]
        found.verdict = gate_verdict("extended-resource", ground.options) or decide_alone(
            found, beside, ground
        )
    for found in named:
        found.verdict = found.verdict or stays(found, ground)
        if ground.options.mode == "auto":
            because(found, outside_pods(found).reason)
