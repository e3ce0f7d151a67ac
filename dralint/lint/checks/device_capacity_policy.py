"""device-capacity-policy: how much of a capacity a request takes has to fit the capacity."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from dralint.kube.quantity import parse_quantity
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

_POLICY = "requestPolicy"


def _value(text: str | None) -> Decimal | None:
    quantity = parse_quantity(text) if text is not None else None
    return quantity.value if quantity else None


def _of_values(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    values = [_value(each) for each in facts["valid_values"]]
    default, most = _value(facts["default"]), _value(facts["value"])
    if default is not None and default not in values and None not in values:
        yield f"{_POLICY}.default", f"the default {facts['default']} is none of validValues"
    for index, value in enumerate(values):
        if value is not None and most is not None and value > most:
            text = facts["valid_values"][index]
            yield f"{_POLICY}.validValues[{index}]", f"{text} is more than the capacity {facts['value']}"


def _of_range(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    texts = facts["valid_range"]
    low, high, step = (_value(texts[key]) for key in ("min", "max", "step"))
    default, most, at = _value(facts["default"]), _value(facts["value"]), f"{_POLICY}.validRange"
    if texts["min"] is None:
        yield at, "validRange has no min"
    if high is not None and most is not None and high > most:
        yield f"{at}.max", f"max {texts['max']} is more than the capacity {facts['value']}"
    if low is not None and most is not None and low > most:
        yield f"{at}.min", f"min {texts['min']} is more than the capacity {facts['value']}"
    if low is not None and high is not None and low > high:
        yield f"{at}.max", f"max {texts['max']} is less than min {texts['min']}"
    if default is not None and low is not None and default < low:
        yield f"{_POLICY}.default", f"the default {facts['default']} is less than min {texts['min']}"
    if default is not None and high is not None and default > high:
        yield f"{_POLICY}.default", f"the default {facts['default']} is more than max {texts['max']}"
    if step is not None and step <= 0:
        yield f"{at}.step", f"step {texts['step']} is not above zero"
    elif step is not None and low is not None:
        for name, value in ((f"{at}.max", high), (f"{_POLICY}.default", default)):
            if value is not None and value >= low and (value - low) % step:
                yield (
                    name,
                    f"{name.rpartition('.')[2]} cannot be reached from min {texts['min']} by steps of {texts['step']}",
                )


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each way in which a requestPolicy does not fit its device, its capacity or itself."""
    facts: Any = subject.facts
    if not facts["shareable"]:
        yield Hit(_POLICY, {"what": "requestPolicy is only for devices with allowMultipleAllocations: true"})
        return
    has_values, has_range = bool(facts["valid_values"]), facts["valid_range"] is not None
    if has_values and has_range:
        yield Hit(
            f"{_POLICY}.validRange", {"what": "it has both validValues and validRange; keep one of them"}
        )
        return
    if (has_values or has_range) and facts["default"] is None:
        yield Hit(f"{_POLICY}.default", {"what": "requestPolicy has no default"})
        return
    found = _of_values(facts) if has_values else _of_range(facts) if has_range else ()
    for at, what in found:
        yield Hit(at, {"what": what})
