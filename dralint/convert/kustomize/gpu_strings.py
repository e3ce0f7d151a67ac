"""Patches within a kustomization, and JSON patches, that give GPUs to a workload without any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from dralint.convert.converted import converted
from dralint.convert.kustomize.applied import Patch, Slot
from dralint.convert.kustomize.count_told import Spot
from dralint.convert.kustomize.gpu_files import joints_of
from dralint.convert.kustomize.gpu_patches import plan_merge
from dralint.convert.kustomize.gpu_sites import (
    Hold,
    Site,
    Wanted,
    hold_of,
    namespace_of_templates,
    site_of,
    wanted_by,
)
from dralint.convert.kustomize.gpu_steps import (
    Unappliable,
    added,
    applied_steps,
    met,
    steps_of,
    without_gpus,
)
from dralint.convert.kustomize.gpu_whole import after_edits, blocking, difference, keys, whole_of
from dralint.convert.kustomize.joint import Change, Joint, can_change, can_try
from dralint.convert.kustomize.kustomization import Kustomization
from dralint.convert.kustomize.merge import without_empty
from dralint.convert.kustomize.patches import MERGED
from dralint.convert.kustomize.string_patches import StringPatch, string_patches
from dralint.convert.model import Outcome
from dralint.convert.notes.strings import request_in
from dralint.convert.occurrences import Found, Verdict, occurrences
from dralint.convert.plan import make_plan
from dralint.convert.templates import ordering_annotations
from dralint.convert.work import Apart, Ground, PodWork, pods_with_requests
from dralint.errors import InternalError, Place
from dralint.kube.objects import ParsedFile
from dralint.yamltext.node import Node
from dralint.yamltext.operations import Operation, Replace
from dralint.yamltext.patch import patch as edited
from dralint.yamltext.view import TooLarge, children, get, plain, string

_NOT_ONE = "its target does not name one object by kind and name"


class Strings(NamedTuple):
    """The patches in strings: those that are converted, as pods, with the verdicts, and why others stay.

    settled  verdicts by string and resource name; held: by string
    asked    the requests of these pods, each with its string, or the first step of a file that is about GPUs
    where    by that the place
    """

    works: list[PodWork]
    settled: dict[tuple[Spot, str], Verdict]
    held: dict[Spot, Hold]
    asked: dict[Found, Spot]
    where: dict[Spot, Place]


class _Planned(NamedTuple):
    """A patch that can be converted: its pods, the operations on its text, and the templates of each pod."""

    works: list[PodWork]
    operations: list[list[Operation]]


def _merges(patch: Patch, its: Kustomization, text: ParsedFile, ground: Ground) -> _Planned | Hold | None:
    """An inline strategic merge, planned for all that it gives GPUs."""
    works, outside = pods_with_requests(occurrences(text))
    if outside or not works:
        return None
    if len({work.pod.object.ref for work in works}) < len(works):
        return Hold("it is for one object twice")
    if patch.target is not None and wanted_by(patch) is None:
        return Hold(_NOT_ONE)
    for work in works:
        obj = work.pod.object
        if obj.path or not obj.ref.name or obj.group not in MERGED:
            return None
        # With a target kustomize does not look at the name in the patch.
        wanted = wanted_by(patch) or Wanted(obj.group, obj.ref.kind, obj.ref.name)
        site = site_of(patch, its, wanted, ground)
        if isinstance(site, Site) and (wanted.kind, wanted.name) != (obj.ref.kind, obj.ref.name):
            return Hold(f"it is written for another object than its target, {wanted.kind} {wanted.name}")
        held = plan_merge(work, site, ground) if isinstance(site, Site) else site
        if held is not None or site is None:
            return held
        blocked = next((each.verdict for each in work.found if each.verdict is not None), None)
        if blocked is not None:
            stays = blocked.outcome is Outcome.KEPT
            return Hold("another object in it is kept") if stays else Hold(blocked.reason, blocked.next)
    plan = make_plan(text, works, ground.options)
    for work, templates in zip(works, plan.templates, strict=True):
        converted(work, templates, ground)
    return _Planned(works, plan.groups)


def _gives(text: ParsedFile, body: Node) -> bool:
    """Whether a step adds GPUs; one that sets a count or removes it is for a base with some."""
    added = [step for step in children(body) if string(get(step, "op")) == "add"]
    return any(request_in(text.text.text[step.start : step.end]) is not None for step in added)


def _steps(
    patch: Patch, its: Kustomization, text: ParsedFile, body: Node, ground: Ground
) -> _Planned | Hold | None:
    """A JSON patch for one object, planned."""
    wanted = wanted_by(patch)
    if wanted is None:
        return Hold(_NOT_ONE) if _gives(text, body) else None
    site = site_of(patch, its, wanted, ground)
    rest = without_gpus(body)
    if not isinstance(site, Site) or rest is None:
        return site if isinstance(site, Hold) else None
    base = plain(site.base.node)
    try:
        every = plain(body)
        whole = whole_of(applied_steps(every if isinstance(every, list) else [], base), ground)
        before = applied_steps(rest.steps, base)
    except (Unappliable, TooLarge):
        return Hold("its steps cannot be applied to the base")
    if isinstance(whole, Hold):
        return whole
    blocked = next((verdict for key in keys(whole) if (verdict := blocking(whole, key)) is not None), None)
    if blocked is not None:
        return hold_of(blocked)
    if whole.way != "claims":
        return Hold("only claims are written into JSON patches")
    annotations = ordering_annotations(whole.pod.object)
    whole.apart = Apart(namespace_of_templates(site, ground.kustomizations), annotations, False)
    after = after_edits(whole, ground.options)
    if isinstance(after, Hold):
        return after
    more, appends = added(before, after)
    try:
        same = difference(without_empty(applied_steps([*rest.steps, *more], base)), without_empty(after))
    except Unappliable:
        same = ()
    if same is not None:
        return Hold("its steps cannot be written anew")
    held = met(site, whole, ground.kustomizations)
    joints = held if held is not None else joints_of(site, whole, whole, ground)
    if isinstance(joints, Hold):
        return joints
    whole.joints += joints
    templates = make_plan(whole.file, [whole], ground.options).templates[0]
    converted(whole, templates, ground)
    return _Planned([whole], [[*rest.operations, *appends]])


def _settled(
    file: ParsedFile, verdicts: Mapping[str, Verdict], _: Sequence[PodWork]
) -> Mapping[int, Verdict]:
    """The verdicts on requests that a JSON patch holds as values."""
    found = occurrences(file)
    return {each.offset: verdicts[each.resource.name] for each in found if each.resource.name in verdicts}


def _strings(found: StringPatch) -> list[Node]:
    """The strings that may ask for GPUs: all of the patch, or the pointers in its file."""
    if found.inline is not None:
        return [found.inline]
    steps = children(found.home.documents[0].root if found.home.documents else None)
    return [node for node in (get(step, "path") for step in steps) if node is not None]


def _changes(patch: Patch, text: ParsedFile, planned: _Planned) -> list[Change] | Hold:
    """The changes of the kustomization, or of the file that the patch is in."""
    try:
        patched = edited(text.text, text.documents, planned.operations, all_or_none=True)
    except InternalError:
        return Hold("its text cannot be edited safely")
    if patched.refusals:
        return Hold(f"its text cannot be edited safely: {patched.refusals[0].what}")
    if patch.inline:
        return [Replace(patch.slot.document, patch.slot.written, patched.text)]
    return [operation for group in planned.operations for operation in group]


def _convert(found: StringPatch, others: set[Slot], ground: Ground) -> _Planned | Hold | None:
    """One patch, with its joints; None: it gives no GPUs to a base without any. others: the slots of all that its file is in."""
    patch, its, file = found.patch, found.its, found.home
    if patch.inline and patch.transformer:
        return Hold("that is in a transformer, which is not edited")
    text = patch.text()
    body = steps_of(text) if text is not None else None
    if text is None or (body is None and not patch.inline):
        return None
    planned = _merges(patch, its, text, ground) if body is None else _steps(patch, its, text, body, ground)
    if not isinstance(planned, _Planned):
        return planned
    if text.file.data != file.file.data and not patch.inline:
        return Hold("its file is not what was read")
    if len({each.slot for each in ground.kustomizations.sharing_source(patch)} | others) > 1:
        return Hold("its file is a patch in several places")
    changes = _changes(patch, text, planned)
    if isinstance(changes, Hold):
        return changes
    if not can_try(file, "nvidia.com"):
        reason = f"{file.file.name} holds too many patches that ask for GPUs to try each of them"
        return Hold(reason, "make several files of it")
    if not can_change(file, changes):
        return Hold(f"{file.file.name} cannot be edited safely")
    where = patch.source or patch.slot.file
    settle = partial(_settled, file, _verdicts(planned.works))
    unsettled = partial(_settled, file, {})
    joint = Joint(where, file, ("gpu", patch.slot), lambda _: changes, unsettled if patch.inline else settle)
    for work in planned.works:
        work.joints.append(joint)
    return planned


def _verdicts(works: Sequence[PodWork]) -> dict[str, Verdict]:
    return {found.resource.name: found.verdict for work in works for found in work.found if found.verdict}


def _first(found: StringPatch) -> Node | None:
    """The string, or the first step of a file that has to do with GPUs."""
    if found.inline is not None:
        return found.inline
    text = found.text.text.text
    about = (step for step in children(found.steps) if request_in(text[step.start : step.end]) is not None)
    return next((get(step, "path") for step in about), None)


def gpu_strings(files: Sequence[ParsedFile], ground: Ground) -> Strings:
    """The patches of the named kustomizations that give GPUs to a base without any."""
    found = Strings([], {}, {}, {}, {})
    if ground.options.overlay is not None or ground.options.mode == "extended-resource":
        return found
    every = string_patches(files, ground.kustomizations)
    slots: dict[str, set[Slot]] = {}
    for each in every:
        slots.setdefault(each.patch.source or "", set()).add(each.patch.slot)
    for each in every:
        planned = _convert(each, slots[each.patch.source] if each.patch.source is not None else set(), ground)
        spots = [(id(each.home.file), node.start) for node in _strings(each)]
        if isinstance(planned, Hold):
            found.held.update(dict.fromkeys(spots, planned))
        elif planned is not None:
            verdicts = _verdicts(planned.works).items()
            found.settled.update({(spot, name): verdict for spot in spots for name, verdict in verdicts})
            found.works.extend(planned.works)
            node = _first(each)
            spot = (id(each.home.file), node.start if node is not None else 0)
            found.asked.update({one: spot for work in planned.works for one in work.found})
            found.where[spot] = each.home.place(spot[1])
    return found
