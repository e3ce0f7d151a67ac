"""selector-matches-nothing: no device passes all of the clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dralint.cel.device.answers import EvaluationError
from dralint.inventory.device import Inventory
from dralint.inventory.judge import Answer, Judgement
from dralint.inventory.nearest import nearest
from dralint.lint.run import Run
from dralint.lint.selectors.bench import bench
from dralint.lint.selectors.evaluation import Outcome, Part, Rows
from dralint.lint.selectors.names import listed
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Slip
from dralint.lint.selectors.stock import nobody, severity, unshown
from dralint.lint.selectors.view import View, view_at
from dralint.lint.subject import Hit, NotJudged, Subject

_LONGEST = 80
_GUESSES = 10
_CARDS = 2


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return f"`{line if len(line) <= _LONGEST else line[:_LONGEST] + '...'}`"


def _counted(number: int) -> str:
    return "1 device" if number == 1 else f"{number} devices"


def _nearest(part: Part, rows: Rows, before: Sequence[int]) -> str:
    """What comes nearest to what a clause asks for, among the devices that it lets down."""
    by_device = {rows.row(index).device: answer for index, answer in part.answers(before).items()}
    answers = [
        Answer("error", answer.message, 0, answer)
        if isinstance(answer, EvaluationError)
        else Answer("no", None, 0)
        for answer in by_device.values()
    ]
    inventory = Inventory([rows.inventory.devices[number] for number in by_device])
    found = nearest(Judgement(answers, [part.text], [0]), inventory)
    if found is None or found.attribute is None:
        return ""
    name = found.attribute.rpartition("/")[2]
    if found.wanted is None:
        return f"; none of them has {name}" + (f", but {found.value}" if found.value else "")
    return f"; the nearest {name} is {found.value}" if found.value else ""


def _of_clause(view: View, outcome: Outcome) -> Slip:
    """The first clause that nothing survives."""
    left = outcome.survivors()
    number = next(index for index, (_, rows) in enumerate(left) if not rows)
    part, before = left[number][0], left[number - 1][1] if number else outcome.rows.indexes
    rows, answers = outcome.rows, list(part.answers(before).values())
    error = next((each for each in answers if isinstance(each, EvaluationError)), None)
    wrong = f" ({error.message})" if error and False not in answers else ""
    what = "the clauses before let through" if number else "there are"
    devices = len({rows.row(index).device for index in before})
    said = f"{_shown(part.text)} is true for none of the {_counted(devices)} that {what}{wrong}"
    close = _nearest(part, rows, before) if view.bench.may_guess(_GUESSES) else ""
    cards = unshown(view)
    doubt = f"; nobody has shown the MIG profiles of {listed(cards, _CARDS)}" if cards else ""
    values = {"who": nobody(view), "why": f"{said}{close}{doubt}"}
    level = severity(view, "info" if cards else "warning")
    return Slip(part.selector, (part.offset, part.offset + len(part.text)), values, level)


def find(view: View) -> Iterator[Slip]:
    """An ask, or a class, that nothing more exact is known of and that no device passes."""
    if view.driver is None or not view.compiles:
        return
    if view.class_is_empty:
        # The class's own finding tells it, or the catalogue has no such devices.
        if view.stock.given and view.of_class.own and view.ask is not None:
            why = f"the class {view.ask.device_class} has no device there"
            values = {"who": nobody(view), "why": why}
            yield Slip(None, None, values, severity(view), at_class=True)
        return
    outcome = view.outcome
    if outcome is not None and outcome.nothing and view.selectors:
        yield _of_clause(view, outcome)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for selectors that, together with those of the class, no device passes.

    Raises NotJudged where the allowance of steps for all selectors of the run is used up.
    """
    found = list(hits("selector_matches_nothing", subject, run))
    view = view_at(subject.object, subject.path, bench(run))
    if not found and view and view.selectors and view.driver and view.bench.allowance.left <= 0:
        raise NotJudged("all selectors together take too many steps")
    yield from found
