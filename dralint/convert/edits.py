"""The operations that make a decided pod ask for claims in the place of a device plugin's resources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dralint.convert.by_name import parts
from dralint.convert.claims import Mention, PodClaims
from dralint.convert.counting import count_operations
from dralint.convert.emptied import goes_with
from dralint.convert.following import follower_operations
from dralint.convert.occurrences import Found
from dralint.convert.tolerations import added_tolerations, adds_toleration, tolerated
from dralint.convert.work import PodWork
from dralint.yamltext.node import MAP, SEQ, Node, deref
from dralint.yamltext.operations import Append, Operation, Put, Remove, Rename
from dralint.yamltext.view import Path, Plain, entries, get


def removals(
    work: PodWork, index: int, root: Node, keeps_resources: bool, kept: Sequence[Found] = ()
) -> Iterator[Operation]:
    """Remove the requests of a container but those that are kept, and the mappings that hold nothing else."""
    container, document = work.containers[index], work.pod.object.document
    stop = len(container.path) + (1 if keeps_resources else 0)
    gone = {path for found in work.asked[index] if found not in kept for path in found.entries}
    whole: set[Path] = set()
    for path in sorted(gone, key=str):
        whole.add(goes_with(root, path, gone, stop))
    # A mapping goes by itself; what it holds goes with it.
    for path in sorted(whole, key=str):
        if not any(path[:length] in whole for length in range(len(path))):
            yield Remove(document, path)


def _added_below(document: int, root: Node, path: Path, value: Plain) -> Iterator[Operation]:
    """Write a mapping that is not there, and those that it stands in."""
    *parent, key = path
    if get(root, *parent) is None:
        yield from _added_below(document, root, tuple(parent), {str(key): value})
    else:
        yield Put(document, tuple(parent), str(key), value)


def _added(document: int, root: Node, path: Path, key: str, items: Sequence[Plain]) -> Iterator[Operation]:
    """Add items to the list `key` of a mapping, or the list itself."""
    mapping = get(root, *path)
    entry = entries(mapping).get(key) if mapping is not None and mapping.kind == MAP else None
    if entry is not None and deref(entry.value).kind == SEQ:
        for item in items:
            yield Append(document, (*path, key), item)
    elif items and mapping is None:
        yield from _added_below(document, root, path, {key: list(items)})
    elif items:
        behind = "containers" if mapping is not None and get(mapping, "containers") is not None else None
        yield Put(document, path, key, list(items), after=behind)


def _listed(claims: PodClaims, mentions: Iterable[Mention]) -> list[Plain]:
    listed: list[Plain] = []
    for mention in mentions:
        entry: dict[str, Plain] = {"name": claims.claims[mention.claim].name}
        if mention.request is not None:
            entry["request"] = mention.request
        listed.append(entry)
    return listed


def _gpu_count(work: PodWork, root: Node, document: int) -> Iterator[Operation]:
    path = work.pod.gpu_count
    if path is None or work.gpu_count is None:
        return
    *parent, key = path
    value = str(work.gpu_count)
    if get(root, *parent) is not None:
        yield Put(document, tuple(parent), str(key), value)
    else:
        yield Put(document, tuple(parent[:-1]), str(parent[-1]), {str(key): value}, before="template")


def _labels(work: PodWork, root: Node, document: int) -> list[Operation]:
    """Take out the demands on node labels that the claims take over."""
    if work.labels is None or not work.claims:
        return []
    return [Remove(document, path) for path in work.labels.gone(work.pod.path, root)]


def removes_labels(work: PodWork) -> bool:
    """Whether a pod's demands on node labels go, or some of them."""
    obj = work.pod.object
    root = obj.file.documents[obj.document].root
    return root is not None and bool(_labels(work, root, obj.document))


def _toleration(work: PodWork, root: Node, wanted: bool) -> Iterator[Operation]:
    if wanted and adds_toleration(work) and not tolerated(work.pod):
        document, added = work.pod.object.document, added_tolerations(work.pod)
        yield from _added(document, root, work.pod.path, "tolerations", added)


def _renamings(work: PodWork, root: Node) -> Iterator[Operation]:
    """Give the requests their new names, in limits and in requests; what has none is removed."""
    document = work.pod.object.document
    for index in sorted(work.asked):
        kept = [found for found in work.asked[index] if found in work.renamed]
        for found in kept:
            yield from (Rename(document, path, work.renamed[found]) for path in found.entries)
        yield from removals(work, index, root, False, kept)


def _part_removals(work: PodWork, root: Node) -> Iterator[Operation]:
    """Take out what asks for parts of a GPU beside the request that stays."""
    gone = parts(work)
    for index in sorted(work.asked):
        kept = [found for found in work.asked[index] if found not in gone]
        yield from removals(work, index, root, False, kept)


def pod_operations(work: PodWork, templates: Sequence[str], *, toleration: bool) -> list[Operation]:
    """The operations on the pod spec; templates: for each of its claims the name of its template."""
    obj = work.pod.object
    document, root = obj.document, obj.file.documents[obj.document].root
    assert root is not None
    operations: list[Operation] = []
    if work.way == "extended-resource":
        return [*_part_removals(work, root)]
    if work.renamed:
        return [
            *_renamings(work, root),
            *_toleration(work, root, toleration),
            *_gpu_count(work, root, document),
        ]
    claims, form = work.claims, work.pod.claims
    named = form is None or form.named
    for index in sorted(work.asked):
        mentions = claims.mentions.get(index, ()) if claims and named else ()
        operations += removals(work, index, root, bool(mentions))
        if claims and mentions:
            path = (*work.containers[index].path, "resources")
            operations += _added(document, root, path, "claims", _listed(claims, mentions))
    if not claims or not claims.claims:
        return operations
    kind = "resourceClaimTemplateName" if work.shared is None else "resourceClaimName"
    entries_: list[Plain] = [
        {**({"name": claim.name} if named else {}), kind: template}
        for claim, template in zip(claims.claims, templates, strict=True)
    ]
    assert form is not None
    *parents, key = form.path
    operations += _added(document, root, (*work.pod.path, *parents), key, entries_)
    operations += _toleration(work, root, toleration)
    operations += _gpu_count(work, root, document)
    operations += count_operations(work)
    operations += _labels(work, root, document)
    operations += follower_operations(work)
    return operations
