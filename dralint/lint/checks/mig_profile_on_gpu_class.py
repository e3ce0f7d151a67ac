"""mig-profile-on-gpu-class: only MIG devices have a profile and a parent."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.selectors.names import comparisons, hurts, published_as, reads
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Slip
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.classes import device_classes

_MIG = "mig"


def only_mig(view: View, which: str, domain: str | None, name: str) -> bool:
    """Whether MIG devices have it and no others do."""
    others = [each.type for each in device_classes().values() if each.type != _MIG]
    return (
        published_as(view, which, domain, name, (_MIG,)) is not None
        and published_as(view, which, domain, name, others) is None
    )


def _fix(view: View) -> str | None:
    """The driver's own class of MIG devices, unless something else asks for whole GPUs."""
    wants_type = any(comparison.read.name == "type" for _, comparison in comparisons(view))
    if not view.of_class.own or wants_type:
        return None
    return next(each.name for each in device_classes().values() if each.type == _MIG)


def find(view: View) -> Iterator[Slip]:
    """The first look at something that only MIG devices have, in a request for devices of another type."""
    if view.class_type in (None, _MIG) or view.ask is None:
        return
    for index, read in reads(view):
        if not read.used or read.guarded or read.name is None or len(read.keys) != 2:
            continue
        if only_mig(view, read.map, read.domain, read.name) and hurts(
            view, read.map, read.domain or "", read.name
        ):
            values = {
                "name": read.name,
                "class": view.ask.device_class or "",
                "type": str(view.class_type),
            }
            whole = next(
                (each.range for _, each in comparisons(view) if each.read.range == read.range), read.range
            )
            yield Slip(index, whole, values, take_class=_fix(view))
            return


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a MIG attribute in a request for whole GPUs; the fix takes the class of MIG devices."""
    yield from hits("mig_profile_on_gpu_class", subject, run)
