"""Objects that are patches for other objects: they must not be converted as if they were whole."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from dralint.convert.around import applied, location
from dralint.convert.kustomize.applied import Patch
from dralint.convert.kustomize.count_edits import count_joints
from dralint.convert.kustomize.count_patches import CountPatch, Unnamed, count_patch
from dralint.convert.kustomize.deletions import deletes, goes_with_deleted
from dralint.convert.kustomize.indexes import movers, stand_for
from dralint.convert.kustomize.joint import Joint
from dralint.convert.kustomize.kept_bases import kept_base
from dralint.convert.kustomize.moved import moved_verdict
from dralint.convert.kustomize.name_configuration import renamed_verdict
from dralint.convert.kustomize.patches import every_touch, told
from dralint.convert.kustomize.reached import reached_verdict
from dralint.convert.model import Outcome
from dralint.convert.occurrences import Verdict
from dralint.convert.work import Ground, PodWork
from dralint.kube.objects import KubeObject
from dralint.kube.paths import Match, follow, steps
from dralint.kube.places import GROUPS
from dralint.nvidia.resources import classify
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP, Node, deref
from dralint.yamltext.view import children, entries, get, string

_DATA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "kinds.yaml")
# Directives of strategic merge patches. Source: k8s.io/apimachinery, pkg/util/strategicpatch.
_DIRECTIVE = re.compile(r"\$(?:patch|setElementOrder/|deleteFromPrimitiveList/|retainKeys)\b")
_NEXT = "convert what the kustomization renders, or change the patch and its base by hand"


@cache
def _required() -> dict[tuple[str, str], tuple[str, ...]]:
    data: Any = load_data(_DATA)
    return {
        (entry["group"], kind): steps(entry["field"]) for entry in data["whole"] for kind in entry["kinds"]
    }


def _lacks_all(work: PodWork) -> bool:
    obj: KubeObject = work.pod.object
    field = _required().get((obj.group, obj.ref.kind or ""))
    if field is None or next(follow(obj.node, field), None) is not None:
        return False
    return all(get(container.node, "image") is None for container in work.containers)


class _Overlay(NamedTuple):
    """See `overlays` in the data file."""

    suffix: tuple[str, ...]
    reference: tuple[str, ...]
    bases: tuple[str, ...]
    spec: tuple[str, ...]


@cache
def _overlays() -> dict[tuple[str, str], _Overlay]:
    data: Any = load_data(_DATA)
    return {
        (entry["group"], kind): _Overlay(
            *(steps(entry[key]) for key in ("suffix", "reference", "bases", "spec"))
        )
        for entry in data["overlays"]
        for kind in entry["kinds"]
    }


# An object has many pods, and its pods follow each other.
@lru_cache(maxsize=2)
def _bases(obj: KubeObject, overlay: _Overlay) -> Mapping[str | None, Match]:
    """The pod specs of an object that can be patched, by the name they are referred to with."""
    found: dict[str | None, Match] = {}
    for holder in follow(obj.node, overlay.bases):
        name = string(get(holder.node, "name"))
        for match in follow(holder.node, overlay.spec):
            if name is not None:
                found.setdefault(name, match._replace(path=(*obj.path, *holder.path, *match.path)))
    return found


def _base(work: PodWork) -> tuple[str | None, Match | None] | None:
    """For a patch over another pod spec the name of that one, and what it leads to; None for other pods."""
    obj, path = work.pod.object, work.pod.path
    overlay = _overlays().get((obj.group, obj.ref.kind or ""))
    if overlay is None or path[-len(overlay.suffix) :] != overlay.suffix:
        return None
    root = obj.file.documents[obj.document].root
    name = string(get(root, *path[: -len(overlay.suffix)], *overlay.reference))
    return name, _bases(obj, overlay).get(name)


def _fits(base: Node) -> bool:
    """Whether a pod spec has nothing that a converted patch over it would replace, or fail to remove.

    A strategic merge replaces tolerations and a container's claims, merges the pod's claims by their
    names, and keeps limits it does not name.
    """
    resources = [get(container, "resources") for group in GROUPS for container in children(get(base, group))]
    limits = [get(each, "limits") for each in resources]
    return not (
        children(get(base, "tolerations"))
        or children(get(base, "resourceClaims"))
        or any(children(get(each, "claims")) for each in resources)
        or any(
            classify(key) is not None
            for each in limits
            if each is not None and each.kind == MAP
            for key in entries(each)
        )
    )


def _overlay_verdict(work: PodWork) -> Verdict | None:
    found = _base(work)
    if found is None or (found[1] is not None and _fits(found[1].node)):
        return None
    return Verdict(
        Outcome.NEEDS_DECISION,
        f"it is a patch over the template {found[0]}, whose tolerations, claims or GPUs it would replace or keep",
        "convert the template and its patches by hand, as one",
    )


def hold_bases(works: Sequence[PodWork]) -> None:
    """Keep a pod spec back whose patch stays: together they would ask for devices in two ways."""
    by_place = {(work.pod.object, work.pod.path): work for work in works}
    for work in works:
        found = _base(work)
        if found is None or found[1] is None or work.undecided:
            continue
        base = by_place.get((work.pod.object, found[1].path))
        if base is not None:
            base.decide(
                Verdict(
                    Outcome.NEEDS_DECISION,
                    f"the patch over the template {found[0]} is not converted",
                    "convert the template and its patches by hand, as one",
                )
            )


# An object has many pods, and its pods follow each other.
@lru_cache(maxsize=2)
def _directive(obj: KubeObject) -> str | None:
    """The directive of a strategic merge patch that is a key of the object; scripts hold the same words."""
    if not _DIRECTIVE.search(obj.file.text.text, obj.node.start, obj.node.end):
        return None
    waiting = [obj.node]
    while waiting:
        node = waiting.pop()
        for key in node.items[::2] if node.kind == MAP else ():
            found = _DIRECTIVE.match(deref(key).text)
            if found:
                return found.group().rstrip("/")
        waiting.extend(reversed(node.items))
    return None


def _kept_base(work: PodWork, ground: Ground) -> Verdict | None:
    """The verdict of the annotation on what a patch file is for, in all kustomizations that name it."""
    path = location(work.file) or ""
    naming = ground.kustomizations.naming(path)
    kept = [kept_base(path, its, work.pod.object.ref, ground.kustomizations) for its in naming]
    return kept[0] if kept and None not in kept else None


def patch_verdict(work: PodWork, ground: Ground) -> Verdict | None:
    """The verdict on a pod of an object that is a patch; None for a whole object."""
    file, obj = work.file, work.pod.object
    place = ground.kustomizations.patched_by(file)
    if place is not None:
        kept = _kept_base(work, ground)
        if kept is not None:
            return kept
        why = "which is converted only together with its base"
        if ground.options.overlay is not None:
            why = "and no component converts patches, but --write may"
        return Verdict(Outcome.NEEDS_DECISION, f"{place} applies the file as a patch, {why}", _NEXT)
    directive = _directive(obj)
    if directive is not None:
        return Verdict(Outcome.NEEDS_DECISION, f"the object is a patch: it holds {directive}", _NEXT)
    if _lacks_all(work):
        return Verdict(Outcome.NEEDS_DECISION, "the object is not whole, as a patch is", _NEXT)
    return _overlay_verdict(work)


def _goes_along(work: PodWork, patch: Patch, body: Node, ground: Ground) -> bool | Unnamed:
    """Whether a patch goes together with the pod; what changes for it is noted there."""
    if deletes(body):
        joint = goes_with_deleted(work, patch, body, ground)
        if isinstance(joint, Joint):
            work.joints.append(joint)
            return True
        return joint
    count = count_patch(work, patch, body, ground)
    if not isinstance(count, CountPatch):
        return count or False
    joints = count_joints(work, count, ground)
    if joints is None:
        return False
    work.count_patches.append(count)
    work.joints += joints
    return True


def _patch_verdict(
    work: PodWork, patch: Patch, body: Node, ground: Ground, *, indexes: bool
) -> Verdict | None:
    """The verdict of a patch that touches what the conversion of a pod changes."""
    text, labels = patch.text(), ground.options.node_labels != "keep"
    found = (
        every_touch(work, text, body, labels=labels, merged=patch.merged, indexes=indexes)
        if text is not None
        else []
    )
    if not found or text is None:
        return None
    place = patch.place if patch.inline else text.place(found[0].offset)
    if patch.made:
        return Verdict(
            Outcome.KEPT, f"the component at {place} converts it where a kustomization lists that one"
        )
    goes = patch.merged and not patch.transformer and _goes_along(work, patch, body, ground)
    if goes is True:
        return None
    advice = _NEXT
    if isinstance(goes, Unnamed):
        advice = f"name {os.path.relpath(goes.path)} as well: it changes together with the workload"
    return Verdict(Outcome.NEEDS_DECISION, f"a patch for the object {told(found[0], place)}", advice)


def rewritten_verdict(work: PodWork, ground: Ground) -> Verdict | None:
    """The verdict on a pod that a kustomization changes in a way that a claim would not follow."""
    patches = [*ground.kustomizations.patches(applied(work.pod.object))]
    moving = movers(work, patches)
    for patch, body in patches:
        if patch.turns:
            why = f"a patch may make the object another kind ({patch.place}), which other patches are for"
            return Verdict(Outcome.NEEDS_DECISION, why, _NEXT)
        verdict = _patch_verdict(work, patch, body, ground, indexes=stand_for(body, moving))
        if verdict is not None:
            return verdict
    return reached_verdict(work, ground) or moved_verdict(work, ground) or renamed_verdict(work, ground)
