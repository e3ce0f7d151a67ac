"""deviceclass-no-driver-guard: a class is asked about the devices of every driver on the node."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dralint.cel.device.answers import CompileErrors, EvaluationError
from dralint.lint.run import Run
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.vocabulary import drivers

# With these between the clauses, parentheses are needed around the rest.
_LOOSE = re.compile(r"\|\||\?(?![.\[]|\s*[A-Za-z_]\w*\s*\()|cel\s*\.\s*bind")
_FOREIGN = "driver.example.com"


def find(view: View) -> Iterator[Slip]:
    """The first selector of a class that is an error on a device of another driver."""
    if view.what != "class" or view.driver is None or view.partial:
        return
    from dralint.cel.device.devices import make_device

    foreign = make_device(_FOREIGN, {}, {})
    for index, written in enumerate(view.selectors):
        if isinstance(written.program, CompileErrors):
            return
        (result,) = written.program.evaluate_all([foreign])
        if result is False:
            return
        if not isinstance(result, EvaluationError):
            continue
        if result.map is not None and result.domain in drivers():
            yield _slip(index, written.text, result)
        return


def _slip(index: int, text: str, error: EvaluationError) -> Slip:
    quote = "'" if '"' not in text and "'" in text else '"'
    guard = f"device.driver == {quote}{error.domain}{quote} && "
    last = len(text.rstrip())
    changes = [Change((0, 0), guard)]
    if _LOOSE.search(text):
        changes = [Change((0, 0), f"{guard}("), Change((last, last), ")")]
    values = {"name": str(error.name), "driver": str(error.domain)}
    return Slip(index, (0, max(last, 1)), values, changes=tuple(changes), spoils=False)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a class that asks no device for its driver first; the fix does."""
    yield from hits("deviceclass_no_driver_guard", subject, run)
