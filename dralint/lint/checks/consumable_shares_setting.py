"""consumable-shares-setting: the gate and the way of sharing go together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.facts.patched import is_patch
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.view import Path

_GATE = "ConsumableShares"
_SETTING = "consumableShares"
# Said in a place where nobody is known to read it, it is still said.
_VARIABLE = b"CONSUMABLE_SHARES"
_OFF = "disabled"
_WAYS = (_OFF, "memory", "unlimited")
_ADVICE = f"one of {', '.join(_WAYS)}, or a number of shares"


def _places(facts: Any) -> str:
    return "spec.draDriver.featureGates" if facts["what"] == "GPUCluster" else "featureGates"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a way without the gate, a gate without a way, or no such way."""
    facts: Any = subject.facts
    if facts["stack"] is None or is_patch(subject.object):
        return
    chart = facts["what"] == "standalone-chart"
    way = str(facts["settings"][_SETTING] or "") if chart else facts["shares"]
    at: str | Path = _SETTING if chart else "@shares"
    on = _GATE in facts["gates_on"]
    known = not way or way in _WAYS or (way.isdecimal() and int(way) > 0) or "{" in way or "$" in way
    if not known:
        says = f"GPUs are shared by {way}, which is no way to share them: the driver does not start"
        yield Hit(at, {"says": says, "advice": _ADVICE})
    elif way and way != _OFF and not on:
        says = f"GPUs are to be shared by {way}, and the gate {_GATE} is off: the driver does not start"
        yield Hit(at, {"says": says, "advice": f"set the gate {_GATE}: true"})
    elif not way and facts["gates"].get(_GATE) is True and not subject.object.file.holds(_VARIABLE):
        place = (
            f"{_places(facts)}.{_GATE}"
            if facts["what"] != "operator-chart"
            else f"draDriver.featureGates.{_GATE}"
        )
        says = f"the gate {_GATE} does nothing by itself: how GPUs are shared is not said"
        where = _SETTING if chart else "the variable CONSUMABLE_SHARES of draDriver.gpus.kubeletPlugin.env"
        yield Hit(place, {"says": says, "advice": f"set {where}: {_ADVICE}"})
