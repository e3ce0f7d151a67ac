"""Every GPU request of a file, once: in objects and values files, behind aliases and merge keys too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from dralint.convert.around import holding
from dralint.kube.kinds import note_fields, request_fields
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.paths import follow
from dralint.kube.quantity import Count, parse_count
from dralint.nvidia.resources import GpuResource, classify
from dralint.yamltext.node import ALIAS, MAP, SCALAR, SEQ, Node, deref, pairs
from dralint.yamltext.scalars import is_merge_key
from dralint.yamltext.view import Entry, Path, entries, get, string

if TYPE_CHECKING:  # check counts requests and converts none
    from dralint.convert.model import ClaimRef, Outcome, Way

# Maps from resource names to counts inside one place, the one whose count is reported first.
_RESOURCES: tuple[tuple[str, ...], ...] = (("limits",), ("requests",))


class Verdict(NamedTuple):
    """What becomes of a request, why (no full stop), what a person should do, and how it moved to DRA, if it did."""

    outcome: Outcome
    reason: str
    next: str = ""
    claim: ClaimRef | None = None
    way: Way | None = None


@dataclass(eq=False)
class Found:
    """A GPU request, and what becomes of it.

    object    the innermost object it stands in, None in values files and fragments
    place     the path of the `resources`-like mapping, or of the data-listed field's mapping
    entries   the paths of the entries that hold the count: in limits, in requests, or in both
    counts    their value nodes, aliases followed
    offset    where it stands in the text: for what an alias or `<<` brings in, there
    next      for a data-listed field what to do instead; "" otherwise
    stands_for  the resource with the device that a unit is, where something tells
    because   what tells, in words; "" where nothing does
    """

    file: ParsedFile
    document: int
    object: KubeObject | None
    place: Path
    resource: GpuResource
    entries: tuple[Path, ...]
    counts: tuple[Node, ...]
    offset: int
    next: str = ""
    verdict: Verdict | None = None
    stands_for: GpuResource | None = None
    because: str = ""

    @cached_property
    def read(self) -> tuple[Count, ...]:
        """The counts as numbers; many ask for them, and a file may hold many requests."""
        return tuple(map(parse_count, self.counts))

    @property
    def device(self) -> GpuResource:
        """The resource with the device that a unit is, which the name alone may not tell."""
        return self.stands_for or self.resource


class _Visit(NamedTuple):
    """A node on the way; `borrowed`: the offset of the first alias or `<<` that led to it."""

    node: Node
    path: Path
    borrowed: int | None = None


class _Sighting(NamedTuple):
    """A count: the path of its entry, its value node, and where it stands."""

    path: Path
    node: Node
    offset: int


@cache
def request_maps() -> tuple[tuple[tuple[tuple[str, ...], ...], str], ...]:
    """The shapes of places that any mapping can have, each with its advice."""
    listed = tuple((field.maps, field.next) for field in request_fields() if field.place is None)
    return (*listed, (_RESOURCES, ""))


def _names_gpu(mapping: Node) -> bool:
    """Whether a GPU's name is one of the keys as they are written."""
    for key in mapping.items[::2]:
        if classify(key.text if key.kind == SCALAR else deref(key).text) is not None:
            return True
    return False


def _holders(root: Node) -> set[int]:
    """The ids of the nodes under which, aliases followed, a GPU's name stands as a key.

    Linear in the text: a shared node is looked at once.
    """
    holding: set[int] = set()
    waiting: list[tuple[Node, bool]] = [(root, False)]
    while waiting:
        node, children_done = waiting.pop()
        if not children_done and node.kind in (MAP, SEQ):
            waiting.append((node, True))
            waiting.extend((child, False) for child in reversed(node.items) if child.kind != SCALAR)
            continue
        # An alias stands after its anchor in the text, so its target was judged before.
        if (node.kind == MAP and _names_gpu(node)) or (
            holding and any(id(child) in holding for child in node.items)
        ):
            holding.add(id(node))
    return holding


def _merge_offset(mapping: Node) -> int:
    """Where the mapping's `<<` stands."""
    return next(
        (key.start for key, _ in pairs(mapping) if is_merge_key(key)),
        mapping.start,
    )


def _borrowed(visit: _Visit, entry: Entry) -> int | None:
    if visit.borrowed is not None:
        return visit.borrowed
    if entry.merged:
        return _merge_offset(visit.node)
    return entry.value.start if entry.value.kind == ALIAS else None


def _inside(visit: _Visit, path: Sequence[str]) -> _Visit | None:
    """The visit of what stands at a path of keys."""
    for key in path:
        entry = entries(visit.node).get(key) if visit.node.kind == MAP else None
        if entry is None:
            return None
        visit = _Visit(deref(entry.value), (*visit.path, key), _borrowed(visit, entry))
    return visit


def _sighting(inner: _Visit, name: str) -> _Sighting:
    entry = entries(inner.node)[name]
    borrowed = inner.borrowed if inner.borrowed is not None or not entry.merged else _merge_offset(inner.node)
    offset = entry.key.start if borrowed is None else borrowed
    return _Sighting((*inner.path, name), deref(entry.value), offset)


def _in_maps(visit: _Visit, maps: Sequence[Sequence[str]]) -> Iterator[tuple[str, list[_Sighting]]]:
    """The resource names in the maps of one place."""
    found: dict[str, list[_Sighting]] = {}
    for path in maps:
        inner = _inside(visit, path)
        if inner is not None and inner.node.kind == MAP:
            for name in entries(inner.node):
                if classify(name) is not None:
                    found.setdefault(name, []).append(_sighting(inner, name))
    yield from found.items()


def _visits(root: Node) -> Iterator[_Visit]:
    """Every use of every mapping that holds a GPU's name somewhere, in the order of the text."""
    holding = _holders(root)
    waiting = [_Visit(deref(root), ())] if id(root) in holding else []
    while waiting:
        visit = waiting.pop()
        node = visit.node
        if node.kind == MAP:
            yield visit
            children = [
                _Visit(deref(entry.value), (*visit.path, key), _borrowed(visit, entry))
                for key, entry in entries(node).items()
                if id(deref(entry.value)) in holding
            ]
        else:
            children = [
                _Visit(
                    deref(item),
                    (*visit.path, index),
                    item.start if item.kind == ALIAS and visit.borrowed is None else visit.borrowed,
                )
                for index, item in enumerate(node.items)
                if id(item) in holding
            ]
        waiting.extend(reversed(children))


def _tests(step: Node | None) -> bool:
    return string(get(step, "op")) == "test" and string(get(step, "path")) is not None


def _in_document(file: ParsedFile, index: int, root: Node) -> Iterator[Found]:
    seen: set[Path] = set()
    for visit in _visits(root):
        for maps, advice in request_maps():
            for name, sightings in _in_maps(visit, maps):
                resource = classify(name)
                if resource is None or sightings[0].path in seen:
                    continue
                paths, counts, offsets = zip(*sightings, strict=True)
                seen.update(paths)
                owner = next(holding(file, index, visit.path), None)
                # A pod's status repeats the resources of its containers; it asks for nothing.
                if owner is not None and visit.path[len(owner.path) :][:1] == ("status",):
                    continue
                # What a step of a JSON patch only looks at asks for nothing.
                if owner is None and root.kind == SEQ and _tests(get(root, *visit.path[:1])):
                    continue
                yield Found(file, index, owner, visit.path, resource, paths, counts, offsets[0], advice)


def _in_fields(obj: KubeObject) -> Iterator[Found]:
    """Requests in data-listed fields of the object's kind."""
    for field in request_fields():
        if (
            field.place is None
            or (field.group, field.kind) != (obj.group, obj.ref.kind)
            or (field.versions is not None and obj.version not in field.versions)
        ):
            continue
        for match in follow(obj.node, field.place):
            place: Path = (*obj.path, *match.path)
            name = string(get(match.node, *field.name)) if field.name is not None else field.resource
            resource = classify(name) if name is not None else None
            if resource is None:
                continue
            sightings: list[_Sighting] = []
            for path in field.quantities:
                inner = _inside(_Visit(match.node, place), path[:-1])
                if inner is not None and inner.node.kind == MAP and path[-1] in entries(inner.node):
                    sightings.append(_sighting(inner, path[-1]))
            if sightings:
                paths, counts, offsets = zip(*sightings, strict=True)
                yield Found(
                    obj.file, obj.document, obj, place, resource, paths, counts, offsets[0], field.next
                )


def occurrences(file: ParsedFile) -> list[Found]:
    """The file's GPU requests in the order of the text.

    Quota and inventory kinds have none: what they hold is for notes. Documents whose aliases explode
    are left out; reading them has reported them.
    """
    found: list[Found] = []
    for index, document in enumerate(file.documents):
        if document.root is not None:
            found.extend(_in_document(file, index, document.root))
    for obj in file.objects:
        found.extend(_in_fields(obj))
    quotas = note_fields()
    kept = (
        each
        for each in found
        if each.object is None or (each.object.group, each.object.ref.kind or "") not in quotas
    )
    return sorted(kept, key=lambda each: each.offset)
