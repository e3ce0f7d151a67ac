"""mig-parent-constraint-single: one device always agrees with itself."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.rewriting import fixed
from dralint.lint.run import Run
from dralint.lint.selectors.constraints import Covered, covered
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of
from dralint.yamltext.operations import Operation, Remove

_PARENT = "parentUUID"


def _single(found: Covered) -> bool:
    """Whether the constraint is about one device for certain."""
    if not found.complete or len(found.requests) != 1:
        return False
    return all(ask.mode in (None, "ExactCount") and ask.count in (None, 1) for ask in found.requests[0].asks)


def _fix(subject: Subject) -> list[Operation]:
    spec = spec_of(subject.object)
    alone = spec is not None and len(spec.constraints) == 1
    path = subject.path[:-1] if alone else subject.path
    return [Remove(subject.object.document, path)]


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a constraint on the parent of a single MIG device; the fix takes it away."""
    found = covered(subject, run)
    if found is None or found.name != _PARENT or not _single(found):
        return
    name = found.requests[0].name or "it"
    yield fixed(Hit(found.path, {"request": name}), run, subject.object, lambda: _fix(subject))
