"""cel-unguarded-attribute: one device without the attribute ends the scheduling of the pod on all nodes."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.cel.anatomy import Comparison
from dralint.cel.device.answers import EvaluationError
from dralint.inventory.device import Device
from dralint.lint.run import Run
from dralint.lint.selectors.evaluation import Outcome
from dralint.lint.selectors.names import published_as, reads
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.stock import called, text_of
from dralint.lint.selectors.view import View, Written
from dralint.lint.subject import Hit, Subject


def _lacks(view: View, device: Device, error: EvaluationError) -> bool:
    """Whether there can be a device without it.

    Of predicted devices only what is optional, or belongs to other types, counts: that single cards have no
    memory to tell (GB10) is no reason to guard every threshold.
    """
    if error.map is None or error.name is None:
        return False
    if not device.unknown:
        return True
    found = published_as(view, error.map, error.domain, error.name, (text_of(device, "type") or "",))
    return found is None or (found.optional and error.name in device.unknown)


def _whose(view: View, device: Device, error: EvaluationError) -> str:
    if view.stock.given:
        return f"device {device.name} of pool {device.pool} has none"
    kind = text_of(device, "type")
    found = published_as(view, error.map or "", error.domain, error.name or "", (kind or "",))
    if found is not None:
        return "not every device has it"
    return f"devices of type {kind} have none" if kind else f"{called(device)} has none"


def _guard(written: Written, error: EvaluationError) -> tuple[Change, ...]:
    """`has(...)` before the comparison that reads it, where that must hold anyway."""
    found: list[Comparison] = [
        each
        for each in written.comparisons
        if each.read.map == error.map
        and (each.read.domain, each.read.name) == (error.domain, error.name)
        and not each.read.guarded
    ]
    plain = all(each.certain and each.sign == 1 and each.read.written for each in found)
    reads = [
        each
        for each in written.reads
        if (each.map, each.domain, each.name) == (error.map, error.domain, error.name) and not each.guarded
    ]
    if not found or not plain or len(found) != len(reads):
        return ()
    first = found[0]
    text = written.text[slice(*first.read.range)]
    if not text.rstrip().rpartition(".")[2].isidentifier():
        return ()
    start = first.range[0]
    return (Change((start, start), f"has({text}) && "),)


def _slips(view: View, outcome: Outcome) -> Iterator[Slip]:
    seen: set[tuple[int, str | None, str | None, str | None]] = set()
    for row, selector, error in outcome.errors:
        key = (selector, error.map, error.domain, error.name)
        device = outcome.rows.device(row)
        if key in seen or not _lacks(view, device, error):
            continue
        seen.add(key)
        written = view.selectors[selector]
        place = next(
            (
                read.range
                for read in written.reads
                if (read.map, read.domain, read.name) == key[1:] and not read.guarded
            ),
            (error.offset, error.offset + 1),
        )
        values = {
            "name": f"{error.domain}/{error.name}",
            "whose": _whose(view, device, error),
        }
        yield Slip(selector, place, values, changes=_guard(written, error), spoils=False)


def _all_there(view: View, outcome: Outcome) -> bool:
    """Whether every read is of what all known cards publish: no device has to be asked."""
    if view.stock.given:
        return False
    types = {text_of(device, "type") or "" for device, _ in outcome.rows.alike}
    for _, read in reads(view):
        if read.map in ("attributes", "capacity") and read.used and not read.guarded:
            found = [published_as(view, read.map, read.domain, read.name or "", (each,)) for each in types]
            if len(read.keys) != 2 or any(each is None or each.optional for each in found):
                return False
    return all(written.anatomy is not None for written in view.selectors)


def find(view: View) -> Iterator[Slip]:
    """Reads that are an error on some of the devices that are asked for."""
    outcome = view.outcome
    if outcome is None or outcome.nothing or not view.class_known or view.partial:
        return
    if not _all_there(view, outcome):
        yield from _slips(view, outcome)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for an attribute that not every device has; the fix asks for it with `has` first."""
    yield from hits("cel_unguarded_attribute", subject, run)
