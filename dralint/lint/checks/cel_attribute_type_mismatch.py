"""cel-attribute-type-mismatch: a text is never equal to a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.cel.anatomy import Comparison, Constant
from dralint.lint.run import Run
from dralint.lint.selectors.names import comparisons, literal, meaning
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject

_KINDS = {"string": "a text", "int": "a whole number", "bool": "true or false"}
_OPERATORS = ("==", "!=", "<", "<=", ">", ">=", "in")


def _fits(kind: str, constant: Constant) -> bool:
    value = constant.value
    if constant.function:
        return False
    match kind:
        case "string":
            return isinstance(value, str)
        case "bool":
            return isinstance(value, bool)
    return isinstance(value, int | float) and not isinstance(value, bool)


def _right(kind: str, value: Any, like: str) -> tuple[str, bool] | None:
    """The constant of the right kind, and whether that is certain."""
    if kind == "int" and isinstance(value, str) and value.strip().isdecimal() and value.isascii():
        return str(int(value)), True
    if kind == "bool" and isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower(), True
    if kind == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return literal(str(value), like), False
    return None


def _shown(constant: Constant, text: str) -> str:
    return text[slice(*constant.whole)]


def find(view: View) -> Iterator[Slip]:
    """Attributes compared with constants of another type, which is false or an error."""
    for index, comparison in comparisons(view):
        found = meaning(view, comparison.read)
        if found is None or found.kind not in _KINDS or not _compares(comparison):
            continue
        text = view.selectors[index].text
        for constant in comparison.constants:
            if _fits(found.kind, constant) or constant.value is None:
                continue
            right = _right(found.kind, constant.value, text) if not constant.function else None
            values = {
                "name": found.name,
                "kind": _KINDS[found.kind],
                "constant": _shown(constant, text),
                "advice": f": write {right[0]}" if right else "",
            }
            changes = (Change(constant.range, right[0]),) if right else ()
            yield Slip(index, comparison.range, values, changes=changes, certain=bool(right and right[1]))
            break


def _compares(comparison: Comparison) -> bool:
    return comparison.written in _OPERATORS and comparison.through in ((), ("orValue",))


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for an attribute that is compared with a constant of another type."""
    yield from hits("cel_attribute_type_mismatch", subject, run)
