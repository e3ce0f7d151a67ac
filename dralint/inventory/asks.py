"""What claims and classes ask for: the selectors of each request, after those of its class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from dralint.errors import Place
from dralint.inventory.device import Note
from dralint.kube.bundle import Bundle
from dralint.kube.devices import Ask as Exact
from dralint.kube.devices import Request, Selector
from dralint.kube.dra import CLASS, claim_spec
from dralint.kube.objects import KubeObject, ObjectRef, ParsedFile
from dralint.nvidia.classes import device_classes
from dralint.yamltext.node import SCALAR, Node


class Written(NamedTuple):
    """An expression and the node of a file that holds it; None: the command line, or a class of the driver.

    offset  where the expression begins in the scalar's text
    """

    text: str
    file: ParsedFile | None = None
    node: Node | None = None
    offset: int = 0


class Source(NamedTuple):
    """Where an ask stands: its object, and the request's name (`parent/alternative`); None for a class."""

    place: Place
    object: ObjectRef
    request: str | None


class Ask(NamedTuple):
    """Selectors that a device must pass, all of them.

    selectors        its own
    device_class     the name of its class, None where it names none
    class_selectors  those of the class, which are asked first
    source           None: the command line
    """

    selectors: tuple[Written, ...]
    device_class: str | None = None
    class_selectors: tuple[Written, ...] = ()
    source: Source | None = None

    @property
    def all_selectors(self) -> tuple[Written, ...]:
        """In the order in which Kubernetes evaluates them."""
        return self.class_selectors + self.selectors


FindClass = Callable[[str], tuple[Written, ...] | None]
"""The selectors of a class by its name; None for a class that nobody knows."""


def _written(selectors: Iterable[Selector], file: ParsedFile) -> tuple[Written, ...]:
    return tuple(
        Written(each.expression, file, each.node)
        for each in selectors
        if each.expression is not None and each.node.kind == SCALAR
    )


def _built_in(name: str) -> tuple[Written, ...]:
    """A class that NVIDIA's driver installs selects by driver and type."""
    known = device_classes()[name]
    text = f'device.driver == "{known.driver}" && device.attributes["{known.driver}"].type == "{known.type}"'
    return (Written(text),)


def _class_in(bundle: Bundle, name: str) -> tuple[Written, ...] | None:
    for obj in bundle.find(CLASS, None, name):
        spec = claim_spec(obj)
        if spec is not None and not obj.template:
            return _written(spec.selectors, obj.file)
    return None


def class_finder(bundle: Bundle, context: Callable[[], Bundle]) -> FindClass:
    """Finds classes among the objects, among those of NVIDIA's driver, and then in the context."""

    def find(name: str) -> tuple[Written, ...] | None:
        found = _class_in(bundle, name)
        if found is None and name in device_classes():
            return _built_in(name)
        return _class_in(context(), name) if found is None else found

    return find


def _ask(
    exact: Exact, obj: KubeObject, request: str | None, find_class: FindClass, notes: list[Note]
) -> Ask | None:
    selectors = _written(exact.selectors, obj.file)
    of_class: tuple[Written, ...] | None = ()
    first = selectors[0].node if selectors and selectors[0].node else exact.node
    place = obj.file.place(first.start)
    if exact.device_class is not None:
        of_class = find_class(exact.device_class)
        if of_class is None:
            what = f"DeviceClass {exact.device_class} is not known, so only the request's own selectors count"
            notes.append(Note(what, place))
    if not selectors and not of_class:
        return None
    return Ask(selectors, exact.device_class, of_class or (), Source(place, obj.ref, request))


def _request_asks(
    request: Request, obj: KubeObject, find_class: FindClass, notes: list[Note]
) -> Iterator[Ask]:
    for exact in request.asks:
        name = "/".join(part for part in (request.name, exact.name) if part) or None
        found = _ask(exact, obj, name, find_class, notes)
        if found is not None:
            yield found


def asks_of(objects: Iterable[KubeObject], find_class: FindClass, notes: list[Note]) -> Iterator[Ask]:
    """One ask for each request, and alternative of a request, of claims and templates, and for each class.

    Requests without any selector, also through their class, ask for nothing. Classes that nobody knows
    are noted.
    """
    for obj in objects:
        spec = claim_spec(obj)
        if spec is None or obj.template:
            continue
        if obj.ref.kind == CLASS:
            selectors = _written(spec.selectors, obj.file)
            if selectors and selectors[0].node is not None:
                place = obj.file.place(selectors[0].node.start)
                yield Ask(selectors, source=Source(place, obj.ref, None))
        for request in spec.requests:
            yield from _request_asks(request, obj, find_class, notes)
