"""cel-version-literal: `semver` wants three numbers without leading zeros."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.selectors.names import literal
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.versions import as_semver, is_semver
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject


def _why(text: str, numbers: int) -> str:
    if numbers < 3:
        return f"it has {numbers} of three numbers"
    return "it starts with a v" if text.lower().startswith("v") else "a number in it starts with 0"


def find(view: View) -> Iterator[Slip]:
    """Every `semver("...")` that is an error on every device."""
    for index, written in enumerate(view.selectors):
        for call in written.anatomy.calls if written.anatomy and view.driver else ():
            if call.function != "semver" or call.lenient or not isinstance(call.value, str):
                continue
            if is_semver(call.value):
                continue
            found = as_semver(call.value)
            if found is None:
                values = {"text": call.value, "why": "it is no version", "advice": "write it like 9.0.0"}
                yield Slip(index, call.whole, values)
                continue
            right, numbers = found
            values = {"text": call.value, "why": _why(call.value, numbers), "advice": f"write {right}"}
            change = Change(call.range, literal(right, written.text[slice(*call.range)]))
            yield Slip(index, call.whole, values, changes=(change,))


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a version that `semver` does not read; the fix writes it so that it does."""
    yield from hits("cel_version_literal", subject, run)
