"""cel-capacity-plain-number: a capacity is a quantity, and only quantities can be compared with it."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.cel.anatomy import Comparison, Constant
from dralint.cel.device.quantity import parse
from dralint.cel.device.values import CelError, LimitReached
from dralint.lint.run import Run
from dralint.lint.selectors.names import comparisons, literal
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject

_MEMORY = "memory"
# No card has less than these many GiB, nor as many MiB, nor is any threshold above them.
_MOST_GIB, _MOST_MIB = 2_000, 10_000_000
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def is_quantity(text: str) -> bool:
    """Whether Kubernetes reads a text as a quantity."""
    try:
        parse(text)
    except (CelError, LimitReached):
        return False
    return True


def _meant(name: str | None, constant: Constant, like: str) -> tuple[str, bool] | None:
    """The quantity that a plain constant stands for, and whether that is certain."""
    value, certain = constant.value, True
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str):
        if not is_quantity(value):
            return None
        text = value
    elif name != _MEMORY:
        text = str(value)
    else:
        unit = "Gi" if value <= _MOST_GIB else "Mi" if value <= _MOST_MIB else ""
        text, certain = f"{value:g}{unit}" if isinstance(value, float) else f"{value}{unit}", not unit
    return (f"quantity({literal(text, like)})", certain) if is_quantity(text) else None


def as_quantity(text: str, comparison: Comparison, subject: str) -> tuple[str, bool] | None:
    """A comparison of a capacity as it must be written, and whether it is certain what was meant.

    text     the whole expression
    subject  how the capacity is to be written
    """
    (constant,) = comparison.constants if len(comparison.constants) == 1 else (None,)
    if constant is None or comparison.written == "in":
        return None
    if constant.function == "quantity":
        found: tuple[str, bool] | None = (text[slice(*constant.whole)], True)
    else:
        found = _meant(comparison.read.name, constant, text)
    if found is None:
        return None
    quantity, certain = found
    operator = comparison.written
    if comparison.form == "method":
        return f"{subject}.{operator}({quantity})", certain
    if comparison.swapped:
        operator = _FLIPPED.get(operator, operator)
    # Nobody knows the exact size of a card.
    return f"{subject}.compareTo({quantity}) {operator} 0", certain and operator in _FLIPPED


def _is_plain(comparison: Comparison) -> bool:
    read, constants = comparison.read, comparison.constants
    if read.map != "capacity" or len(read.keys) != 2 or comparison.through not in ((), ("orValue",)):
        return False
    if comparison.written not in (*_FLIPPED, "==", "!=", "in", "isGreaterThan", "isLessThan"):
        return False
    if all(constant.function == "" for constant in constants):
        return True
    ordered = comparison.form == "operator" and comparison.written in _FLIPPED
    return ordered and all(constant.function == "quantity" for constant in constants)


def find(view: View) -> Iterator[Slip]:
    """Capacities compared with numbers or texts, or with quantities by an operator that they do not have."""
    for index, comparison in comparisons(view):
        if not _is_plain(comparison):
            continue
        text = view.selectors[index].text
        subject = text[slice(*comparison.subject)]
        right = as_quantity(text, comparison, subject)
        example = f'{subject}.compareTo(quantity("80Gi")) >= 0'
        values = {
            "name": comparison.read.name or "the capacity",
            "constant": text[slice(*comparison.constants[0].whole)],
            "advice": f"write {right[0] if right else example}",
        }
        changes = (Change(comparison.range, right[0]),) if right else ()
        certain = right is not None and right[1]
        yield Slip(index, comparison.range, values, changes=changes, certain=certain)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a capacity that is compared with something else than a quantity."""
    yield from hits("cel_capacity_plain_number", subject, run)
