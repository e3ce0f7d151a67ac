"""cel-compile-error: the API server refuses a selector that is no CEL, or not of the right types."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from dralint.cel.device.answers import CompileError, CompileErrors
from dralint.cel.positions import line_and_column
from dralint.lint.run import Run
from dralint.lint.selectors.bench import bench
from dralint.lint.selectors.names import at_offset
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.view import View, view_at
from dralint.lint.subject import Hit, NotJudged, Subject
from dralint.yamltext.load import load_data

_DATA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "selectors", "data", "compile_hints.yaml")
_LONGEST = 160
# `===` is no `=` that lost its second half.
_SIGNS = frozenset("=!<>&|")


@lru_cache(maxsize=1)
def _hints() -> list[dict[str, Any]]:
    data: Any = load_data(_DATA)
    return list(data["hints"])


def _hint(text: str, error: CompileError) -> tuple[str, Change | None]:
    """What helps, and the fix where there is one."""
    place = at_offset(text, error.offset)
    word = text[slice(*place)] if error.kind == "syntax" and error.offset < len(text) else None
    for hint in _hints():
        if hint.get("word") == word is not None or ("says" in hint and hint["says"] in error.message):
            alone = not {text[place[0] - 1 : place[0]], text[place[1] : place[1] + 1]} & _SIGNS
            change = Change(place, hint["write"]) if "write" in hint and alone else None
            return f"; {hint['hint']}", change
    return "", None


def _shortened(message: str) -> str:
    first = message.partition(" expecting ")[0]
    return first if len(first) <= _LONGEST else f"{first[:_LONGEST]}..."


def _slip(index: int, text: str, error: CompileError) -> Slip:
    line, column = line_and_column(text, error.offset)
    hint, change = _hint(text, error)
    where = f" (line {line}, column {column} of the expression)" if error.kind != "result-type" else ""
    values = {"what": _shortened(error.message), "where": where, "hint": hint}
    place = at_offset(text, error.offset) if error.kind != "result-type" else (0, max(len(text), 1))
    return Slip(index, place, values, changes=(change,) if change else ())


def find(view: View) -> Iterator[Slip]:
    """The errors of selectors that do not compile, as the API server's compiler reports them."""
    for index, written in enumerate(view.selectors):
        program = written.program
        if isinstance(program, CompileErrors) and program.judged:
            yield from (_slip(index, written.text, error) for error in program.errors)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for the first error of a selector that nothing more exact is known of.

    Raises NotJudged for one that is too large or nested too deeply, or where there are too many.
    """
    view = view_at(subject.object, subject.path, bench(run))
    for written in view.selectors if view else ():
        program = written.program
        if written.path == subject.path and isinstance(program, CompileErrors) and not program.judged:
            raise NotJudged(program.errors[0].message)
    yield from hits("cel_compile_error", subject, run)
