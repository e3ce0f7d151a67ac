"""mig-memory-label-vs-capacity: a MIG device has less memory than its profile's name says."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.selectors.memory import candidates, tests
from dralint.lint.selectors.names import literal
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.stock import MI, guessed, memory_seen, text_of, with_memory
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject

_LEAST = (">", ">=")


def find(view: View) -> Iterator[Slip]:
    """Thresholds at the size that is in the name of profiles which the other clauses let through."""
    for test in tests(view):
        found = candidates(view, test) if test.comparison.operator in _LEAST else None
        missing = found.missing(test) if found else []
        slices = [each for each in missing if text_of(each.device, "profile")]
        if found is None or not slices or len(slices) < len(missing):
            continue
        left = [each for each in found.devices if test.holds(each.memory)]
        right = f"{min(each.memory for each in slices) // MI}Mi"
        devices = with_memory([(each.name, each.memory) for each in slices])
        size = test.constant.value
        said = (
            f"{size} of memory leaves out {devices}"
            if left
            else f"{size} of memory is more than there is, in {devices}"
        )
        doubt = guessed([each.device for each in slices])
        certain = any(memory_seen(each.device) for each in slices)
        values = {"said": f"{said}{doubt}", "right": right}
        like = view.selectors[test.selector].text[slice(*test.constant.range)]
        change = Change(test.constant.range, literal(right, like))
        yield Slip(
            test.selector,
            test.comparison.range,
            values,
            None if certain else "info",
            changes=(change,) if test.comparison.operator == ">=" else (),
            certain=False,
            spoils=not left,
        )


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a threshold that MIG devices of that name miss; the fix takes what they publish."""
    yield from hits("mig_memory_label_vs_capacity", subject, run)
