"""Subjects of the names of DeviceClasses, wherever one is asked for: `class_use`."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import CLASS
from dralint.kube.objects import KubeObject
from dralint.kube.selections import annotated, selections
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.parts import LOOKED_AT, asks
from dralint.lint.subject import Subject
from dralint.lint.views import spec_of
from dralint.yamltext.view import Path, get, string

KINDS = frozenset({"class_use"})
_FIELD = "deviceClassName"


def _uses(obj: KubeObject, around: Surroundings) -> Iterator[tuple[str | None, Path]]:
    """(name, where it stands) of the classes that an object names."""
    spec = spec_of(obj)
    if spec is not None:
        if obj.ref.kind != CLASS:
            yield from ((ask.device_class, (*ask.path, _FIELD)) for ask in asks(spec))
        return
    for index, found in enumerate(selections(obj, around.run.target.kubernetes)):
        if index == LOOKED_AT:
            break
        # A default stands nowhere.
        yield string(get(found.ask.node, _FIELD)), (*found.ask.path, _FIELD)
    by_annotations = annotated(obj)
    if by_annotations is not None:
        yield by_annotations.device_class, by_annotations.class_path


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The names in a claim's requests and alternatives, and in what other objects select."""
    for name, path in _uses(obj, around):
        if name is not None:
            yield around.subject("class_use", obj, path, {"device_class": name})
