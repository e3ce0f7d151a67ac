"""GPU requests in the patches of kustomizations that stand in strings: each with what became of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from dralint.convert.around import location
from dralint.convert.kept import kept_somewhere
from dralint.convert.kustomize.applied import Patch
from dralint.convert.kustomize.count_told import Spot, moved_strings
from dralint.convert.kustomize.gpu_sites import NEXT, Hold, wanted_by
from dralint.convert.kustomize.kept_bases import kept_base, target_ref
from dralint.convert.kustomize.kustomization import Kustomization
from dralint.convert.kustomize.overlays import Kustomizations
from dralint.convert.kustomize.string_names import decided_step
from dralint.convert.model import Occurrence, Outcome
from dralint.convert.notes.strings import request_in, setting_step
from dralint.convert.occurrences import Found, Verdict, occurrences
from dralint.convert.requests import count_of
from dralint.convert.verdicts import needs_decision
from dralint.convert.work import Ground, PodWork, pods_with_requests
from dralint.errors import Place
from dralint.kube.objects import ObjectRef, ParsedFile
from dralint.nvidia.resources import classify
from dralint.source.kustomization import NAMES
from dralint.yamltext.node import SCALAR, SEQ, Node, deref
from dralint.yamltext.view import Path, children, entries, field_path, get, string

_SETTING = ("add", "replace")
_NOTHING = ("", "null", "~")


class StringPatch(NamedTuple):
    """A patch of a named kustomization with requests in strings.

    its   the kustomization
    home  the named file that the strings stand in: that one's, or the JSON patch
    text  the patch, parsed
    """

    patch: Patch
    its: Kustomization
    home: ParsedFile
    text: ParsedFile

    @property
    def steps(self) -> Node | None:
        """The list of steps that it is, if it is a JSON patch."""
        root = self.text.documents[0].root if len(self.text.documents) == 1 else None
        return (
            root if root is not None and root.kind == SEQ and self.text.documents[0].problem is None else None
        )

    @property
    def inline(self) -> Node | None:
        """The string that the whole patch is; None for a patch in a file of its own."""
        slot = self.patch.slot
        return get(self.home.documents[slot.document].root, *slot.written) if self.patch.inline else None


class _Asked(NamedTuple):
    """A request in a string.

    node       the string in the file, and the path to it
    offset     of the request, in the text of the patch
    """

    node: Node
    path: Path
    offset: int
    resource: str
    quantity: str | None
    object: ObjectRef
    container: str | None = None


def string_patches(files: Sequence[ParsedFile], known: Kustomizations) -> Iterator[StringPatch]:
    """The patches of the named kustomizations whose text names a GPU; not those that dralint made."""
    for file in files:
        path = location(file)
        if path is None or os.path.basename(path) not in NAMES or known.named(path) is not file:
            continue
        its = known.at(os.path.dirname(path))
        for patch in its.applied if its is not None else ():
            home = known.named(patch.source or path)
            if patch.made or home is None or its is None or patch.slot.file != path:
                continue
            text = patch.text() if "nvidia.com" in home.text.text else None
            if text is not None and request_in(text.text.text) is not None:
                yield StringPatch(patch, its, home, text)


def _quantity(value: Node) -> str | None:
    """The count that a step sets; None where it sets none."""
    found = deref(value)
    return found.text if found.kind == SCALAR and found.text not in _NOTHING else None


def _set_by(step: Node) -> Iterator[tuple[str, str | None]]:
    """The resource names that a step of a JSON patch gives counts, with these; removing and testing asks for nothing."""
    pointer, value = string(get(step, "path")) or "", get(step, "value")
    if value is None or string(get(step, "op")) not in _SETTING:
        return
    mention = request_in(pointer)
    if mention is not None:
        yield mention.name, _quantity(value)
    elif setting_step(step) is not None:
        yield from (
            (name, _quantity(count.value)) for name, count in entries(value).items() if classify(name)
        )


def _in_steps(found: StringPatch, steps: Node) -> Iterator[_Asked]:
    """What the steps of a JSON patch set."""
    inline, ref = found.inline, target_ref(found.patch)
    for index, step in enumerate(children(steps)):
        pointer = get(step, "path")
        if pointer is None:
            continue
        for name, quantity in _set_by(step):
            if quantity is None:
                continue
            if inline is not None:
                yield _Asked(inline, found.patch.slot.written, pointer.start, name, quantity, ref)
            else:
                yield _Asked(pointer, (index, "path"), pointer.start, name, quantity, ref)
    # Those of a file are requests already.
    for each in occurrences(found.text) if inline is not None else ():
        assert inline is not None
        count = count_of(each).text
        yield _Asked(inline, found.patch.slot.written, each.offset, each.resource.name, count, ref)


def _in_merge(found: StringPatch) -> Iterator[_Asked]:
    """What the text of a strategic merge asks for."""
    inline = found.inline
    if inline is None:
        return
    every = occurrences(found.text)
    works, _ = pods_with_requests(every)
    names = {
        each: work.containers[index].name
        for work in works
        for index, requests in work.asked.items()
        for each in requests
    }
    for each in every:
        quantity = count_of(each).text
        if quantity is None:
            continue
        own = each.object.ref if each.object is not None else target_ref(found.patch)
        wanted = wanted_by(found.patch)
        ref = own._replace(kind=wanted.kind, name=wanted.name) if wanted is not None else own
        path, name = found.patch.slot.written, names.get(each)
        yield _Asked(inline, path, each.offset, each.resource.name, quantity, ref, name)


def _kept(found: StringPatch, ref: ObjectRef, known: Kustomizations) -> Verdict | None:
    own = next((kept for each in found.text.objects if (kept := kept_somewhere(each)) is not None), None)
    return own or kept_base(found.patch.source or found.patch.slot.file, found.its, ref, known)


def _left(found: StringPatch, ask: _Asked, hold: Hold | None, ground: Ground) -> Verdict:
    """What is said of a request that stays in its string."""
    kept = _kept(found, ask.object, ground.kustomizations)
    if kept is not None:
        return kept
    if ground.options.overlay is not None:
        why = "and no component converts patches, but --write may"
    else:
        why = f"and {hold.reason}" if hold is not None else "which is converted only together with its base"
    return needs_decision(f"it stands in a patch, {why}", hold.next if hold is not None else NEXT)


def _position(found: StringPatch, ask: _Asked) -> tuple[int, int]:
    """Line and column in the file; of a string other than a literal block, which keeps its lines, those of the string."""
    line, column = found.home.text.position(ask.node.start)
    if found.inline is None or ask.node.style != "|":
        return line, column
    inside, indented = found.text.text.position(ask.offset)
    line += inside
    return line, indented + len(found.home.text.line(line)) - len(found.text.text.line(inside))


def _occurrence(found: StringPatch, ask: _Asked, verdict: Verdict) -> Occurrence:
    return Occurrence(
        found.home.file.name,
        *_position(found, ask),
        ask.object,
        field_path(ask.path),
        ask.container,
        ask.resource,
        ask.quantity,
        verdict.outcome,
        verdict.way,
        verdict.reason,
        verdict.next,
        verdict.claim,
    )


class StringRequests(NamedTuple):
    """The requests, and the strings of which nothing else is to be said.

    places  where the first request of a string stands
    named   those of steps whose names stay, with their verdicts
    others  requests that are no part of a pod that `gpu_strings` has planned, nor of a base that is converted
    """

    occurrences: list[Occurrence]
    spots: set[Spot]
    places: dict[Spot, Place]
    named: list[Found]
    others: list[Occurrence]


def string_requests(
    files: Sequence[ParsedFile],
    works: Sequence[PodWork],
    settled: Mapping[tuple[Spot, str], Verdict],
    held: Mapping[Spot, Hold],
    ground: Ground,
) -> StringRequests:
    """The requests in strings of the named kustomizations.

    settled: the verdicts on those that gave GPUs to a base without any, by resource name; held: why others of
    these stay
    """
    moved = moved_strings(works)
    every: dict[tuple[Spot, int, str], Occurrence] = {}
    others: dict[tuple[Spot, int, str], Occurrence] = {}
    spots = {*moved, *(spot for spot, _ in settled)}
    places: dict[Spot, Place] = {}
    named: list[Found] = []
    by_name = ground.options.mode == "extended-resource" and ground.options.overlay is None
    for found in string_patches(files, ground.kustomizations):
        steps = found.steps
        for ask in _in_steps(found, steps) if steps is not None else _in_merge(found):
            spot = (id(found.home.file), ask.node.start)
            spots.add(spot)
            verdict = settled.get((spot, ask.resource)) or moved.get(spot)
            alone = verdict is None and by_name and _kept(found, ask.object, ground.kustomizations) is None
            step = decided_step(found.home, ask.resource, ask.quantity or "", ground) if alone else None
            if step is not None:
                named.append(step)
                verdict = step.verdict
            one = _occurrence(found, ask, verdict or _left(found, ask, held.get(spot), ground))
            places.setdefault(spot, Place(one.path, one.line, one.column))
            # A file may be named by several kustomizations.
            key = (spot, ask.offset, ask.resource)
            same = every.get(key)
            if same is None or same.outcome is Outcome.CONVERTED:
                every[key] = one
                if (spot, ask.resource) not in settled and spot not in moved:
                    others[key] = one
    return StringRequests(list(every.values()), spots, places, named, list(others.values()))
