"""Notes on converted pods: what a claim does not bring, or no longer needs: contract, point 10."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from dralint.convert.counting import count_operation
from dralint.convert.existing import gpu_claim
from dralint.convert.model import Note
from dralint.convert.notes.name_notes import name_notes
from dralint.convert.occurrences import Found
from dralint.convert.requests import count_of, is_zero
from dralint.convert.tolerations import TOLERATION, adds_toleration, tolerated
from dralint.convert.translate.demands import Demand
from dralint.convert.work import Ground, PodWork
from dralint.kube.dra import pod_claims
from dralint.yamltext.load import load_data
from dralint.yamltext.node import Node, deref
from dralint.yamltext.view import entries, get, string

_DATA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "notes.yaml")


@cache
def data() -> Any:
    """The data of all notes."""
    return load_data(_DATA)


def with_claims(work: PodWork) -> list[Found]:
    """The pod's requests whose place a claim has taken."""
    return [each for each in work.found if each.verdict is not None and each.verdict.claim is not None]


def with_devices(work: PodWork) -> list[Found]:
    """The pod's requests that DRA serves from here on, in whatever way."""
    return [
        each for each in work.found if each.verdict is not None and each.verdict.way and not is_zero(each)
    ]


def note_at(work: PodWork, node: Node, topic: str, message: str) -> Note:
    """A note that points to a node of the pod's file."""
    line, column = work.file.text.position(node.start)
    return Note(work.file.file.name, line, column, topic, message, work.pod.object.ref)


def _known(work: PodWork, node: Node, known: Mapping[str, Any], **values: str) -> Note:
    """A note whose words are data."""
    return note_at(work, node, known["topic"], known["message"].format(**values))


def _fields(work: PodWork) -> Iterator[Note]:
    for field in data()["fields"]:
        entry = entries(work.pod.node).get(field["path"])
        value = string(entry.value) if entry is not None else None
        if entry is not None and value and value not in field.get("except", ()):
            yield _known(work, entry.key, field, value=value)


def _note_on(work: PodWork, demand: Demand, topic: str, message: str) -> Note:
    line, column = work.file.text.position(demand.at)
    return Note(work.file.file.name, line, column, topic, message, work.pod.object.ref)


# What a demand that stays means where it is required.
_WAITS = "; it stays, and the pod waits where nothing sets this label"


def _node_labels(work: PodWork) -> Iterator[Note]:
    """What became of the pod's demands on node labels."""
    if work.labels is None:
        return
    found = work.labels.translation
    for moved in found.moved:
        now = "is a selector of the claim now" if moved.selects else moved.why
        if work.labels.removes:
            message = f"{moved.demand} {now}" if moved.selects else f"{moved.demand} is gone: {now}"
        else:
            message = f"{moved.demand} stays, and {now}" if moved.selects else f"{moved.demand} stays: {now}"
        more = f": {moved.why}" if moved.selects and moved.why else ""
        yield _note_on(work, moved.demand, "selectors", f"{message}{more}")
    for kept in found.kept:
        topic = "node-labels" if kept.needed else "labels"
        message = f"the pod selects nodes by {kept.demand}: {kept.reason}"
        yield _note_on(work, kept.demand, topic, f"{message}{_WAITS}" if kept.needed else message)


def _kind(work: PodWork) -> Iterator[Note]:
    obj, kind = work.pod.object, work.pod.kind
    seen, told = work.way == "extended-resource", count_operation(work) is not None
    if (
        kind is not None
        and kind.counts_gpus is not None
        and work.pod.gpu_count is None
        and not seen
        and not told
    ):
        yield note_at(
            work, obj.node, "operator", f"the operator of {kind.kind} counts limits: {kind.counts_gpus}"
        )
    if kind is not None and not kind.checked and work.way == "claims":
        message = f"dralint has not seen the definition of {kind.kind}: make sure that its pods can have resourceClaims"
        yield note_at(work, obj.node, "schema", message)
    for known in data()["kinds"]:
        said = get(obj.node, "metadata", "annotations", known.get("annotation", ""))
        if (
            (known["group"], known["kind"]) == (obj.group, obj.ref.kind)
            and known.get("way") in (None, work.way)
            and said is None
        ):
            yield _known(work, obj.node, known)


def _mig(work: PodWork, *, toleration: bool) -> Iterator[Note]:
    requests = [each for each in with_devices(work) if each.device.base == "mig"]
    if not requests:
        return
    named = [each for each in requests if each.resource.base == "mig"]
    if named and toleration and not tolerated(work.pod):
        key = TOLERATION["key"]
        yield note_at(
            work,
            deref(named[0].counts[0]),
            "toleration",
            f"the pod now tolerates the taint {key}: for MIG resources nobody added that before (--no-toleration leaves it out)",
        )
    for each in requests:
        if (count_of(each).value or 0) > 1:
            yield note_at(
                work,
                deref(each.counts[0]),
                "mig",
                "one CUDA process uses one MIG device: several help only a container that runs several processes",
            )


def _claims_elsewhere(work: PodWork, ground: Ground) -> Iterator[Note]:
    """A GPU claim that only another file shows; one in the pod's own file holds the pod back."""
    if not pod_claims(work.pod):
        return
    held = gpu_claim(work, (ground.bundle, ground.context.bundle))
    if held is not None:
        place = held.spec.object.file.place(held.spec.object.node.start)
        message = f"the claim {held.listed.name} beside it asks for a GPU as well ({place}): keep one, if both mean the same device"
        yield note_at(work, held.listed.node, "claims", message)


def pod_notes(work: PodWork, ground: Ground) -> Iterator[Note]:
    """The notes on a pod whose devices come from DRA now."""
    toleration = ground.options.toleration and adds_toleration(work)
    yield from _claims_elsewhere(work, ground)
    yield from name_notes(work, ground)
    yield from _fields(work)
    yield from _node_labels(work)
    yield from _kind(work)
    yield from _mig(work, toleration=toleration)
