"""What a kustomize Component has to do so that a base comes out as its files would be converted."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from dralint.convert.around import location
from dralint.convert.kustomize.changes import Change, Object, changes_of, references
from dralint.convert.kustomize.json_patch import Step, expect, steps
from dralint.convert.kustomize.kustomization import REFERENCES, NameField
from dralint.convert.kustomize.overlays import Kustomizations
from dralint.convert.model import FileResult, Note, Outcome
from dralint.convert.occurrences import Found, Verdict
from dralint.kube.objects import ParsedFile
from dralint.yamltext.view import Plain

_RENDER = "convert what the kustomization renders, or the file itself with --write"


class Held(NamedTuple):
    """Why a part of a file is not in the component: its characters [start, end)."""

    file: ParsedFile
    start: int
    end: int
    reason: str
    next: str


@dataclass(eq=False)
class Component:
    """The changes to the objects of one kustomization, or of the files of a directory that has none.

    base       that directory, absolute
    place      the directory that it was written to
    namespace  the one that the kustomization gives all objects; None: it leaves theirs
    """

    base: str
    namespace: str | None
    changes: list[Change] = field(default_factory=list)
    place: str = ""

    def namespace_of(self, item: Object) -> Plain:
        metadata = item.get("metadata")
        written = metadata.get("namespace") if isinstance(metadata, dict) else None
        return self.namespace or written

    def patch_of(self, change: Change) -> list[Step]:
        """The steps for an object. A template is found in its pod's namespace only, so that must be the one."""
        if not change.added:
            return list(steps(change.before, change.after))
        return [
            expect(("metadata", "namespace"), self.namespace_of(change.before)),
            *steps(change.before, change.after),
        ]

    @property
    def added(self) -> list[Object]:
        """The objects that the component adds, each once, in the namespace of their users."""
        found: dict[tuple[Plain, ...], Object] = {}
        for change in self.changes:
            for item in change.added:
                found.setdefault(self.key_of(item), self._placed(item))
        return list(found.values())

    def key_of(self, item: Object) -> tuple[Plain, ...]:
        metadata = item.get("metadata")
        name = metadata.get("name") if isinstance(metadata, dict) else None
        return item.get("apiVersion"), item.get("kind"), self.namespace_of(item), name

    def _placed(self, item: Object) -> Object:
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
                NameField(
                    change.object.group,
                    "",
                    change.object.ref.kind or "",
                    path,
                    REFERENCES[path.rpartition("/")[2]],
                )
                for change in self.changes
                for path, _ in references(change.after)
            }
        )


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
    seen: dict[tuple[Plain, ...], tuple[Object, Change]] = {}
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


def _without_collisions(component: Component) -> Iterator[Held]:
    while True:
        found = {change: (reason, advice) for change, reason, advice in _collisions(component)}
        if not found:
            return
        for change, (reason, advice) in found.items():
            obj = change.object
            yield Held(obj.file, obj.node.start, obj.node.end, reason, advice)
        component.changes = [change for change in component.changes if change not in found]


def _decide(requests: Sequence[Found], held: Sequence[Held]) -> None:
    """What is not in a component is not converted: its requests need a decision."""
    by_file: dict[int, list[Held]] = {}
    for each in sorted(held, key=lambda each: each.start):
        by_file.setdefault(id(each.file.file), []).append(each)
    for request in requests:
        mine, verdict = by_file.get(id(request.file.file), []), request.verdict
        # Objects do not overlap.
        index = bisect_right(mine, request.offset, key=lambda each: each.start) - 1
        if index < 0 or verdict is None or verdict.outcome is not Outcome.CONVERTED:
            continue
        if request.offset < mine[index].end:
            request.verdict = Verdict(Outcome.NEEDS_DECISION, mine[index].reason, mine[index].next)


def left_out(notes: Sequence[Note], held: Sequence[Held]) -> list[Note]:
    """The notes, with another word where an edit beside the requests is not in a component."""
    spans = [(each, each.file.text.position(each.start), each.file.text.position(each.end)) for each in held]

    def told(note: Note) -> Note:
        place = (note.line or 1, note.column or 1)
        for each, start, end in spans if note.edited else ():
            if note.path == each.file.file.name and start <= place < end:
                message = f"{note.message}: not in the component, since {each.reason}"
                return note._replace(message=message, weight="warning", edited=False)
        return note

    return [told(note) for note in notes]


def components(
    results: Sequence[FileResult], requests: Sequence[Found], kustomizations: Kustomizations
) -> tuple[list[Component], list[Held]]:
    """The components that do what the conversion does, one for each base, in the order of their directories.

    Of the requests those that a component cannot convert get another verdict; why, and where, is returned.
    """
    made: dict[str, Component] = {}
    held: list[Held] = []
    for result in results:
        path = location(result.file)
        if not result.changed or path is None:
            continue
        found = changes_of(result)
        base = kustomizations.listing(path)
        if base is None and kustomizations.at(os.path.dirname(path)) is not None:
            found = "the kustomization beside the file does not list it"
        if isinstance(found, str):
            held.append(Held(result.file, 0, len(result.file.text.text), found, _RENDER))
            continue
        directory = base.directory if base is not None else os.path.dirname(path)
        component = made.setdefault(
            directory, Component(directory, base.namespace if base is not None else None)
        )
        component.changes += found
    for component in made.values():
        held += _without_collisions(component)
    _decide(requests, held)
    return [made[base] for base in sorted(made) if made[base].changes], held
