"""What the steps of a JSON patch (RFC 6902) ask for, as if it stood in the object that they change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dralint.convert.kustomize.patches import pointed
from dralint.convert.occurrences import Found, occurrences, request_maps
from dralint.kube.objects import ParsedFile
from dralint.nvidia.resources import classify
from dralint.yamltext.node import MAP, SCALAR, Node, deref
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, children, entries, get, string

_SETTING = ("add", "replace")


class StepRequest(NamedTuple):
    """A request of a step.

    found  its place and entries are pointers into the object; the offset is that of the name, or of the step's pointer
    step   the index of the step
    path   the step's pointer
    known  its count is; one that is copied from elsewhere is not
    """

    found: Found
    step: int
    path: Node
    known: bool = True


class _Set(NamedTuple):
    """A count that a step sets: the place and the entry of it in the object, by pointers."""

    place: Path
    entry: Path
    node: Node | None
    offset: int
    step: int
    path: Node


def is_null(node: Node) -> bool:
    """Whether a count takes the request away."""
    found = deref(node)
    return found.kind == SCALAR and resolve(found) is None


def _place(mapping: Path) -> Path | None:
    """The place of a mapping from resource names to counts; None for a mapping of any other kind."""
    for shapes, _ in request_maps():
        for shape in shapes:
            if mapping[-len(shape) :] == shape:
                return mapping[: -len(shape)]
    return None


def _in_pointer(step: Node, index: int) -> Iterator[_Set]:
    """What a step sets where its pointer leads, to one count or to all of a mapping."""
    path, value, op = get(step, "path"), get(step, "value"), string(get(step, "op"))
    at: Path = pointed(string(path) or "")
    if path is None or not at:
        return
    place = _place(at[:-1]) if classify(str(at[-1])) is not None else None
    if op == "copy" and place is not None:
        yield _Set(place, at, None, path.start, index, path)
    elif op not in _SETTING or value is None:
        return
    elif place is not None:
        yield _Set(place, at, value, path.start, index, path)
    elif value.kind == MAP and (place := _place(at)) is not None:
        for name, entry in entries(value).items():
            if classify(name) is not None:
                yield _Set(place, (*at, name), entry.value, path.start, index, path)


def _in_values(text: ParsedFile, body: Node) -> Iterator[_Set]:
    """What stands in the values of steps."""
    for found in occurrences(text):
        step = found.place[0] if found.place else None
        path = get(body, step, "path") if isinstance(step, int) else None
        if not isinstance(step, int) or path is None or string(get(body, step, "op")) not in _SETTING:
            continue
        above: Path = pointed(string(path) or "")
        for entry, count in zip(found.entries, found.counts, strict=True):
            place, inside = found.place[2:], entry[2:]
            yield _Set((*above, *place), (*above, *inside), count, found.offset, step, path)


def _inserts(each: _Set) -> bool:
    """Whether the step puts an item into a list: two such steps have two items at one pointer."""
    at = pointed(string(each.path) or "")
    return "-" in at or (bool(at) and at[-1].isdigit())


def step_requests(text: ParsedFile, body: Node, *, values: bool) -> list[StepRequest]:
    """The requests of a patch, in its order; the same name in limits and requests of one place is one.

    body    the list of steps
    values  those that stand in values are wanted, too; else they are accounted for elsewhere
    """
    sets = [each for index, step in enumerate(children(body)) for each in _in_pointer(step, index)]
    inside = list(_in_values(text, body))
    known = set() if values else {(each.place, each.entry[-1]) for each in inside}
    by_place: dict[tuple[object, ...], dict[Path, _Set]] = {}
    for each in sorted([*sets, *inside], key=lambda each: each.step) if values else sets:
        name = each.entry[-1]
        if (each.place, name) not in known and not (each.node is not None and is_null(each.node)):
            key = (each.place, name, each.step if _inserts(each) else None)
            by_place.setdefault(key, {})[each.entry] = each
    return [_request(text, [*found.values()]) for found in by_place.values()]


def _request(text: ParsedFile, sets: list[_Set]) -> StepRequest:
    # As in a manifest, the limit is what is told of both.
    sets.sort(key=lambda each: str(each.entry[len(each.place)]))
    first = sets[0]
    resource = classify(str(first.entry[-1]))
    assert resource is not None
    entries_ = tuple(each.entry for each in sets)
    counts = tuple(deref(each.node if each.node is not None else each.path) for each in sets)
    found = Found(text, 0, None, first.place, resource, entries_, counts, first.offset)
    return StepRequest(found, first.step, first.path, all(each.node is not None for each in sets))
