"""cel-value-unknown: an attribute with a fixed list of values is compared with another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dralint.cel.anatomy import Comparison, Constant
from dralint.lint.finding import Severity
from dralint.lint.run import Run
from dralint.lint.selectors.names import comparisons, listed, literal, meaning
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.stock import texts
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.cards import find_cards, shown
from dralint.nvidia.nearest import bare, nearest
from dralint.nvidia.published import compute_domain_devices
from dralint.nvidia.vocabulary import drivers, meant

_OPERATORS = ("==", "!=", "in")
_TYPE = "type"
# New cards bring new values of the other attributes.
_CLOSED = (_TYPE, "vendorID", "driver")
_MANY = 6


def _values(view: View, comparison: Comparison) -> tuple[str, Sequence[str]] | None:
    """The attribute that is compared, and all that it can be; None: anything, or nothing is known."""
    if comparison.read.map == "driver" and not comparison.read.keys:
        return ("driver", sorted(drivers())) if view.driver else None
    found = meaning(view, comparison.read)
    if found is None:
        return None
    if found.name == _TYPE and found.values is None:
        types = [each.type for each in compute_domain_devices() if each.driver == view.driver]
        return (_TYPE, types) if types else None
    return (found.name, found.values) if found.values else None


def _right(view: View, name: str, text: str, values: Sequence[str]) -> tuple[str | None, bool]:
    """The value that was meant, and whether it differs in spelling only."""
    same = [each for each in values if bare(each) == bare(text)]
    if same:
        return same[0], name != "architecture" or shown("architecture", same[0])
    if name == "driver":
        return meant("domains", text), False
    # "Ada" for "Ada Lovelace".
    longer = [each for each in values if text.lower() in each.lower().split()]
    if len(longer) == 1:
        return longer[0], False
    return nearest(text, values) if view.bench.may_guess() else None, False


def _advice(name: str, text: str, right: str | None, values: Sequence[str]) -> str:
    if name == _TYPE and find_cards(text):
        return f"it is {listed(values, _MANY, 'or')}; the card is the attribute productName"
    if right is not None:
        return f"write {right}"
    return f"it is {listed(values, _MANY, 'or')}"


def _slip(view: View, index: int, comparison: Comparison, constant: Constant) -> Slip | None:
    known = _values(view, comparison)
    if known is None:
        return None
    name, values = known
    text = str(constant.value)
    given = texts(view.stock.inventory.devices, name) if view.stock.given else []
    if text in values or text in given:
        return None
    right, certain = _right(view, name, text, values)
    if name == "driver" and right is None:
        return None  # another driver's devices
    closed = name in _CLOSED or certain
    level: Severity | None = None if closed else "warning" if right else "info"
    like = view.selectors[index].text[slice(*constant.range)]
    changes = (Change(constant.range, literal(right, like)),) if right else ()
    shown = {"name": name, "text": text, "advice": _advice(name, text, right, values)}
    place = comparison.range if len(comparison.constants) == 1 else constant.range
    return Slip(index, place, shown, level, changes, certain=certain, spoils=comparison.operator == "==")


def find(view: View) -> Iterator[Slip]:
    """Values of type, architecture and the like that no device can have."""
    for index, comparison in comparisons(view):
        if comparison.written not in _OPERATORS or comparison.through not in ((), ("orValue",)):
            continue
        for constant in comparison.constants:
            if isinstance(constant.value, str) and not constant.function:
                slip = _slip(view, index, comparison, constant)
                if slip:
                    yield slip


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a value that the attribute cannot have; the fix writes it as the driver does."""
    yield from hits("cel_value_unknown", subject, run)
