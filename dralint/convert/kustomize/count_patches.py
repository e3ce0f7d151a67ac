"""Patch files that set another GPU count for one workload: the count moves to a patch for its template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from dralint.convert.around import location
from dralint.convert.claims import CLAIMED
from dralint.convert.counts import MAX_DEVICES
from dralint.convert.edits import removals
from dralint.convert.kustomize.kustomization import Patch
from dralint.convert.kustomize.patches import every_touch
from dralint.convert.model import ClaimRef, FileResult, Outcome
from dralint.convert.occurrences import Found, Verdict, occurrences
from dralint.convert.options import KEEP
from dralint.convert.requests import count_of
from dralint.convert.sharing.cluster import UNKNOWN
from dralint.convert.standing import is_json
from dralint.convert.templates import Template, object_of, spec_of
from dralint.convert.work import Ground, PodWork, pods_with_requests
from dralint.errors import InternalError, Place
from dralint.kube.dra import TEMPLATE
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.yamltext.node import Node
from dralint.yamltext.operations import InsertDocument, Operation
from dralint.yamltext.patch import patch as edited


class CountPatch(NamedTuple):
    """A patch among the named files that changes nothing of a workload's GPUs but their count."""

    work: PodWork
    found: Found
    container: int


def _only_request(work: PodWork) -> tuple[int, Found] | None:
    """The container and the request of a pod that has just one."""
    asked = [(index, found) for index, requests in work.asked.items() for found in requests]
    return asked[0] if len(asked) == 1 and asked[0][1].resource.base in CLAIMED else None


def _sides(found: Found) -> set[str]:
    return {str(path[-2]) for path in found.entries}


def _one_count(found: Found) -> bool:
    """Whether it is a number of devices that one claim can hold, everywhere the same."""
    count = count_of(found)
    same = {node.text for node in found.counts}
    return count.exact and len(same) == 1 and 0 < (count.value or 0) <= MAX_DEVICES


def _alone(obj: KubeObject, ground: Ground) -> bool:
    """Whether no other object is meant by a patch for this one, nor by one for the template it will get."""
    if any(each.ref.kind == TEMPLATE for each in obj.file.objects):
        return False
    name = obj.ref.name or ""
    return all(
        each is obj or ground.kustomizations.patched_by(each.file) is not None
        for bundle in (ground.bundle, ground.context.bundle)
        for each in bundle.find(obj.ref.kind or "", None, name, obj.group)
    )


def _operations(found: CountPatch, claim: ClaimRef, base: PodWork) -> list[Operation]:
    obj = found.work.pod.object
    root = obj.file.documents[obj.document].root
    assert root is not None
    assert base.claims is not None
    (request,) = base.claims.claims[0].requests
    devices = count_of(found.found).value or 0
    spec = spec_of([request._replace(devices=devices)])
    template = object_of(Template(claim.template, spec, obj.ref.namespace, {}))
    return [
        InsertDocument(obj.document, template),
        *removals(found.work, found.container, root, False),
    ]


# A file may hold patches for many objects.
@lru_cache(maxsize=2)
def _in_file(file: ParsedFile) -> dict[int, CountPatch]:
    """The patches of a file that ask for GPUs just once and can be edited, by where their objects begin."""
    works, outside = pods_with_requests(occurrences(file))
    alone = Counter(work.pod.object.document for work in works)
    alone.update(each.document for each in outside)
    found: list[CountPatch] = []
    probes: list[list[Operation]] = []
    for work in works:
        only, document = _only_request(work), work.pod.object.document
        root = file.documents[document].root
        if only is not None and alone[document] == 1 and root is not None and not work.pod.object.path:
            found.append(CountPatch(work, only[1], only[0]))
            probes.append([InsertDocument(document, {"a": "b"}), *removals(work, only[0], root, False)])
    try:
        refused = {refusal.group for refusal in edited(file.text, file.documents, probes).refusals}
    except InternalError:
        return {}
    return {each.work.pod.object.node.start: each for index, each in enumerate(found) if index not in refused}


def _counts_move(base: PodWork, ground: Ground) -> bool:
    """Whether the template of a workload may get another count by a patch."""
    options = ground.options
    return (
        base.way == "claims"
        and options.overlay is None
        and options.sharing in ("refuse", "exclusive")
        and options.cluster == UNKNOWN
        # The name tells the content, which the patch would change.
        and not options.suffix_hash
        and _alone(base.pod.object, ground)
    )


def _editable(text: ParsedFile, obj: KubeObject, ground: Ground) -> ParsedFile | None:
    """The named file that a patch for an object is in, if it may be edited; None otherwise.

    text: the patch's file as the kustomization has it
    """
    path = location(text)
    file = next((each for each in ground.bundle.files if location(each) == path), None)
    if file is None or path is None or is_json(file) or file.text.uneditable is not None:
        return None
    if (
        KEEP in text.text.text
        or file.file.data != text.file.data
        or not ground.kustomizations.only_for(path, obj)
    ):
        return None
    if ground.options.companions:
        from dralint.convert.beside.edits import companion_edits  # which decides on pods itself

        if companion_edits(file, [], ground, {}):
            return None
    return file


def _same_request(found: CountPatch, base: PodWork, index: int, mine: Found) -> bool:
    """Whether a patch speaks of the base's request, which stands in the container of this index."""
    obj, patched = base.pod.object, found.work.pod.object
    container = found.work.containers[found.container]
    return (
        (patched.group, patched.ref) == (obj.group, obj.ref)
        and container.name == base.containers[index].name
        and container.group == base.containers[index].group
        and found.found.resource == mine.resource
        and _sides(found.found) == _sides(mine)
    )


def count_patch(base: PodWork, patch: Patch, body: Node, ground: Ground) -> CountPatch | None:
    """The patch as one that only sets the count of the base's one request; None for any other."""
    text, asked, obj = patch.text(), _only_request(base), base.pod.object
    if text is None or asked is None or patch.inline or patch.target or not _counts_move(base, ground):
        return None
    file = _editable(text, obj, ground)
    found = _in_file(file).get(body.start) if file is not None else None
    if found is None or not _same_request(found, base, *asked) or not _one_count(found.found):
        return None
    places = [path[len(obj.path) :] for path in asked[1].entries]
    touches = every_touch(base, text, body, labels=ground.options.node_labels != "keep")
    only_count = all(touch.offset == found.found.offset or touch.path in places for touch in touches)
    return found if only_count else None


def converted_patch(work: PodWork) -> bool:
    """Whether a pod is a patch's, and its count went to a patch for the template."""
    return work.patch and any(
        each.verdict is not None and each.verdict.outcome is Outcome.CONVERTED for each in work.found
    )


def convert_patches(results: list[FileResult], works: Sequence[PodWork]) -> None:
    """Edit the patches of workloads that were converted, and give their requests the last verdicts."""
    wanted: dict[int, list[tuple[CountPatch, ClaimRef, PodWork]]] = {}
    for base in works:
        claim = next((each.verdict.claim for each in base.found if each.verdict is not None), None)
        for each in base.count_patches if claim is not None else ():
            assert claim is not None
            wanted.setdefault(id(each.work.file.file), []).append((each, claim, base))
    mine = {(id(work.file.file), work.pod.object.document): work for work in works}
    for index, result in enumerate(results):
        found = wanted.get(id(result.file.file))
        if not found:
            continue
        patched = edited(result.file.text, result.file.documents, [_operations(*each) for each in found])
        if patched.refusals:
            raise InternalError("a patch cannot be edited after all", Place(result.file.file.name))
        results[index] = FileResult(result.file, result.file.text.encode(patched.text), None, patched.edits)
        for each, claim, _ in found:
            work = mine[id(result.file.file), each.work.pod.object.document]
            count = count_of(each.found).value or 0
            for request in work.found:
                request.verdict = Verdict(
                    Outcome.CONVERTED,
                    "a patch for the template takes its place",
                    "",
                    replace(claim, count=count),
                    "claims",
                )
