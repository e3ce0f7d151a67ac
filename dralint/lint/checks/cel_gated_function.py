"""cel-gated-function: what a later Kubernetes or a feature gate adds to CEL."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dralint.cel.device.answers import CompileError, CompileErrors
from dralint.cel.device.libraries import Settings
from dralint.kube.versions import newest
from dralint.lint.run import Run
from dralint.lint.selectors.names import at_offset
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Slip
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject

_CALLED = re.compile(r"([A-Za-z_]\w*)\s*\Z")
_QUOTED = re.compile(r"'([^']*)'")
# One release after the newest is known from its sources.
_AFTER_NEWEST = 2


def _compiles(text: str, settings: Settings) -> bool:
    from dralint.cel.dialect import Program, compile_selector

    return isinstance(compile_selector(text, settings), Program)


def _needs(text: str, settings: Settings) -> str | None:
    """What has to change for an expression to compile; None: nothing helps."""
    if not _compiles(text, settings._replace(stored=True)):
        return None
    for field, gate in (
        ("consumable_capacity", "DRAConsumableCapacity"),
        ("list_type_attributes", "DRAListTypeAttributes"),
    ):
        if _compiles(text, settings._replace(**{field: True})):
            return f"the feature gate {gate}"
    for minor in range(settings.minor + 1, newest().minor + _AFTER_NEWEST + 1):
        if _compiles(text, settings._replace(minor=minor)):
            return f"Kubernetes 1.{minor}"
    return "a later Kubernetes or another feature gate"


def _what(text: str, error: CompileError) -> str:
    """The function whose parenthesis the compiler points at, or the name in its message."""
    called = _CALLED.search(text, 0, error.offset) if text[error.offset : error.offset + 1] == "(" else None
    found = called or _QUOTED.search(error.message)
    if found is None or found[1] == "any":
        return "a loop over the values of an attribute"
    return found[1]


def find(view: View) -> Iterator[Slip]:
    """Selectors that another release, or another setting, of Kubernetes would take."""
    for index, written in enumerate(view.selectors):
        program = written.program
        if not isinstance(program, CompileErrors) or not program.judged or written.anatomy is None:
            continue
        kinds = {error.kind for error in program.errors}
        if "syntax" in kinds:
            continue
        needs = _needs(written.text, view.bench.settings)
        if needs is not None:
            error = program.errors[0]
            target = f"Kubernetes {view.bench.target.kubernetes}"
            values = {"what": _what(written.text, error), "needs": needs, "target": target}
            yield Slip(index, at_offset(written.text, error.offset), values, covers=True)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a function or field that the target's CEL does not have, and what would bring it."""
    yield from hits("cel_gated_function", subject, run)
