"""Patch files that give GPUs to a workload without any: a claim, and its template in a file made beside them.

The patch is planned from the object that kustomize makes of it and its base, and what becomes of it is held
against what becomes of that object: where the two differ, nothing is converted.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from dralint.convert.around import location
from dralint.convert.claims import CLAIMED, PodClaims
from dralint.convert.kustomize.gpu_sites import (
    Hold,
    Site,
    namespace_of_templates,
    obstacle,
    renamed_at,
    site_of,
)
from dralint.convert.kustomize.joint import Change, Joint, Listed, can_change
from dralint.convert.kustomize.merge import Unmergeable, merged, without_empty
from dralint.convert.kustomize.name_configuration import configured, name_fields
from dralint.convert.kustomize.patches import MERGED
from dralint.convert.model import Outcome
from dralint.convert.names import template_name
from dralint.convert.node_labels import node_labels
from dralint.convert.occurrences import Found, Verdict, occurrences
from dralint.convert.options import Options
from dralint.convert.plan import make_plan
from dralint.convert.pods import decide_pod
from dralint.convert.requests import count_of
from dralint.convert.templates import object_of, ordering_annotations
from dralint.convert.tolerations import tolerated
from dralint.convert.work import Apart, Ground, PodWork, pods_with_requests
from dralint.errors import InternalError
from dralint.kube.read import parse
from dralint.nvidia.resources import GpuResource
from dralint.source.file import SourceFile
from dralint.source.find import STDIN_NAME
from dralint.yamltext.patch import patch as edited
from dralint.yamltext.render import BlockStyle, mapping_lines
from dralint.yamltext.view import Path, Plain, TooLarge, field_path, get, plain

_STYLE = BlockStyle(step=2, dash=2, gap=1)
_REFERENCE = "resourceClaimTemplateName"
_LINE = re.compile(r" \(line \d+\)")


class _Key(NamedTuple):
    """A request by what it is called, in the patch as in the whole object."""

    group: str
    container: str | None
    resource: str


def _keys(work: PodWork) -> dict[_Key, Found]:
    return {
        _Key(work.containers[index].group, work.containers[index].name, found.resource.name): found
        for index, requests in work.asked.items()
        for found in requests
    }


def _whole(site: Site, work: PodWork, ground: Ground) -> PodWork | Hold:
    """The pod with the patch applied, decided as if it stood there."""
    try:
        item = merged(plain(site.base.node), plain(work.pod.object.node))
    except Unmergeable as error:
        return Hold(str(error))
    except TooLarge:
        return Hold("its aliases make it too large")
    text = "---\n" + json.dumps(item, ensure_ascii=False)
    # It lies nowhere, so no kustomization changes it any more.
    file = parse(SourceFile(STDIN_NAME, None, text.encode("utf-8", "surrogatepass")))
    works, outside = pods_with_requests(occurrences(file))
    if outside or len(works) != 1 or _keys(works[0]).keys() != _keys(work).keys():
        return Hold("with its base it asks for GPUs in several places")
    whole = works[0]
    decide_pod(whole, ground)
    if whole.undecided and (whole.shared is not None or whole.capacity):
        return Hold("its pods are to share devices")
    return whole


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


def _after(work: PodWork, options: Options) -> Plain | Hold:
    """The pod's object after the edits of a plan for it alone."""
    plan, file, obj = make_plan(work.file, [work], options), work.file, work.pod.object
    try:
        patched = edited(file.text, file.documents, plan.groups, all_or_none=True)
    except InternalError:
        return Hold("its text cannot be edited safely")
    for each in patched.refusals:
        line = file.place(each.offset).line
        return Hold(f"its text cannot be edited safely: {each.what} (line {line})")
    after = parse(SourceFile(file.file.name, None, file.text.encode(patched.text)))
    return plain(get(after.documents[obj.document].root, *obj.path))


def _difference(one: Plain, other: Plain, path: Path = ()) -> Path | None:
    """Where two values differ first; None: nowhere."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            found = _difference(one.get(key), other.get(key), (*path, key))
            if found is not None:
                return found
        return None
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return next((each for index, (a, b) in pairs if (each := _difference(a, b, (*path, index)))), None)
    return None if one == other else path


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


def _file_name(site: Site, workload: str) -> str | None:
    """The name of the file for the templates, one that is free; None: there is none."""
    name = template_name(workload, None, None)
    names = (f"{name}.yaml", f"{name}-template.yaml")
    free = (each for each in names if not os.path.lexists(os.path.join(site.its.directory, each)))
    return next(free, None)


def _text(works: Sequence[PodWork]) -> str:
    """The file of the templates of pods."""
    templates = [each for work in works if work.apart is not None for each in work.apart.templates]
    objects: list[dict[str, Plain]] = []
    for template in templates:
        item = object_of(template)
        assert isinstance(item, dict)
        if item not in objects:
            objects.append(item)
    documents = ("\n".join(mapping_lines(item, 0, _STYLE)) + "\n" for item in objects)
    return "---\n".join(documents)


def _joints(site: Site, name: str) -> list[Joint]:
    """What is changed and made beside the patch."""

    def listed(_: Sequence[PodWork]) -> Sequence[Change]:
        return [Listed("resources", name)]

    where = location(site.file)
    assert where is not None
    return [
        Joint(os.path.join(site.its.directory, name), None, "templates", _text),
        Joint(where, site.file, ("resources", name), listed),
    ]


def _following(work: PodWork, site: Site, ground: Ground) -> list[Joint] | Hold:
    """The changes by which kustomize follows the names of the templates, where it renames them."""
    for field in name_fields(work, [_REFERENCE]):
        renames = renamed_at(site, field, ground.kustomizations)
        found = configured(renames, field, site.its, ground) if renames is not None else []
        return Hold(found.reason, found.next) if isinstance(found, Verdict) else found
    return []


def _plan(work: PodWork, site: Site, ground: Ground) -> Hold | None:
    """Plan the patch's conversion; None where that is done, or where a verdict on the whole pod stands for it."""
    options, known = ground.options, ground.kustomizations
    whole = _whole(site, work, ground)
    if isinstance(whole, Hold):
        return whole
    mine, its = _keys(work), _keys(whole)
    blocked = not whole.undecided
    for key, found in mine.items():
        told = its[key].verdict
        found.verdict = None
        if blocked and told is not None:
            reason = told.reason if told.outcome is Outcome.KEPT else f"with its base: {told.reason}"
            found.verdict = told._replace(reason=_LINE.sub("", reason))
        found.stands_for, found.because = its[key].stands_for, its[key].because
    if blocked:
        return None
    work.way, work.claims = whole.way, _claims(work, whole)
    work.renamed = {
        found: whole.renamed[its[key]] for key, found in mine.items() if its[key] in whole.renamed
    }
    work.labels = node_labels(work.pod, _most(whole), options) if whole.labels is not None else None
    namespace = namespace_of_templates(site, known)
    annotations = ordering_annotations(whole.pod.object)
    work.apart = Apart(namespace, annotations, tolerated(whole.pod))
    whole.apart = Apart(namespace, annotations, False)
    after, whole_after = _after(work, options), _after(whole, options)
    if isinstance(after, Hold):
        return after
    if isinstance(whole_after, Hold):
        return whole_after
    path = _difference(without_empty(merged(plain(site.base.node), after)), without_empty(whole_after))
    if path is not None:
        return _differs(path)
    held = obstacle(site, whole, [each.name for each in work.apart.templates], ground)
    if held is not None or not work.apart.templates:
        return held
    names = _following(work, site, ground)
    if isinstance(names, Hold):
        return names
    name = _file_name(site, site.base.ref.name or "")
    if name is None:
        return Hold(
            f"the names for a file of its template are taken in {os.path.relpath(site.its.directory)}"
        )
    if not can_change(site.file, [Listed("resources", name)]):
        return Hold(f"{site.file.file.name}, which is to list its template, cannot be edited safely")
    work.joints += [*_joints(site, name), *names]
    return None


def decide_gpu_patch(work: PodWork, ground: Ground) -> None:
    """Decide on a pod of a patch file that gives GPUs to a base without any; other pods stay as they are decided."""
    obj, options = work.pod.object, ground.options
    place = ground.kustomizations.patched_by(work.file) if work.patch else None
    if place is None or obj.group not in MERGED or options.overlay is not None:
        return
    site = site_of(work, ground)
    if site is None:
        return
    held = site if isinstance(site, Hold) else _plan(work, site, ground)
    if held is None:
        work.patch = not work.undecided
        return
    work.apart, work.claims, work.labels = None, None, None
    work.renamed = {}
    reason = f"{place} applies the file as a patch, and {held.reason}"
    for found in work.found:
        found.verdict = Verdict(Outcome.NEEDS_DECISION, reason, held.next)
