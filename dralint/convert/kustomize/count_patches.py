"""Patches that set another GPU count for one workload, and nothing else of its GPUs: which ones they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from dralint.convert.around import applied, location, named_object
from dralint.convert.claims import CLAIMED
from dralint.convert.counting import count_operation
from dralint.convert.counts import MAX_DEVICES
from dralint.convert.kustomize.applied import Patch
from dralint.convert.kustomize.count_steps import StepCount, step_count
from dralint.convert.kustomize.indexes import movers
from dralint.convert.kustomize.patches import every_touch, requests_in
from dralint.convert.model import Outcome
from dralint.convert.names import label, template_name, workload_name
from dralint.convert.node_labels import node_labels
from dralint.convert.occurrences import Found
from dralint.convert.options import KEEP
from dralint.convert.requests import count_of
from dralint.convert.sharing.cluster import UNKNOWN
from dralint.convert.standing import is_json
from dralint.convert.work import Ground, PodWork, pods_with_requests
from dralint.kube.dra import TEMPLATE
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.yamltext.node import MAP, SEQ, Node, deref
from dralint.yamltext.view import entries, get, string

# Other keys, such as options, may let a patch rename what it is for.
_ENTRY = {"path", "patch", "target"}


class MergeCount(NamedTuple):
    """The one request of a strategic merge, and the pod and container that it stands in."""

    work: PodWork
    found: Found
    container: int

    @property
    def devices(self) -> int:
        return count_of(self.found).value or 0


class CountPatch(NamedTuple):
    """A patch that changes nothing of a workload's GPUs but their count.

    text   the named file that it is in, or the string in the kustomization
    home   the named file of the kustomization; None where that stays as it is
    counted  where the count stands in it
    spare  where nothing else is left of it, it may go: it would not even put containers into another order
    """

    patch: Patch
    text: ParsedFile
    home: ParsedFile | None
    counted: MergeCount | StepCount
    spare: bool


class Unnamed(NamedTuple):
    """A patch that would be one if the file at this path were named."""

    path: str


def only_request(work: PodWork) -> tuple[int, Found] | None:
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


def _template_names(works: Sequence[PodWork]) -> Iterator[str]:
    """The names that templates of an object's pods may get."""
    for work in works:
        name = workload_name(named_object(work.pod.object)) or ""
        containers = {None, "init", *(label(each.name or "") for each in work.containers)}
        for part in {None, label(work.pod.part or "")}:
            yield from (template_name(name, part, each) for each in containers)


# The files of one build are looked at for each workload that it patches.
@lru_cache(maxsize=1000)
def _templates(file: ParsedFile) -> dict[str, set[KubeObject]]:
    """The names that templates in a file may get, each with the objects they would be for."""
    found: dict[str, set[KubeObject]] = {}
    for work in pods_with_requests(requests_in(file))[0]:
        for name in _template_names([work]):
            found.setdefault(name, set()).add(work.pod.object)
    return found


def stands_alone(base: PodWork, patch: Patch, ground: Ground) -> bool:
    """Whether no other object is meant by a patch for this one, nor by one for the templates it will get.

    Others are those of its file, and of what kustomizations build with the patch.
    """
    obj = base.pod.object
    names = set(_template_names([base])) if base.way == "claims" else set()
    files = frozenset().union(*ground.kustomizations.built_with(patch))

    def beside(file: ParsedFile) -> bool:
        return file is obj.file or location(file) in files

    if names and any(each.ref.kind == TEMPLATE for each in obj.file.objects):
        return False
    for bundle in (ground.bundle, ground.context.bundle):
        same = [
            *bundle.find(obj.ref.kind or "", None, obj.ref.name or "", obj.group),
            *(each for name in names for each in bundle.find(TEMPLATE, None, name)),
        ]
        if any(each is not obj and beside(each.file) for each in same):
            return False
        for file in filter(beside, bundle.files):
            if any(_templates(file).get(name, set()) - {obj} for name in names):
                return False
    return True


def _labels_stay(base: PodWork, found: Found, devices: int, ground: Ground) -> bool:
    """Whether what becomes of the pod's demands on node labels is the same with another count."""
    both = [
        node_labels(base.pod, {found.resource: count}, ground.options)
        for count in (count_of(found).value or 0, devices)
    ]
    one, other = both
    return (one is None and other is None) or (
        one is not None and other is not None and one.translation == other.translation
    )


def _counts_move(base: PodWork, patch: Patch, ground: Ground) -> bool:
    """Whether a workload's count may be changed by a patch after its conversion as before."""
    options = ground.options
    return (
        options.overlay is None
        and options.sharing in ("refuse", "exclusive")
        and options.cluster == UNKNOWN
        # The name tells the content, which the patch would change.
        and not (options.suffix_hash and base.way == "claims")
        # Operators read these, and no patch sets them.
        and base.pod.gpu_count is None
        and count_operation(base) is None
        and sum(each.object is base.pod.object for each in requests_in(base.file)) == 1
        and stands_alone(base, patch, ground)
    )


def home_of(patch: Patch, ground: Ground) -> ParsedFile | None:
    """The named file of the patch's kustomization, if it is as the kustomization was read."""
    file = ground.kustomizations.named(patch.slot.file)
    if file is None or file.text.uneditable is not None or patch.slot.document >= len(file.documents):
        return None
    root = file.documents[patch.slot.document].root
    entry, written = get(root, *patch.slot.path), string(get(root, *patch.slot.written))
    if entry is not None and entry.kind == MAP and not entries(entry).keys() <= _ENTRY:
        return None
    text = patch.text()
    as_read = text is not None and (patch.source is not None or written == text.text.text)
    return file if written and as_read else None


def _source_of(patch: Patch, ground: Ground) -> ParsedFile | None:
    """The named file with the patch's text, if it may be edited."""
    text, file = patch.text(), ground.kustomizations.named(patch.source or "")
    if text is None or file is None or file.text.uneditable is not None or file.file.data != text.file.data:
        return None
    if ground.options.companions:
        from dralint.convert.beside.edits import companion_edits  # which decides on pods itself

        if companion_edits(file, [], ground, {}):
            return None
    return file


# A file may hold patches for many objects.
@lru_cache(maxsize=8)
def merges_in(file: ParsedFile) -> dict[int, MergeCount]:
    """The objects of a text that ask for GPUs just once, by where they begin."""
    works, outside = pods_with_requests(requests_in(file))
    alone = Counter(work.pod.object.document for work in works)
    alone.update(each.document for each in outside)
    found: dict[int, MergeCount] = {}
    for work in works:
        only, obj = only_request(work), work.pod.object
        if only is not None and alone[obj.document] == 1 and not obj.path:
            found[obj.node.start] = MergeCount(work, only[1], only[0])
    return found


def _same_request(count: MergeCount, base: PodWork, index: int, mine: Found) -> bool:
    """Whether a patch speaks of the base's request, which stands in the container of this index."""
    obj, patched = base.pod.object, count.work.pod.object
    container = count.work.containers[count.container]
    return (
        (patched.group, patched.ref.kind) == (obj.group, obj.ref.kind)
        and container.name == base.containers[index].name
        and container.group == base.containers[index].group
        and count.found.resource == mine.resource
        and _sides(count.found) == _sides(mine)
    )


def _merge_count(base: PodWork, text: ParsedFile, body: Node, ground: Ground) -> MergeCount | None:
    asked, found = only_request(base), merges_in(text).get(body.start)
    if found is None or asked is None or not _one_count(found.found):
        return None
    if not _same_request(found, base, *asked):
        return None
    start = len(base.pod.object.path)
    places = [path[start:] for path in asked[1].entries]
    touches = every_touch(base, text, body, labels=ground.options.node_labels != "keep")
    only_count = all(touch.offset == found.found.offset or touch.path in places for touch in touches)
    return found if only_count else None


def _count(
    base: PodWork, patch: Patch, text: ParsedFile, body: Node, ground: Ground
) -> MergeCount | StepCount | None:
    asked = only_request(base)
    if asked is None:
        return None
    if body.kind == MAP:
        return _merge_count(base, text, body, ground)
    if body.kind != SEQ or patch.target is None or ground.options.first_available:
        return None
    if movers(base, ground.kustomizations.patches(base.pod.object)):
        return None
    return step_count(base, asked[0], asked[1], text, body, labels=ground.options.node_labels != "keep")


def count_patch(base: PodWork, patch: Patch, body: Node, ground: Ground) -> CountPatch | Unnamed | None:
    """The patch as one that only sets the count of the base's one request; None for any other."""
    text, obj, asked = patch.text(), base.pod.object, only_request(base)
    if text is None or asked is None or not _one_count(asked[1]) or applied(obj) is not obj:
        return None
    if base.way == "extended-resource" or KEEP in text.text.text:
        return None
    if not ground.kustomizations.reaches_only(patch, obj) or not _counts_move(base, patch, ground):
        return None
    if patch.target is not None and not (patch.names_only(obj) and len(text.documents) == 1):
        return None
    if body.kind == MAP and not patch.is_for(body, obj):
        return None
    sharing = list(ground.kustomizations.sharing_source(patch))
    if any(each.target is not None and not each.names_only(obj) for each in sharing):
        return None
    if len({each.target is None for each in sharing}) > 1:
        return None
    if not all(ground.kustomizations.reaches_only(each, obj) for each in sharing):
        return None
    count = _count(base, patch, text, deref(body), ground)
    if count is None or not _labels_stay(base, asked[1], count.devices, ground):
        return None
    # In a file without a target a patch for the template goes beside the one for the workload.
    apart = patch.inline or (base.way == "claims" and (patch.target is not None))
    for path, wanted in ((patch.source, not patch.inline), (patch.slot.file, apart)):
        if wanted and path is not None and ground.kustomizations.named(path) is None:
            return Unnamed(path)
    home = home_of(patch, ground) if apart else None
    source = text if patch.inline else _source_of(patch, ground)
    if source is None or (apart and home is None):
        return None
    if not apart and base.way == "claims" and is_json(source):
        return None
    group = base.containers[asked[0]].group
    alone = sum(each.group == group for each in base.containers) == 1
    spare = alone and not movers(base, ground.kustomizations.patches(obj))
    return CountPatch(patch, source, home, count, spare)


def converted_patch(work: PodWork) -> bool:
    """Whether a pod is a patch's, and its count went along with its base."""
    return work.patch and any(
        each.verdict is not None and each.verdict.outcome is Outcome.CONVERTED for each in work.found
    )
