"""Notes on converted workloads that more than one object has a part in: scalers, patches, names, the context."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from dralint.convert.around import applied, may_share_namespace
from dralint.convert.beside.companion import beside_data
from dralint.convert.dump.live import owner_notes
from dralint.convert.following import counting_notes
from dralint.convert.kustomize.json_patch import pointer
from dralint.convert.kustomize.reached import plugin_notes
from dralint.convert.model import Note
from dralint.convert.notes.card_notes import card_notes
from dralint.convert.notes.layout_notes import layout_notes
from dralint.convert.notes.pod_notes import data, note_at, with_claims, with_devices
from dralint.convert.notes.template_notes import template_notes
from dralint.convert.sharing.evidence import evidence
from dralint.convert.sharing.shared_claims import shared_claim_notes
from dralint.convert.tolerations import adds_toleration, has_toleration, tolerated
from dralint.convert.work import Ground, PodWork
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.scalers import scaled
from dralint.yamltext.node import ALIAS, MAP, SCALAR, Node, deref
from dralint.yamltext.view import Path, children, entries, get, string


def _gpu_metric(obj: KubeObject) -> tuple[Node, str, str] | None:
    """The first text of a scaler that names a metric of GPUs: its node, the metric, the message for it."""
    waiting = [node for node in (get(obj.node, "spec"),) if node is not None]
    while waiting:
        node = waiting.pop()
        if node.kind == SCALAR:
            for known in beside_data()["gpu_metrics"]:
                found = re.search(rf"\b{known['word']}\w*", node.text)
                if found is not None:
                    return node, found[0], known["message"]
        elif node.kind != ALIAS:
            waiting.extend(reversed(node.items))
    return None


def _scaler_notes(files: Iterable[ParsedFile], works: Sequence[PodWork]) -> Iterator[Note]:
    converted: dict[tuple[str | None, str | None], list[KubeObject]] = {}
    for work in works:
        if with_devices(work):
            ref = work.pod.object.ref
            converted.setdefault((ref.kind, ref.name), []).append(work.pod.object)
    known = {(entry["group"], entry["kind"]): entry for entry in data()["scalers"]}
    for file in files if converted else ():
        for obj in file.objects:
            entry = known.get((obj.group, obj.ref.kind or ""))
            target = scaled(obj) if entry is not None else None
            if entry is None or target is None:
                continue
            if any(
                target.group in (None, workload.group) and may_share_namespace(obj, workload)
                for workload in converted.get((target.kind, target.name), ())
            ):
                line, column = file.text.position(target.node.start)
                value = f"{target.kind} {target.name}"
                message = entry["message"].format(value=value)
                yield Note(file.file.name, line, column, entry["topic"], message, obj.ref)
                metric = _gpu_metric(obj)
                if metric is not None:
                    line, column = file.text.position(metric[0].start)
                    message = metric[2].format(value=value, metric=metric[1])
                    yield Note(file.file.name, line, column, "metrics", message, obj.ref, "warning")


def _claim_count_notes(files: Iterable[ParsedFile], works: Sequence[PodWork]) -> Iterator[Note]:
    """A quota on the number of claims in a namespace, where pods that are converted make claims now."""
    moved = [work.pod.object for work in works if with_claims(work)]
    key = beside_data()["claim_count"]["key"]
    for file in files if moved else ():
        for obj in file.objects if file.holds(key.encode()) else ():
            hard = get(obj.node, "spec", "hard") if obj.ref.kind == "ResourceQuota" else None
            entry = entries(hard).get(key) if hard is not None and hard.kind == MAP else None
            if entry is not None and any(may_share_namespace(obj, each) for each in moved):
                line, column = file.text.position(entry.key.start)
                message = f"{key} limits the number of claims: each pod that moved makes its own, see that it leaves room for them"
                yield Note(file.file.name, line, column, "quota", message, obj.ref)


def _context_notes(works: Sequence[PodWork], ground: Ground) -> Iterator[Note]:
    """Evidence of sharing outside the named files, for the resources that were converted."""
    if ground.options.sharing == "exclusive" or ground.options.cluster.configs:
        return
    converted = {each.resource.name for work in works for each in with_devices(work)}
    if not converted:
        return
    for name, sign in sorted(evidence(ground.context.bundle.files).shared.items()):
        if name in converted:
            yield Note(
                sign.place.path,
                sign.place.line,
                sign.place.column,
                "sharing",
                f"{sign.what}: it is not among the named files, so a unit of {name} was taken for a whole device: name it as well, if it is this cluster's",
            )


def _patch_notes(works: Sequence[PodWork]) -> Iterator[Note]:
    """A patch that goes on asking the device plugin, for a workload that asks DRA now."""
    patches: dict[tuple[str, str | None, str | None], list[PodWork]] = {}
    for work in works:
        obj = work.pod.object
        if work.patch:
            patches.setdefault((obj.group, obj.ref.kind, obj.ref.name), []).append(work)
    for work in works if patches else ():
        obj = work.pod.object
        for patch in (
            patches.get((obj.group, obj.ref.kind, obj.ref.name), ())
            if with_devices(work) and work.way != "extended-resource"
            else ()
        ):
            if patch.pod.object is not obj and may_share_namespace(patch.pod.object, obj):
                place = patch.file.place(next(patch.found).offset)
                message = (
                    f"a patch for it still asks for GPUs by resource name ({place}): together they ask twice"
                )
                yield note_at(work, obj.node, "kustomize", message)


def _toleration_of(body: Node, pod: Path) -> tuple[Node, Node] | None:
    """Where a patch puts a list in the place of a pod's tolerations, and that list."""
    if body.kind == MAP:
        written = get(body, *pod, "tolerations")
        return (written, written) if written is not None else None
    for step in children(body):
        value = get(step, "value")
        if string(get(step, "path")) == pointer((*pod, "tolerations")) and value is not None:
            return step, value
    return None


def _toleration_notes(works: Sequence[PodWork], ground: Ground) -> Iterator[Note]:
    """Patches whose tolerations take the place of the one that the conversion adds."""
    for work in works if ground.options.toleration else ():
        if not with_claims(work) or not adds_toleration(work) or tolerated(work.pod):
            continue
        obj = applied(work.pod.object)
        for patch, body in ground.kustomizations.patches(obj):
            found = _toleration_of(deref(body), work.pod.path[len(obj.path) :])
            text = patch.text()
            if found is not None and text is not None and not has_toleration(found[1]):
                place = patch.place if patch.inline else text.place(found[0].start)
                message = f"a patch for it has tolerations ({place}), which take the place of the one for nvidia.com/gpu: add that one there"
                yield note_at(work, obj.node, "kustomize", message)


def object_notes(files: Sequence[ParsedFile], works: Sequence[PodWork]) -> Iterator[Note]:
    """The notes on objects of the files that scale converted workloads, or count what these make."""
    yield from _scaler_notes(files, works)
    yield from _claim_count_notes(files, works)


def joint_notes(files: Sequence[ParsedFile], works: Sequence[PodWork], ground: Ground) -> Iterator[Note]:
    """The notes on what the converted workloads of a run have to do with other objects."""
    yield from object_notes(files, works)
    yield from shared_claim_notes(works, ground)
    yield from layout_notes(files, works, ground)
    yield from card_notes(works, ground)
    yield from _context_notes(works, ground)
    yield from _patch_notes(works)
    yield from _toleration_notes(works, ground)
    yield from plugin_notes(works, ground)
    yield from template_notes(works, ground)
    yield from owner_notes(works, ground)
    yield from counting_notes(works, ground)
