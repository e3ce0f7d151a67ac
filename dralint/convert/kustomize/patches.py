"""What a patch of a kustomization does to the places that a conversion changes in a pod."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, takewhile
from typing import NamedTuple

from dralint.convert.around import applied
from dralint.convert.counting import count_paths
from dralint.convert.notes.strings import request_in
from dralint.convert.occurrences import Found, occurrences
from dralint.convert.work import PodWork
from dralint.errors import Place
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.quantity import parse_count
from dralint.yamltext.node import MAP, SCALAR, SEQ, Node, deref
from dralint.yamltext.view import Path, children, entries, field_path, get, string

ASKS = "asks for GPUs as well ({place}): with a claim it would ask twice"
TAKES = "takes GPUs away ({place}): the claim would stay"
CHANGES = "changes {field} ({place}), which the conversion changes"
LABELS = "asks for node labels of GPUs ({place})"
# Groups whose lists kustomize merges by name; those of other kinds it replaces. Source: kyaml/openapi.
MERGED = ("", "apps", "batch")
_LABEL = "nvidia.com/"
_LABELED = ("nodeSelector", "affinity")


class Touched(NamedTuple):
    """What a patch does, as a format with `place` and `field`, which is its path; offset: where in its text."""

    what: str
    offset: int
    path: Path = ()


class Places(NamedTuple):
    """What a conversion changes in a pod; paths are from the object that kustomize knows.

    changed   entries that it removes, and lists that it adds to
    removed   mappings that are gone afterwards
    names     of the containers, by the paths they have
    pod       the pod spec
    """

    changed: list[Path]
    removed: list[Path]
    names: dict[Path, str | None]
    pod: Path


def _labels(work: PodWork, pod: Path) -> Iterator[Path]:
    """The demands on node labels that may become selectors."""
    selector = get(work.pod.node, "nodeSelector")
    for key in entries(selector) if selector is not None and selector.kind == MAP else ():
        if key.startswith(_LABEL):
            yield (*pod, "nodeSelector", key)
    affinity = get(work.pod.node, "affinity", "nodeAffinity")
    if affinity is not None and _LABEL in work.file.text.text[affinity.start : affinity.end]:
        yield (*pod, "affinity", "nodeAffinity")


def places_of(work: PodWork, *, labels: bool) -> Places:
    start = len(applied(work.pod.object).path)
    root = work.pod.object.file.documents[work.pod.object.document].root
    pod = work.pod.path[start:]
    form = work.pod.claims
    changed: list[Path] = [(*pod, *(form.path if form is not None else ("resourceClaims",)))]
    removed: list[Path] = []
    for index, requests in work.asked.items():
        gone = {path for found in requests for path in found.entries}
        changed += [path[start:] for path in sorted(gone, key=str)]
        changed.append((*work.containers[index].path[start:], "resources", "claims"))
        for parent in {path[:-1] for path in gone}:
            mapping = get(root, *parent)
            if mapping is not None and {(*parent, key) for key in entries(mapping)} <= gone:
                removed.append(parent[start:])
    if labels:
        changed += _labels(work, pod)
    if work.pod.gpu_count is not None:
        changed.append(work.pod.gpu_count[start:])
    changed += (path[start:] for path in count_paths(work))
    names = {container.path[start:]: container.name for container in work.containers}
    return Places(changed, removed, names, pod)


def _directive(node: Node) -> bool:
    return node.kind == MAP and any(key.startswith("$") for key in entries(node))


def _met(body: Node, path: Path, places: Places, *, merged: bool) -> Node | None:
    """Where a strategic merge reaches a path, or takes the place of something above it."""
    node = body
    for depth, step in enumerate(path):
        if node.kind == SCALAR or _directive(node):
            return node
        if isinstance(step, str):
            child = get(node, step)
            if child is None:
                return None
            node = child
            continue
        name = places.names.get(path[: depth + 1])
        if not merged or name is None:
            return node
        item = None
        for each in children(node):
            if string(get(each, "name")) == name:
                item = each
            elif _directive(each) and get(each, "name") is None:
                return each
        if item is None:
            return None
        node = item
    return node


def _merge(body: Node, obj: KubeObject, places: Places, *, merged: bool) -> Iterator[Touched]:
    """What a strategic-merge patch does."""
    merged = merged and obj.group in MERGED
    for path in places.changed:
        met = _met(body, path, places, merged=merged)
        if met is not None:
            yield Touched(CHANGES, met.start, path)


def pointed(pointer: str) -> tuple[str, ...]:
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


def _starts(path: tuple[str, ...], with_: tuple[str, ...]) -> bool:
    return path[: len(with_)] == with_


def _with_index(path: tuple[str, ...], pointer: tuple[str, ...], at: int) -> tuple[str, ...]:
    """The path with the pointer's index of a container, if both are in the same list of containers."""
    same = path[:at] == pointer[:at] and path[at : at + 1] and path[at].isdigit()
    return (*path[:at], pointer[at], *path[at + 1 :]) if same else path


def _pointed(body: Node, places: Places, *, indexes: bool) -> Iterator[Touched]:
    """What the steps of a JSON patch do."""
    changed = [tuple(map(str, path)) for path in places.changed]
    removed = [tuple(map(str, path)) for path in places.removed]
    for step in children(body):
        op = string(get(step, "op"))
        for key in ("path", "from"):
            node = get(step, key)
            pointer = pointed(string(node) or "")
            if node is None or not pointer:
                continue
            start = len(places.pod) + 1
            if not indexes and pointer[start : start + 1] and pointer[start].isdigit():
                # It may mean each of the containers.
                met, gone = (
                    [_with_index(path, pointer, start) for path in paths] for paths in (changed, removed)
                )
            else:
                met, gone = changed, removed
            # An item comes beside those that are there.
            inserts = op == "add" and key == "path" and (pointer[-1] == "-" or pointer[-1].isdigit())
            if any((_starts(path, pointer) and not inserts) or _starts(pointer, path) for path in met) or any(
                _starts(pointer, path) for path in gone
            ):
                yield Touched(CHANGES, node.start, pointer)


# A file may hold patches for many objects.
@lru_cache(maxsize=8)
def requests_in(file: ParsedFile) -> list[Found]:
    return occurrences(file)


def _asks(file: ParsedFile, body: Node, *, pointers: bool) -> Iterator[Touched]:
    """GPUs that the patch asks for by resource name, or by a pointer to one."""
    requests = requests_in(file)
    first = bisect_left(requests, body.start, key=lambda each: each.offset)
    for found in takewhile(lambda each: each.offset < body.end, islice(requests, first, None)):
        gone = parse_count(found.counts[0]).text is None
        yield Touched(TAKES if gone else ASKS, found.offset)
    for step in children(body) if pointers else ():
        pointer = request_in(file.text.text[step.start : step.end])
        if pointer is not None:
            what = TAKES if string(get(step, "op")) == "remove" else ASKS
            yield Touched(what, step.start + pointer.offset)


def _asked_labels(file: ParsedFile, body: Node, pod: Path) -> Iterator[Touched]:
    """Node labels of GPUs that the patch asks for."""
    parts: list[Node | None] = []
    if body.kind == SEQ:
        prefix = tuple(map(str, pod))
        for step in children(body):
            pointer = pointed(string(get(step, "path")) or "")
            if _starts(pointer, prefix) and pointer[len(pod) : len(pod) + 1] in [
                (each,) for each in _LABELED
            ]:
                parts.append(step)
    else:
        parts = [get(body, *pod, each) for each in _LABELED]
    for part in parts:
        if part is not None:
            text = file.text.text[part.start : part.end].replace("~1", "/")
            if _LABEL in text:
                yield Touched(LABELS, part.start)


def every_touch(
    work: PodWork, file: ParsedFile, body: Node, *, labels: bool, merged: bool = True, indexes: bool = True
) -> list[Touched]:
    """What a patch does to what the conversion of a pod changes; nothing where both go together.

    body    the object of a strategic-merge patch, or the list of steps of a JSON patch, in `file`
    labels  whether node labels become selectors
    merged  whether lists of Kubernetes' own kinds are merged by name
    indexes  whether the containers have the indexes that they have in the object
    """
    body = deref(body)
    places = places_of(work, labels=labels)
    steps = body.kind == SEQ
    return [
        *_asks(file, body, pointers=steps),
        *(_asked_labels(file, body, places.pod) if labels else ()),
        *(
            _pointed(body, places, indexes=indexes)
            if steps
            else _merge(body, applied(work.pod.object), places, merged=merged)
        ),
    ]


def told(found: Touched, place: Place) -> str:
    """What the patch does, in words."""
    return found.what.format(place=place, field=field_path(found.path))
