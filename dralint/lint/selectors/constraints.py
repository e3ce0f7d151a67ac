"""The constraints of a claim: the attribute they name, and the requests they are about."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from dralint.kube.dra import Constraint, Request
from dralint.kube.objects import KubeObject
from dralint.lint.facts.parts import looked_at
from dralint.lint.run import Run
from dralint.lint.selectors.view import View, views
from dralint.lint.subject import Subject
from dralint.lint.views import spec_of
from dralint.yamltext.view import Path


class Covered(NamedTuple):
    """A constraint with one attribute that has a domain, and what it covers.

    field  matchAttribute or distinctAttribute
    asks   of the requests, and alternatives, that it is about; complete: none of the names it lists is unknown
    """

    constraint: Constraint
    field: str
    domain: str
    name: str
    requests: list[Request]
    asks: list[View]
    complete: bool

    @property
    def path(self) -> Path:
        """Where the attribute stands."""
        return (*self.constraint.path, self.field)


def _names(request: Request) -> set[str]:
    own = request.name or ""
    return {own, *(f"{own}/{each.name}" for each in request.subrequests)}


def covered(subject: Subject, run: Run) -> Covered | None:
    """What a subject of kind `constraint` is about; None where it names no attribute with a domain, or two."""
    return _covered(subject.object, subject.path, run)


@lru_cache(maxsize=1)
def _covered(obj: KubeObject, path: Path, run: Run) -> Covered | None:
    spec = spec_of(obj)
    constraint = next((each for each in spec.constraints if each.path == path), None) if spec else None
    if spec is None or constraint is None:
        return None
    match, distinct = constraint.match_attribute, constraint.distinct_attribute
    if (match is None) == (distinct is None):
        return None
    domain, slash, name = (match or distinct or "").rpartition("/")
    if not slash or not domain or not name:
        return None
    listed = None if constraint.requests is None else set(constraint.requests)
    requests = [each for each in looked_at(spec) if listed is None or _names(each) & listed]
    paths = {
        ask.path
        for request in requests
        for ask in request.asks
        if listed is None or (request.name or "") in listed or f"{request.name}/{ask.name}" in listed
    }
    known = {name for each in looked_at(spec) for name in _names(each)}
    return Covered(
        constraint,
        "matchAttribute" if match is not None else "distinctAttribute",
        domain,
        name,
        requests,
        [view for view in views(obj, run) if view.path in paths],
        listed is None or listed <= known,
    )
