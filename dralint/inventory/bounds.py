"""Memory of which only bounds are known: a size that a selector names between them decides nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from dralint.inventory.device import Device, Row
from dralint.kube.quantity import parse_quantity

MEMORY = "memory"
NOT_SEEN = "its exact memory was not seen"
_QUANTITY = re.compile(r"""\bquantity\(\s*(["'])(?P<text>[^"'\\]{1,40})\1\s*\)""")
_MOST = 20
_WINDOW = 2


@lru_cache(maxsize=1024)
def _sizes(clause: str) -> Sequence[Decimal]:
    """The quantities that a clause on memory names."""
    if MEMORY not in clause:
        return ()
    found = [parse_quantity(each["text"]) for each in _QUANTITY.finditer(clause)][:_MOST]
    return tuple(each.value for each in found if each is not None)


def _bounds(device: Device) -> tuple[Decimal, Decimal] | None:
    forms = [form.capacity for form in device.forms if not form.seen]
    texts = [each[MEMORY]["value"] for each in (device.capacity, *forms) if MEMORY in each]
    found = [each.value for text in texts if (each := parse_quantity(text)) is not None]
    return (min(found), max(found)) if forms and found else None


def within(clause: str, selector: str, device: Device, row: Row) -> bool:
    """Whether a clause compares memory with a size between the bounds of a device's, at which nobody looked.

    One threshold is judged at the bounds; one exact size, or two thresholds, can hold between them alone.
    """
    sizes = _sizes(clause)
    # Another size that somebody saw is what it is.
    if not sizes or not device.forms or (row.seen and row.when is not None):
        return False
    exact = "==" in clause or "!=" in clause
    if not exact and len(_sizes(selector)) < _WINDOW:
        return False
    bounds = _bounds(device)
    return bounds is not None and any(bounds[0] < size < bounds[1] for size in sizes)
