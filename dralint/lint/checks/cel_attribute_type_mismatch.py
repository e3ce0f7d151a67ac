"""cel-attribute-type-mismatch: a text is never equal to a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.cel.anatomy import Comparison, Constant
from dralint.lint.run import Run
from dralint.lint.selectors.names import comparisons, meaning
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject

_KINDS = {"string": "a text", "int": "a whole number", "bool": "true or false"}
_NO_CONDITIONS = {"string": "a text", "int": "a whole number", "version": "a version"}
_OPERATORS = ("==", "!=", "<", "<=", ">", ">=", "in")
_METHODS = ("isGreaterThan", "isLessThan")


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


def _right(kind: str, value: Any) -> str | None:
    """The constant of the right kind, where there is only one."""
    if kind == "int" and isinstance(value, str) and value.strip().isdecimal() and value.isascii():
        return str(int(value))
    if kind == "bool" and isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower()
    return None


def find(view: View) -> Iterator[Slip]:
    """Attributes compared with constants of another type, or with nothing: it is false, or an error."""
    yield from _conditions(view)
    for index, comparison in comparisons(view):
        found = meaning(view, comparison.read)
        if found is None or found.kind not in _KINDS or not _compares(comparison):
            continue
        text = view.selectors[index].text
        for constant in comparison.constants:
            plain = comparison.form == "operator"
            if (plain and _fits(found.kind, constant)) or constant.value is None:
                continue
            right = None if constant.function or not plain else _right(found.kind, constant.value)
            values = {
                "name": found.name,
                "kind": _KINDS[found.kind],
                "constant": text[slice(*constant.whole)],
                "advice": f": write {right}" if right else "",
            }
            changes = (Change(constant.range, right),) if right else ()
            yield Slip(index, comparison.range, values, changes=changes)
            break


def _compares(comparison: Comparison) -> bool:
    return comparison.written in (*_OPERATORS, *_METHODS) and comparison.through in ((), ("orValue",))


def _conditions(view: View) -> Iterator[Slip]:
    """Attributes that stand where true or false is wanted."""
    outcome = view.outcome
    if outcome is not None and not outcome.nothing and not outcome.errors:
        return  # `attribute || true`
    for index, written in enumerate(view.selectors):
        for read in written.anatomy.conditions if written.anatomy else ():
            found = meaning(view, read)
            if found is not None and found.kind in _NO_CONDITIONS and not read.tested:
                values = {
                    "name": found.name,
                    "kind": _NO_CONDITIONS[found.kind],
                    "constant": "true or false",
                    "advice": ": compare it with something",
                }
                yield Slip(index, read.range, values)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for an attribute that is compared with a constant of another type."""
    yield from hits("cel_attribute_type_mismatch", subject, run)
