"""cel-pinned-uuid: a selector on one card's id fits no second pod and no other machine."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.finding import Severity
from dralint.lint.run import Run
from dralint.lint.selectors.names import comparisons, meaning
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Slip
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject

_IDS = ("uuid", "parentUUID")


def find(view: View) -> Iterator[Slip]:
    """Comparisons with a card's or a MIG device's id that must hold."""
    for index, comparison in comparisons(view):
        found = meaning(view, comparison.read)
        if found is None or found.name not in _IDS or not comparison.certain:
            continue
        texts = [each.value for each in comparison.constants if isinstance(each.value, str)]
        if comparison.operator not in ("==", "in") or not texts:
            continue
        effect = "it breaks when the card is replaced"
        level: Severity = "info"
        if view.template:
            effect = "every pod of the template wants the same card, so a second one waits"
            level = "warning"
        yield Slip(index, comparison.range, {"name": found.name, "effect": effect}, level, spoils=False)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a selector on one id."""
    yield from hits("cel_pinned_uuid", subject, run)
