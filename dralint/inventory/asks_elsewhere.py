"""What is asked for elsewhere than in claims and classes: by NIM services, by annotations, by taint rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from dralint.inventory.asks import Ask, FindClass, Source, Written, asks_of
from dralint.inventory.device import Note
from dralint.kube.objects import KubeObject
from dralint.kube.selections import Annotated, Selection, annotated, selections
from dralint.kube.versions import Version
from dralint.yamltext.node import SCALAR
from dralint.yamltext.view import get, string


def _class(
    name: str | None, obj: KubeObject, start: int, find_class: FindClass, notes: list[Note]
) -> tuple[Written, ...]:
    found = find_class(name) if name is not None else ()
    if found is None:
        what = f"DeviceClass {name} is not known, so only the object's own selectors count"
        notes.append(Note(what, obj.file.place(start)))
    return found or ()


def _of_selection(
    selection: Selection, obj: KubeObject, find_class: FindClass, notes: list[Note]
) -> Ask | None:
    ask = selection.ask
    own = [Written(f"device.driver == {json.dumps(selection.driver)}")] if selection.driver else []
    own += [
        Written(each.expression, obj.file, each.node)
        for each in ask.selectors
        if each.expression is not None and each.node.kind == SCALAR
    ]
    own += [Written(each.expression, obj.file, each.node) for each in selection.in_fields]
    start = next((each.node.start for each in own if each.node is not None), ask.node.start)
    of_class = _class(ask.device_class, obj, start, find_class, notes)
    if not own and not of_class:
        return None
    for field in selection.narrowed:
        what = f"{field} narrows this further, and is not looked at"
        notes.append(Note(what, obj.file.place(start)))
    source = Source(obj.file.place(start), obj.ref, string(get(ask.node, "name")))
    return Ask(tuple(own), ask.device_class, of_class, source)


def _of_annotations(
    found: Annotated, obj: KubeObject, find_class: FindClass, notes: list[Note]
) -> Ask | None:
    own = []
    for text in found.expressions:
        expression = text.lstrip()
        own.append(Written(expression, obj.file, found.node, len(text) - len(expression)))
    at = (
        found.node
        if own and found.node is not None
        else get(obj.file.documents[obj.document].root, *found.class_path)
    )
    start = at.start if at is not None else obj.node.start
    of_class = _class(found.device_class, obj, start, find_class, notes)
    if not own and not of_class:
        return None
    return Ask(tuple(own), found.device_class, of_class, Source(obj.file.place(start), obj.ref, None))


def asks_elsewhere(
    obj: KubeObject, find_class: FindClass, notes: list[Note], version: Version
) -> Iterator[Ask]:
    """The asks of an object that is no claim and no class; nothing for most kinds.

    version  of Kubernetes
    """
    if obj.template:
        return
    asks = [_of_selection(each, obj, find_class, notes) for each in selections(obj, version)]
    by_annotations = annotated(obj)
    if by_annotations is not None:
        asks.append(_of_annotations(by_annotations, obj, find_class, notes))
    yield from (each for each in asks if each is not None)


def every_ask(
    objects: Iterable[KubeObject], find_class: FindClass, notes: list[Note], version: Version
) -> Iterator[Ask]:
    """All that objects ask for, in their order."""
    for obj in objects:
        yield from asks_of([obj], find_class, notes)
        yield from asks_elsewhere(obj, find_class, notes, version)
