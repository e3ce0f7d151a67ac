"""cel-quantity-literal: `quantity` takes Kubernetes' units, and no others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dralint.lint.checks.cel_capacity_plain_number import is_quantity
from dralint.lint.run import Run
from dralint.lint.selectors.names import literal
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject

_WRITTEN = re.compile(r"\s*([0-9]{1,15}(?:\.[0-9]{1,9})?)\s*([KMGTPE])(i?)(B?)\s*", re.IGNORECASE)


def _right(text: str) -> list[str]:
    """What can have been meant: `60GiB` is 60Gi, of `60GB` both readings are common."""
    match = _WRITTEN.fullmatch(text)
    if match is None:
        return []
    number, letter, binary, _ = match.groups()
    letter = letter.upper()
    found = [f"{number}{letter}i"]
    if not binary:
        found.append(f"{number}{'k' if letter == 'K' else letter}")
    return [each for each in found if is_quantity(each)]


def find(view: View) -> Iterator[Slip]:
    """Every `quantity("...")` that is an error on every device."""
    for index, written in enumerate(view.selectors):
        for call in written.anatomy.calls if written.anatomy and view.driver else ():
            if call.function != "quantity" or not isinstance(call.value, str) or is_quantity(call.value):
                continue
            right = _right(call.value)
            advice = f"write {' or '.join(right)}" if right else "units are k, M, G, T and Ki, Mi, Gi, Ti"
            values = {"text": call.value, "advice": advice}
            text = written.text[slice(*call.range)]
            changes = (Change(call.range, literal(right[0], text)),) if len(right) == 1 else ()
            yield Slip(index, call.whole, values, changes=changes)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a text that `quantity` does not read; the fix writes the unit as Kubernetes does."""
    yield from hits("cel_quantity_literal", subject, run)
