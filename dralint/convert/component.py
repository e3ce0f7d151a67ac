"""What a kustomize Component has to do so that a base comes out as its files would be converted."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from dralint.convert.around import location
from dralint.convert.json_patch import Step, expect, steps
from dralint.convert.model import Conversion, FileResult, Outcome
from dralint.convert.overlays import Kustomizations
from dralint.errors import InternalError, Place
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.read import parse
from dralint.source.file import SourceFile
from dralint.yamltext.node import ALIAS, MAP, SCALAR, Node
from dralint.yamltext.view import Plain, TooLarge, duplicates, get, plain, string

_REFERENCE = "resourceClaimTemplateName"
_RENDER = "convert what the kustomization renders, or the file itself with --write"
_Object = dict[str, Plain]


class _Held(NamedTuple):
    """Why a part of a file is not in the component: its characters [start, end)."""

    file: ParsedFile
    start: int
    end: int
    reason: str
    next: str


class NameField(NamedTuple):
    """A field of a kind that names a template; path: keys with slashes between them, as kustomize takes it."""

    group: str
    kind: str
    path: str


@dataclass(eq=False)
class Change:
    """An object that a conversion changes, before and after, and the objects that come with it."""

    object: KubeObject
    before: _Object
    after: _Object
    added: list[_Object] = field(default_factory=list)

    @property
    def patch(self) -> list[Step]:
        return list(steps(self.before, self.after))


@dataclass(eq=False)
class Component:
    """The changes to the objects of one kustomization, or of the files of a directory that has none.

    base       that directory, absolute
    namespace  the one that the kustomization gives all objects; None: it leaves theirs
    """

    base: str
    namespace: str | None
    changes: list[Change] = field(default_factory=list)

    def namespace_of(self, item: _Object) -> Plain:
        metadata = item.get("metadata")
        written = metadata.get("namespace") if isinstance(metadata, dict) else None
        return self.namespace or written

    def patch_of(self, change: Change) -> list[Step]:
        """The steps for an object. A template is found in its pod's namespace only, so that must be the one."""
        if not change.added:
            return change.patch
        return [expect(("metadata", "namespace"), self.namespace_of(change.before)), *change.patch]

    @property
    def added(self) -> list[_Object]:
        """The objects that the component adds, each once, in the namespace of their users."""
        found: dict[tuple[Plain, ...], _Object] = {}
        for change in self.changes:
            for item in change.added:
                found.setdefault(self.key_of(item), self._placed(item))
        return list(found.values())

    def key_of(self, item: _Object) -> tuple[Plain, ...]:
        metadata = item.get("metadata")
        name = metadata.get("name") if isinstance(metadata, dict) else None
        return item.get("apiVersion"), item.get("kind"), self.namespace_of(item), name

    def _placed(self, item: _Object) -> _Object:
        metadata = item.get("metadata")
        if self.namespace is None or not isinstance(metadata, dict):
            return item
        rest = {key: value for key, value in metadata.items() if key not in ("name", "namespace")}
        return {
            **item,
            "metadata": {"name": metadata.get("name"), "namespace": self.namespace, **rest},
        }

    @property
    def name_fields(self) -> list[NameField]:
        """The fields of its objects that name templates."""
        return sorted(
            {
                NameField(change.object.group, change.object.ref.kind or "", path)
                for change in self.changes
                for path, _ in _references(change.after)
            }
        )


def _references(item: Plain) -> Iterator[tuple[str, Plain]]:
    """The fields that name templates, without the indexes of lists, and the names."""
    waiting: list[tuple[tuple[str, ...], Plain]] = [((), item)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, list):
            waiting += ((path, each) for each in reversed(value))
        elif isinstance(value, dict):
            for key, each in value.items():
                if key == _REFERENCE:
                    yield "/".join(step.replace("/", "\\/") for step in (*path, key)), each
                else:
                    waiting.append(((*path, key), each))


def _outermost(file: ParsedFile) -> list[KubeObject]:
    """The objects as kustomize sees them: items of lists, and nothing that lies in another object."""
    found: list[KubeObject] = []
    for obj in file.objects:
        last = found[-1] if found else None
        if last is None or last.document != obj.document or obj.path[: len(last.path)] != last.path:
            found.append(obj)
    return found


def _repeated_key(root: Node) -> Node | None:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        lost = duplicates(node) if node.kind == MAP else []
        if lost:
            return lost[0][1]
        waiting += (item for item in node.items if item.kind not in (SCALAR, ALIAS))
    return None


def _unreadable(file: ParsedFile) -> str | None:
    """Why kustomize takes no object of the file. Source: kustomize api/resource/factory.go, kyaml/yaml."""

    def line(offset: int) -> int | None:
        return file.place(offset).line

    for document in file.documents:
        if document.problem is not None:
            return f"kustomize cannot read the file (line {line(document.problem[1])})"
        root = document.root
        if root is not None and root.kind != MAP and not (root.kind == SCALAR and not root.text):
            return f"kustomize takes only objects (line {line(root.start)})"
        key = _repeated_key(root) if root is not None else None
        if key is not None:
            return f"kustomize refuses a key that stands twice (line {line(key.start)})"
    for obj in _outermost(file):
        if not string(get(obj.node, "kind")) or not obj.ref.name:
            what = "name" if string(get(obj.node, "kind")) else "kind"
            return f"kustomize takes no object without a {what} (line {line(obj.node.start)})"
    return None


def _identity(obj: KubeObject) -> tuple[object, ...]:
    return tuple(obj.ref)


def _object(obj: KubeObject) -> _Object:
    found = plain(obj.node)
    assert isinstance(found, dict)
    return found


def _changes(before: ParsedFile, after: ParsedFile) -> list[Change]:
    """The changed objects of a file; each added one goes to those that name it, or to the next one.

    Raises InternalError when an object is gone.
    """
    old = iter(_outermost(before))
    waiting = next(old, None)
    found: list[Change] = []
    added: list[tuple[int, _Object]] = []
    for obj in _outermost(after):
        if waiting is None or _identity(obj) != _identity(waiting):
            added.append((len(found), _object(obj)))
            continue
        found.append(Change(waiting, _object(waiting), _object(obj)))
        waiting = next(old, None)
    if waiting is not None:
        raise InternalError("an object is gone from the converted text", Place(before.file.name))
    names = [{value for _, value in _references(change.after)} for change in found]
    for index, item in added:
        metadata = item.get("metadata")
        name = metadata.get("name") if isinstance(metadata, dict) else None
        users = [change for change, named in zip(found, names, strict=True) if name in named]
        for change in users or found[index : index + 1]:
            change.added.append(item)
    return [change for change in found if change.before != change.after]


def _of_file(result: FileResult) -> list[Change] | str:
    """The changed objects of a file, or why a kustomization cannot have them."""
    source = result.file.file
    before = parse(source)
    reason = _unreadable(before)
    if reason is not None:
        return reason
    try:
        return _changes(before, parse(SourceFile(source.name, source.path, result.after)))
    except TooLarge:
        return "its aliases make it too large"


def _collisions(component: Component) -> Iterator[tuple[Change, str, str]]:
    """Changes that cannot all be in one component."""
    by_name: dict[tuple[str, str | None, str | None], list[Change]] = {}
    for change in component.changes:
        ref = change.object.ref
        by_name.setdefault((change.object.group, ref.kind, ref.name), []).append(change)
    for same in by_name.values():
        namespaces = [change.object.ref.namespace for change in same]
        if len(same) > 1 and (None in namespaces or len(set(namespaces)) < len(namespaces)):
            for change, other in pairwise([*same, same[0]]):
                place = other.object.file.place(other.object.node.start)
                yield (
                    change,
                    f"another object has its kind and name ({place}), so which one a patch is for is not clear",
                    "list one of the files in a kustomization, or name them in runs of their own",
                )
    seen: dict[tuple[Plain, ...], tuple[_Object, Change]] = {}
    for change in component.changes:
        for item in change.added:
            first, user = seen.setdefault(component.key_of(item), (item, change))
            if first != item:
                place = user.object.file.place(user.object.node.start)
                yield (
                    change,
                    f"its template has the name of another one, for {place}, that requests something else",
                    "give the workload another name, or name the files in runs of their own",
                )


def _without_collisions(component: Component) -> Iterator[_Held]:
    while True:
        found = {change: (reason, advice) for change, reason, advice in _collisions(component)}
        if not found:
            return
        for change, (reason, advice) in found.items():
            obj = change.object
            yield _Held(obj.file, obj.node.start, obj.node.end, reason, advice)
        component.changes = [change for change in component.changes if change not in found]


def _tell(conversion: Conversion, held: Sequence[_Held]) -> None:
    """What is not in a component is not converted: its requests need a decision."""
    spans: dict[str, list[tuple[_Held, tuple[int, int], tuple[int, int]]]] = {}
    for each in held:
        start, end = each.file.text.position(each.start), each.file.text.position(each.end)
        spans.setdefault(each.file.file.name, []).append((each, start, end))
    for occurrence in conversion.occurrences:
        for each, start, end in spans.get(occurrence.path, ()):
            inside = start <= (occurrence.line, occurrence.column) < end
            if inside and occurrence.outcome is Outcome.CONVERTED:
                occurrence.outcome, occurrence.mode, occurrence.claim = Outcome.NEEDS_DECISION, None, None
                occurrence.reason, occurrence.next = each.reason, each.next


def components(conversion: Conversion, kustomizations: Kustomizations) -> list[Component]:
    """The components that do what the conversion does, one for each base, in the order of their directories.

    Requests that a component cannot convert get their outcome and reason in the conversion.
    """
    made: dict[str, Component] = {}
    held: list[_Held] = []
    for result in conversion.files:
        path = location(result.file)
        if not result.changed or path is None:
            continue
        found = _of_file(result)
        base = kustomizations.listing(path)
        if base is None and kustomizations.at(os.path.dirname(path)) is not None:
            found = "the kustomization beside the file does not list it"
        if isinstance(found, str):
            held.append(_Held(result.file, 0, len(result.file.text.text), found, _RENDER))
            continue
        directory = base.directory if base is not None else os.path.dirname(path)
        component = made.setdefault(
            directory, Component(directory, base.namespace if base is not None else None)
        )
        component.changes += found
    for component in made.values():
        held += _without_collisions(component)
    _tell(conversion, held)
    return [made[base] for base in sorted(made) if made[base].changes]
