"""GPU requests in the patches of kustomizations that stand in strings: each with what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

from dralint.convert.by_name import stays
from dralint.convert.kept import kept_somewhere
from dralint.convert.kustomize.count_told import Spot, moved_strings
from dralint.convert.kustomize.gpu_sites import NEXT, Hold
from dralint.convert.kustomize.gpu_strings import Strings
from dralint.convert.kustomize.kept_bases import kept_base, kept_by_target, target_ref
from dralint.convert.kustomize.overlays import Kustomizations
from dralint.convert.kustomize.step_requests import is_null, step_requests
from dralint.convert.kustomize.string_patches import StringPatch, string_patches
from dralint.convert.model import Occurrence, Outcome
from dralint.convert.modes import gate_verdict
from dralint.convert.occurrences import Found, Verdict, occurrences
from dralint.convert.outside import decide_outside
from dralint.convert.pods import decide_pod
from dralint.convert.requests import count_of, decide_alone
from dralint.convert.verdicts import needs_decision
from dralint.convert.work import Ground, PodWork, pods_with_requests
from dralint.errors import Place
from dralint.kube.objects import ObjectRef, ParsedFile
from dralint.yamltext.node import Node, deref
from dralint.yamltext.view import Path, field_path

# Of several uses of a patch the first of these is told.
_ORDER = (Outcome.UNSUPPORTED, Outcome.NEEDS_DECISION, Outcome.KEPT, Outcome.CONVERTED)


class _Asked(NamedTuple):
    """A request in a string.

    found      in the text of the patch; with a verdict, if it has one whatever becomes of the patch
    node       the string in the file, and the path to it
    quantity   None: not a number, or copied from elsewhere
    """

    found: Found
    node: Node
    path: Path
    quantity: str | None
    object: ObjectRef
    container: str | None = None


def _by_name(found: Found, beside: Sequence[Found], ground: Ground) -> Verdict:
    """The verdict on a step's request that goes on asking by name."""
    gate = gate_verdict("extended-resource", [found], ground.options)
    return gate or decide_alone(found, beside, ground) or stays(found, ground)


def _in_steps(patch: StringPatch, steps: Node, ground: Ground) -> Iterator[_Asked]:
    """What the steps of a JSON patch set."""
    inline, ref = patch.inline, target_ref(patch.patch)
    # Those in the values of a file are requests already.
    every = step_requests(patch.text, steps, values=inline is not None) if not patch.about_quotas else []
    beside: dict[Path, list[Found]] = {}
    for each in every:
        beside.setdefault(each.found.place, []).extend([each.found] if each.known else [])
    for each in every:
        found = each.found
        if ground.options.mode == "extended-resource":
            by_name = _by_name(found, beside[found.place], ground) if each.known else stays(found, ground)
            found.verdict = by_name
        quantity = count_of(each.found).text if each.known else None
        if inline is not None:
            yield _Asked(found, inline, patch.path, quantity, ref)
        else:
            yield _Asked(found, each.path, (each.step, "path"), quantity, ref)


def _in_merge(patch: StringPatch, decided: list[PodWork], ground: Ground) -> Iterator[_Asked]:
    """What the text of a strategic merge asks for; decided: gets its pods whose names stay."""
    inline = patch.inline
    if inline is None:
        return
    every = [each for each in occurrences(patch.text) if not all(map(is_null, each.counts))]
    works, outside = pods_with_requests(every)
    for work in works if ground.options.mode == "extended-resource" else ():
        decide_pod(work, ground)
        decided.append(work)
    decide_outside(outside, ground)
    names = {
        each: work.containers[index].name
        for work in works
        for index, requests in work.asked.items()
        for each in requests
    }
    target = target_ref(patch.patch)
    for each in every:
        own = each.object.ref if each.object is not None else target
        # With a target kustomize does not look at the names in the patch.
        ref = own._replace(kind=target.kind or own.kind, name=target.name) if patch.patch.target else own
        yield _Asked(each, inline, patch.path, count_of(each).text, ref, names.get(each))


def _kept_base(patch: StringPatch, known: Kustomizations, ref: ObjectRef) -> Verdict | None:
    """The verdict of the annotation on what a patch is for."""
    if patch.patch.target is not None:
        return kept_by_target(patch.patch, patch.its, known)
    return kept_base(patch.patch.slot.file, patch.its, ref, known)


def _left(
    ask: _Asked, base: Callable[[ObjectRef], Verdict | None], hold: Hold | None, ground: Ground
) -> Verdict:
    """What is said of a request that stays in its string; base: whether a person keeps an object."""
    own = kept_somewhere(ask.found.object) if ask.found.object is not None else None
    verdict = own or base(ask.object) or ask.found.verdict or (hold.kept if hold is not None else None)
    if verdict is not None:
        return verdict
    if ground.options.overlay is not None:
        why = "and no component converts patches, but --write may"
    else:
        why = f"and {hold.reason}" if hold is not None else "which is converted only together with its base"
    return needs_decision(f"it stands in a patch, {why}", hold.next if hold is not None else NEXT)


def _position(patch: StringPatch, ask: _Asked) -> tuple[int, int]:
    """Line and column in the file; of a string other than a literal block, which keeps its lines, those of the string."""
    line, column = patch.home.text.position(ask.node.start)
    if patch.inline is None or patch.nested or ask.node.style != "|":
        return line, column
    inside, indented = patch.text.text.position(ask.found.offset)
    line += inside
    return line, indented + len(patch.home.text.line(line)) - len(patch.text.text.line(inside))


def _occurrence(patch: StringPatch, ask: _Asked, verdict: Verdict) -> Occurrence:
    return Occurrence(
        patch.home.file.name,
        *_position(patch, ask),
        ask.object,
        field_path(ask.path),
        ask.container,
        ask.found.resource.name,
        ask.quantity,
        verdict.outcome,
        verdict.way,
        verdict.reason,
        verdict.next,
        verdict.claim,
    )


class StringRequests(NamedTuple):
    """The requests in strings.

    found    as those of the files that the strings stand in
    spots    the strings of which nothing else is to be said
    places   by string where its first request stands
    works    pods that are converted by themselves, or whose names stay; asked: their requests, each with its string
    others   those that are no part of such a pod, nor of one that is converted, alone or with its base
    """

    occurrences: list[Occurrence]
    found: list[Found]
    spots: set[Spot]
    places: dict[Spot, Place]
    works: list[PodWork]
    asked: dict[Found, Spot]
    others: list[Occurrence]


def string_requests(
    files: Sequence[ParsedFile],
    works: Sequence[PodWork],
    strings: Strings,
    ground: Ground,
) -> StringRequests:
    """The requests in strings of the named kustomizations, and in pointers of JSON patches.

    strings: what became of those that give GPUs to a base without any
    """
    moved = moved_strings(works)
    every: dict[tuple[Spot, int, str], tuple[Occurrence, Found]] = {}
    others: dict[tuple[Spot, int, str], Occurrence] = {}
    spots = {*(spot for spot, _ in moved), *(spot for spot, _ in strings.settled)}
    result = StringRequests([], [], spots, {}, [*strings.works], {**strings.asked}, [])
    for patch in string_patches(files, ground.kustomizations):
        steps, base = patch.steps, cache(partial(_kept_base, patch, ground.kustomizations))
        decided: list[PodWork] = []
        asks = [
            *(_in_steps(patch, steps, ground) if steps is not None else _in_merge(patch, decided, ground))
        ]
        by_name = {found for work in decided for found in work.found}
        for ask in asks:
            name, offset = ask.found.resource.name, ask.found.offset
            spot = (id(patch.home.file), ask.node.start)
            # Nothing is to be said of an anchor of it either.
            spots |= {spot, (id(patch.home.file), deref(ask.node).start)}
            verdict = strings.settled.get((spot, name)) or moved.get((spot, offset))
            ask.found.verdict = verdict or _left(ask, base, strings.held.get(spot), ground)
            one = _occurrence(patch, ask, ask.found.verdict)
            result.places.setdefault(spot, Place(one.path, one.line, one.column))
            key = (spot, offset, name)
            same = every.get(key)
            if same is None or _ORDER.index(one.outcome) < _ORDER.index(same[0].outcome):
                every[key] = one, replace(ask.found, file=patch.home)
                if verdict is None and ask.found not in by_name:
                    others[key] = one
            if ask.found in by_name:
                result.asked[ask.found] = spot
        result.works.extend(decided)
    result.occurrences.extend(one for one, _ in every.values())
    result.found.extend(found for _, found in every.values())
    result.others.extend(others.values())
    result.places.update((spot, place) for spot, place in strings.where.items() if spot not in result.places)
    return result
