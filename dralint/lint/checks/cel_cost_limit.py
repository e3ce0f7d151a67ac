"""cel-cost-limit: the API server refuses selectors that may take too long."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.cel.anatomy import Comparison
from dralint.cel.device.answers import CompileErrors
from dralint.cel.device.limits import MAX_COST
from dralint.lint.run import Run
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.view import View, Written
from dralint.lint.subject import Hit, Subject

_HINT = "; guard with has(...), or split it into simpler comparisons"
_OPTIONAL = (
    "; a method of texts on an optional value counts as unbounded: guard with has(...) instead of orValue"
)


def _has(written: Written, comparison: Comparison) -> Change | None:
    """`has(X.name) && X.name.contains("y")` for `X.?name.orValue("").contains("y")`."""
    read, text = comparison.read, written.text
    start, end = read.range
    after = text[end : comparison.sign_range[0]].replace(" ", "")
    optional = [key for key in read.keys if key.optional]
    if (
        comparison.sign != 1
        or comparison.form != "method"
        or after not in ('.orValue("")', ".orValue('')")
        or optional != [read.keys[-1]]
        or len(read.keys) != 2
    ):
        return None
    name = read.keys[1].range
    before = text[start : name[0]].rstrip()
    if not before.endswith("?"):
        return None
    plain = before[:-1].rstrip() + text[name[0] : end]
    return Change(comparison.range, f"has({plain}) && {plain}{text[slice(*comparison.sign_range)]}")


def _changes(written: Written) -> tuple[Change, ...]:
    """All such comparisons; nothing where a method on an optional value would stay."""
    through = [each for each in written.comparisons if each.through[:1] == ("orValue",)]
    dear = [each for each in through if each.form == "method" or len(each.through) > 1]
    changes = [_has(written, each) for each in dear]
    return tuple(change for change in changes if change) if all(changes) else ()


def find(view: View) -> Iterator[Slip]:
    """Selectors whose estimated cost is over the API server's limit."""
    for index, written in enumerate(view.selectors):
        program = written.program
        if isinstance(program, CompileErrors) or (program.cost or 0) <= MAX_COST:
            continue
        optional = "orValue" in written.text
        values = {
            "cost": f"{program.cost:,}",
            "most": f"{MAX_COST:,}",
            "hint": _OPTIONAL if optional else _HINT,
        }
        changes = _changes(written) if optional else ()
        yield Slip(index, None, values, changes=changes)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a selector that costs too much; the fix guards what `orValue` makes dear."""
    yield from hits("cel_cost_limit", subject, run)
