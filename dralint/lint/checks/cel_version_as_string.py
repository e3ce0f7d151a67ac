"""cel-version-as-string: versions are compared with versions, by methods."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.cel.anatomy import Comparison
from dralint.lint.run import Run
from dralint.lint.selectors.names import comparisons, literal, meaning
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.versions import as_semver
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_METHODS = ("isGreaterThan", "isLessThan")
_OF_TEXTS = ("contains", "startsWith", "endsWith", "matches")
# Two numbers are all of it: its third is always 0.
_SHORT = "cudaComputeCapability"


def _is_wrong(comparison: Comparison) -> bool:
    if comparison.through not in ((), ("orValue",)):
        return comparison.written in _OF_TEXTS and comparison.through[-1] in ("lowerAscii", "upperAscii")
    if comparison.written in _OF_TEXTS:
        return True
    plain = any(each.function == "" and not isinstance(each.value, bool) for each in comparison.constants)
    # `>` does not take versions either.
    return plain or (comparison.form == "operator" and comparison.written in _FLIPPED)


def _right(text: str, comparison: Comparison) -> tuple[str, bool] | None:
    """The comparison as it must be written, and whether it is certain what was meant."""
    if len(comparison.constants) != 1 or comparison.written in ("in", *_OF_TEXTS):
        return None
    (constant,) = comparison.constants
    subject, operator = text[slice(*comparison.subject)], comparison.written
    ordered = operator in _FLIPPED or operator in _METHODS
    if constant.function == "semver":
        version, certain = text[slice(*constant.whole)], True
        known = as_semver(str(constant.value))
        if known is not None and not constant.lenient:
            version = f"semver({literal(known[0], text)})"
    else:
        found = as_semver(str(constant.value))
        if found is None or isinstance(constant.value, bool):
            return None
        certain = ordered or found[1] == 3 or (comparison.read.name == _SHORT and found[1] == 2)
        version = f"semver({literal(found[0], text)})"
    if comparison.form == "method":
        return f"{subject}.{operator}({version})", certain
    if comparison.swapped:
        operator = _FLIPPED.get(operator, operator)
    return f"{subject}.compareTo({version}) {operator} 0", certain


def find(view: View) -> Iterator[Slip]:
    """Versions compared with texts or numbers, and with versions by `>`."""
    for index, comparison in comparisons(view):
        found = meaning(view, comparison.read)
        if found is None or found.kind != "version" or not _is_wrong(comparison):
            continue
        text = view.selectors[index].text
        right = _right(text, comparison)
        if view.selectors[index].parts:
            advice, right = "take versionValue", None
        elif right:
            advice = f"write {right[0]}"
        else:
            subject = text[slice(*comparison.read.range)]
            advice = f'compare {subject} with semver("X.Y.Z") by compareTo, or its major() and minor()'
        values = {"name": found.name, "advice": advice}
        changes = (Change(comparison.range, right[0]),) if right else ()
        yield Slip(index, comparison.range, values, changes=changes, certain=bool(right and right[1]))


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a version that is compared like a text or a number; the fix uses `semver` and `compareTo`."""
    yield from hits("cel_version_as_string", subject, run)
