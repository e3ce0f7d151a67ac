"""selector-matches-nothing: no device passes all of the clauses."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.cel.device.answers import CompileErrors, EvaluationError
from dralint.inventory.judge import judge
from dralint.inventory.nearest import nearest
from dralint.lint.run import Run
from dralint.lint.selectors.evaluation import Outcome, Part
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Slip
from dralint.lint.selectors.stock import nobody, severity
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject

_LONGEST = 80


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return f"`{line if len(line) <= _LONGEST else line[:_LONGEST] + '...'}`"


def _counted(number: int) -> str:
    return "1 device" if number == 1 else f"{number} devices"


def _nearest(view: View, outcome: Outcome) -> str:
    """What comes nearest to what the clause asks for."""
    programs = [
        program
        for text in (*(view.of_class.selectors or ()), *view.texts)
        if not isinstance(program := view.bench.compiled(text), CompileErrors)
    ]
    found = nearest(judge(programs, outcome.rows.inventory), outcome.rows.inventory)
    if found is None or found.attribute is None:
        return ""
    name = found.attribute.rpartition("/")[2]
    if found.wanted is None:
        return f"; none of them has {name}" + (f", but {found.value}" if found.value else "")
    return f"; the nearest {name} is {found.value}" if found.value else ""


def _blamed(outcome: Outcome) -> tuple[Part, int] | None:
    """The first clause that nothing survives, and how many devices came as far as that."""
    before = len({outcome.rows.row(index).device for index in outcome.rows.indexes})
    for part, left in outcome.survivors():
        if not left:
            return part, before
        before = left
    return None


def _of_clause(view: View, outcome: Outcome, part: Part, before: int) -> Slip:
    error = next((each for each in part.answers.values() if isinstance(each, EvaluationError)), None)
    wrong = f" ({error.message})" if error and False not in part.answers.values() else ""
    what = "the clauses before let through" if (part.selector, part.number) != (0, 0) else "there are"
    said = f"{_shown(part.text)} is true for none of the {_counted(before)} that {what}{wrong}"
    values = {"who": nobody(view), "why": f"{said}{_nearest(view, outcome)}"}
    return Slip(part.selector, (part.offset, part.offset + len(part.text)), values, severity(view))


def find(view: View) -> Iterator[Slip]:
    """An ask, or a class, that nothing more exact is known of and that no device passes."""
    if view.driver is None or not view.compiles:
        return
    if view.class_is_empty:
        # The class's own finding tells it, or the catalogue has no such devices.
        if view.stock.given and view.of_class.own and view.ask is not None:
            why = f"the class {view.ask.device_class} has no device there"
            values = {"who": nobody(view), "why": why}
            yield Slip(None, None, values, severity(view), at=(*view.path, "deviceClassName"))
        return
    outcome = view.outcome
    if outcome is None or not outcome.nothing or not view.selectors:
        return
    blamed = _blamed(outcome)
    if blamed is not None:
        yield _of_clause(view, outcome, *blamed)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for selectors that, together with those of the class, no device passes."""
    yield from hits("selector_matches_nothing", subject, run)
