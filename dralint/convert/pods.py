"""Decisions on whole pods: may their requests be converted, and which claims take their place?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from dralint.convert.by_name import decide_names, parts, unknown_verdict
from dralint.convert.claims import CLAIMED, Choice, Stuck, claims_of_pod
from dralint.convert.counting import operator_count
from dralint.convert.dump.live import live_verdict
from dralint.convert.elsewhere import by_schema
from dralint.convert.following import users_speak
from dralint.convert.holding import can_hold_claims
from dralint.convert.kept import keep_verdict, kept_with
from dralint.convert.kustomize.partial import patch_verdict, rewritten_verdict
from dralint.convert.model import Outcome
from dralint.convert.modes import gate_verdict, init_verdict, way_of, with_gate
from dralint.convert.node_labels import node_labels
from dralint.convert.occurrences import Found, Verdict
from dralint.convert.options import Options
from dralint.convert.refusals import (
    Spoken,
    beside_verdict,
    leave,
    own_name_verdict,
    refusals,
    refused_verdict,
    zero_verdict,
)
from dralint.convert.requests import count_of, decide_requests, is_zero
from dralint.convert.sharing.sharing import joint_verdict
from dralint.convert.standing import reference_verdict, standing_verdict
from dralint.convert.work import Ground, PodWork
from dralint.kube.dra import container_claims, pod_claims
from dralint.kube.kinds import kind_of
from dralint.kube.objects import ParsedFile
from dralint.nvidia.resources import GpuResource
from dralint.yamltext.node import SCALAR
from dralint.yamltext.view import get


def _kept(work: PodWork) -> Verdict | None:
    obj = work.pod.object
    kept = kept_with(obj)
    if kept is None and work.pod.metadata is not None:
        kept = keep_verdict(get(obj.file.documents[obj.document].root, *work.pod.metadata))
    return kept


# The whole text is searched for it, so once for each file.
@lru_cache(maxsize=2)
def _uneditable(file: ParsedFile) -> str | None:
    return file.text.uneditable


def _closed(work: PodWork, ground: Ground) -> Verdict | None:
    """The verdict on a pod that is not to be edited, whatever it asks for."""
    reason = _uneditable(work.file)
    if reason is not None:
        return Verdict(Outcome.UNSUPPORTED, reason, "save the file as UTF-8 with usual line ends")
    if work.way == "claims" and not can_hold_claims(work.pod):
        advice = work.pod.place.next if work.pod.place is not None else ""
        return with_gate(
            by_schema(work.pod.schema, advice, kind_of(work.pod.object)), work.pod.schema, ground.options
        )
    verdict = patch_verdict(work, ground)
    work.patch = verdict is not None
    other = beside_verdict(work) if work.way == "claims" else unknown_verdict(work)
    return verdict or other or rewritten_verdict(work, ground)


def _refused(spoken: Sequence[Spoken], work: PodWork, ground: Ground) -> Verdict | None:
    """The verdict on a pod whose object says something against the way that it would take."""
    verdict = refused_verdict(spoken, work.way)
    if verdict is not None and leave(spoken, "extended-resource"):
        return with_gate(verdict, "narrow", ground.options)
    return verdict or own_name_verdict(work)


def _devices(found: Found) -> int:
    """The number of devices that a decided request asks for."""
    return count_of(found).value or 0


def _needs(work: PodWork) -> dict[GpuResource, dict[int, int]]:
    needs: dict[GpuResource, dict[int, int]] = {}
    for index, requests in work.asked.items():
        for found in requests:
            if found.resource.base in CLAIMED and _devices(found):
                needs.setdefault(found.device, {})[index] = _devices(found)
    return dict(sorted(needs.items()))


def _decide_gpu_count(work: PodWork) -> Verdict | None:
    """Plan the count that the operator needs; the verdict where another one stands there."""
    path, devices = work.pod.gpu_count, operator_count(work)
    if path is None or not devices:
        return None
    obj = work.pod.object
    written = get(obj.file.documents[obj.document].root, *path)
    text = written.text if written is not None and written.kind == SCALAR else ""
    if not text:
        work.gpu_count = devices
        return None
    if text == str(devices):
        return None
    line = obj.file.place(written.start).line if written is not None else None
    return Verdict(
        Outcome.NEEDS_DECISION,
        f"{path[-1]} is {text} (line {line}), and the container asks for {devices}",
        f"make {path[-1]} {devices}, or remove it, if it is not meant to differ",
    )


def _spread(work: PodWork) -> None:
    """A pod asks the device plugin or DRA, not both: one request that stays keeps the others back."""
    blocked = next((each for each in work.found if each.verdict is not None), None)
    if blocked is not None:
        line = work.file.place(blocked.offset).line
        work.decide(
            Verdict(
                Outcome.NEEDS_DECISION,
                f"another GPU request of this pod is not converted (line {line})",
                "settle that one first: a pod asks the device plugin or DRA, not both",
            )
        )


def _taken(work: PodWork) -> list[str]:
    """The names of claims that the pod has, and of those its containers list though it has none."""
    own = [claim.name for claim in pod_claims(work.pod)]
    listed = [claim.name for container in work.containers for claim in container_claims(container)]
    return [name for name in (*own, *listed) if name is not None]


def decide_claims(work: PodWork, options: Options, held: str = "") -> None:
    """Decide what takes the place of a pod's requests; held: why its node labels stay, "" where they may go."""
    needs = _needs(work)
    most = {resource: max(counts.values()) for resource, counts in needs.items()}
    work.labels = node_labels(work.pod, most, options, held)
    choices = dict(work.labels.choices) if work.labels is not None else {}
    for resource, capacity in work.capacity.items():
        choices[resource] = choices.get(resource, Choice())._replace(capacity=capacity)
    made = claims_of_pod(needs, work.containers, _taken(work), choices)
    if isinstance(made, Stuck):
        for found in work.asked[made.container]:
            if found.resource.name == made.resource:
                found.verdict = Verdict(Outcome.NEEDS_DECISION, made.reason, made.advice)
    else:
        work.claims = made
        verdict = joint_verdict(work)
        if verdict is not None:
            work.decide(verdict)


def _spoken(work: PodWork, ground: Ground) -> list[Spoken]:
    """What speaks against claims in the pod, in its object and in others."""
    own = refusals(work.pod.object, work.pod.path)
    merged = ground.merged.speak(work.pod.object)
    hidden = ground.merged.hidden(work.pod) if ground.options.toleration else ()
    return [*own, *users_speak(work, ground), *merged, *hidden]


def decide_pod(work: PodWork, ground: Ground) -> None:
    """Give verdicts to the requests of a pod that stay; a pod without any is to be converted."""
    zero = all(map(is_zero, work.found))
    spoken = [] if zero else _spoken(work, ground)
    work.why = spoken[0].verdict.reason if spoken else ""
    by_name = bool(spoken) and leave(spoken, "extended-resource")
    work.way = way_of(work.pod, ground.options, refuses=by_name)
    stays = work.way == "extended-resource" and not (ground.options.sharing == "exclusive" and parts(work))
    verdict = _kept(work) or live_verdict(work.pod.object, ground)
    verdict = verdict or gate_verdict(work.way, work.found, ground.options)
    verdict = verdict or (None if stays else _closed(work, ground))
    verdict = verdict or _refused(spoken, work, ground)
    if verdict is None:
        decide_requests(work, ground)
        _spread(work)
        if zero:
            kept = zero_verdict(work) or ground.merged.zero_verdict(work.pod.object)
            verdict = None if stays else reference_verdict(work) or kept
        else:
            verdict = init_verdict(work, ground.options) or standing_verdict(work, ground)
            verdict = verdict or (None if work.way == "extended-resource" else _decide_gpu_count(work))
    if verdict is not None:
        work.decide(verdict)
    if work.undecided:
        if work.way == "claims":
            decide_claims(work, ground.options)
        else:
            decide_names(work, ground)
        _spread(work)
