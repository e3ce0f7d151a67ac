"""cel-memory-exact-or-decimal: no card has exactly the memory that it is sold with."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.finding import Severity
from dralint.lint.run import Run
from dralint.lint.selectors.memory import GI, Test, candidates, lowered, tests
from dralint.lint.selectors.names import literal
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.stock import MI, guessed, nobody, severity
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject


def _exact(view: View, test: Test) -> Slip | None:
    """A size that no device has, or that some of those which are sold with it do not have."""
    found = candidates(view, test)
    if found is None or not found.devices:
        return None
    same = [each for each in found.devices if test.holds(each.memory)]
    missing = sorted(found.missing(test), key=lambda each: -each.memory)
    if same and not missing:
        return None
    other = missing[0] if missing else min(found.devices, key=lambda each: abs(each.memory - test.size))
    lower = lowered(min(other.memory, test.size))
    text = view.selectors[test.selector].text
    subject = text[slice(*test.comparison.subject)]
    right = f"{subject}.compareTo(quantity({literal(lower, text)})) >= 0"
    who = f"{other.name} ({other.memory // MI}Mi)"
    said = f"{nobody(view)} has exactly {test.constant.value} of memory, the nearest is {who}"
    if same:
        said = f"{who} does not have exactly {test.constant.value} of memory"
    doubt = guessed([other.device])
    values = {"said": f"{said}{doubt}", "advice": f"write {right}"}
    return Slip(
        test.selector,
        test.comparison.range,
        values,
        "info" if doubt else "warning" if same else severity(view),
        (Change(test.comparison.range, right),),
        certain=False,
        spoils=not same,
    )


def _decimal(test: Test) -> Slip:
    text = str(test.constant.value)
    values = {
        "said": f"{text} is decimal, {test.size / GI:.1f}Gi",
        "advice": "devices publish binary sizes: say what is meant in Gi",
    }
    level: Severity = "info"
    return Slip(test.selector, test.comparison.range, values, level, spoils=False)


def find(view: View) -> Iterator[Slip]:
    """Memory that must be equal to a size that nothing has, and sizes in powers of ten."""
    for test in tests(view):
        slip = _exact(view, test) if test.comparison.operator == "==" else None
        if slip is None and test.decimal:
            slip = _decimal(test)
        if slip:
            yield slip


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for an exact size that no device has (the fix makes it a threshold), and for a decimal one."""
    yield from hits("cel_memory_exact_or_decimal", subject, run)
