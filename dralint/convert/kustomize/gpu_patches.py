"""Patch files that give GPUs to a workload without any: a claim, and its template in a file made beside them.

The patch is planned from the object that kustomize makes of it and its base, and what becomes of it is held
against what becomes of that object: where the two differ, nothing is converted.
"""

from __future__ import annotations

from dralint.convert.by_name import NO_SELECTORS
from dralint.convert.claims import CLAIMED, PodClaims
from dralint.convert.kustomize.gpu_files import joints_of
from dralint.convert.kustomize.gpu_sites import Hold, Site, namespace_of_templates, site_of_file
from dralint.convert.kustomize.gpu_whole import after_edits, blocking, difference, keys, whole_of
from dralint.convert.kustomize.merge import Unmergeable, merged, without_empty
from dralint.convert.kustomize.patches import MERGED
from dralint.convert.model import Outcome
from dralint.convert.node_labels import node_labels
from dralint.convert.occurrences import Verdict
from dralint.convert.requests import count_of
from dralint.convert.templates import ordering_annotations
from dralint.convert.tolerations import tolerated
from dralint.convert.work import Apart, Ground, PodWork
from dralint.nvidia.resources import GpuResource
from dralint.yamltext.view import Path, TooLarge, field_path, plain


def _claims(work: PodWork, whole: PodWork) -> PodClaims | None:
    """The claims of the whole pod, with the patch's own indexes of containers."""
    if whole.claims is None:
        return None
    mine = {(each.group, each.name): index for index, each in enumerate(work.containers)}
    to = {index: mine.get((each.group, each.name), -1) for index, each in enumerate(whole.containers)}
    claims, mentions, made = whole.claims
    return PodClaims(
        tuple(each._replace(holder=None if each.holder is None else to[each.holder]) for each in claims),
        {to[index]: each for index, each in mentions.items()},
        {(resource, to[index]): each for (resource, index), each in made.items()},
    )


def _most(whole: PodWork) -> dict[GpuResource, int]:
    """At least how many devices of each resource the pod holds."""
    most: dict[GpuResource, int] = {}
    for found in whole.found:
        devices = count_of(found).value or 0
        if found.resource.base in CLAIMED and devices:
            most[found.device] = max(devices, most.get(found.device, 0))
    return most


def _differs(path: Path) -> Hold:
    """Why the patch cannot do what the conversion of the whole object would."""
    if "tolerations" in path:
        return Hold(
            "the toleration for nvidia.com/gpu would take the place of the base's list",
            "add it to the list in the base, which does no harm there, or list all of them in the patch",
        )
    if "nodeSelector" in path or "affinity" in path:
        return Hold(
            "node labels of GPUs that the claim would take over stand in the base, too, or beside others of it",
            "move them to the patch, or leave them with --node-labels keep",
        )
    return Hold(f"converted, it would not change {field_path(path)} of its base as it should")


def plan_merge(work: PodWork, site: Site, ground: Ground) -> Hold | None:
    """Plan the patch's conversion; None where that is done, or where a verdict on the whole pod stands for it."""
    options, known = ground.options, ground.kustomizations
    ref = work.pod.object.ref
    if sum((each.ref.kind, each.ref.name) == (ref.kind, ref.name) for each in work.file.objects) > 1:
        return Hold("another patch for the object stands beside it")
    try:
        whole = whole_of(merged(plain(site.base.node), plain(work.pod.object.node)), ground)
    except Unmergeable as error:
        return Hold(str(error))
    except TooLarge:
        return Hold("its aliases make it too large")
    if isinstance(whole, Hold):
        return whole
    mine, its = keys(work), keys(whole)
    if mine.keys() != its.keys():
        return Hold("with its base it asks for GPUs in several places")
    for key, found in mine.items():
        found.verdict = blocking(whole, key)
        found.stands_for, found.because = its[key].stands_for, its[key].because
    if not whole.undecided:
        return None
    work.way, work.claims = whole.way, _claims(work, whole)
    work.renamed = {
        found: whole.renamed[its[key]] for key, found in mine.items() if its[key] in whole.renamed
    }
    why = "" if whole.way == "claims" else NO_SELECTORS
    work.labels = node_labels(work.pod, _most(whole), options, why) if whole.labels is not None else None
    namespace = namespace_of_templates(site, known)
    annotations = ordering_annotations(whole.pod.object)
    work.apart = Apart(namespace, annotations, tolerated(whole.pod))
    whole.apart = Apart(namespace, annotations, False)
    after, whole_after = after_edits(work, options), after_edits(whole, options)
    if isinstance(after, Hold):
        return after
    if isinstance(whole_after, Hold):
        return whole_after
    path = difference(without_empty(merged(plain(site.base.node), after)), without_empty(whole_after))
    if path is not None:
        return _differs(path)
    joints = joints_of(site, work, whole, ground)
    if isinstance(joints, Hold):
        return joints
    work.joints += joints
    return None


def decide_gpu_patch(work: PodWork, ground: Ground) -> None:
    """Decide on a pod of a patch file that gives GPUs to a base without any; other pods stay as they are decided."""
    obj, options = work.pod.object, ground.options
    place = ground.kustomizations.patched_by(work.file) if work.patch else None
    if place is None or obj.group not in MERGED or options.overlay is not None:
        return
    kept = any(each.verdict is not None and each.verdict.outcome is Outcome.KEPT for each in work.found)
    site = site_of_file(work, ground) if not kept else None
    if site is None:
        return
    held = site if isinstance(site, Hold) else plan_merge(work, site, ground)
    if held is None:
        work.patch = not work.undecided
        return
    work.apart, work.claims, work.labels = None, None, None
    work.renamed = {}
    reason = f"{place} applies the file as a patch, and {held.reason}"
    for found in work.found:
        found.verdict = Verdict(Outcome.NEEDS_DECISION, reason, held.next)
