"""Whether a workload should move now, wait, or stay on the device plugin, and why."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from dralint.convert.dump.live import made_by_itself
from dralint.convert.model import Advice, Outcome, Workload
from dralint.convert.occurrences import Found
from dralint.convert.requests import is_zero
from dralint.convert.sharing.evidence import pod_signs
from dralint.convert.sharing.sharing import gate_of
from dralint.convert.work import Ground, PodWork
from dralint.kube.dra import pod_claims
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.nvidia.resources import PARTS
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP
from dralint.yamltext.view import entries, get

_DATA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "advice.yaml")
_OPEN = (Outcome.NEEDS_DECISION, Outcome.UNSUPPORTED)


@cache
def data() -> Any:
    """What the report advises, and when."""
    return load_data(_DATA)


def _shares(found: Found, works: Sequence[PodWork], ground: Ground) -> bool:
    """Whether the request is left alone because its unit may be a part of a device."""
    if ground.options.sharing != "refuse":
        return False
    resource = found.resource
    return (
        resource.shared
        or resource.base in PARTS
        or resource.name in ground.evidence.shared
        or any(sign.says == "sharing" for work in works for sign in pod_signs(work.pod))
    )


def _reason(found: Found) -> str:
    return found.verdict.reason if found.verdict is not None else ""


def _while_open(
    found: Sequence[Found], works: Sequence[PodWork], ground: Ground
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """What holds of a workload with requests that a person must see to."""
    target = ground.options.target
    unsettled = [each for each in found if each.verdict is not None and each.verdict.outcome in _OPEN]
    if not unsettled:
        return
    sharing = [each for each in unsettled if _shares(each, works, ground)]
    others = [each for each in unsettled if not _shares(each, works, ground)]
    if sharing:
        yield (
            "shares",
            {
                "why": _reason(sharing[0]),
                "gates": " or ".join(data()["sharing_gates"]),
                "driver": f"driver {target.dra_driver}",
            },
        )
    kinds = [work.pod.kind for work in works]
    counted = next((kind.counts_gpus for kind in kinds if kind is not None and kind.counts_gpus), None)
    if counted and any(work.pod.schema != "full" for work in works):
        yield "counted", {"why": counted}
    if not works and (found[0].object is None or found[0].object.group in data()["charts"]):
        yield "chart", {}
    if others:
        yield "open", {"why": _reason(others[0])}


def _platform(found: Sequence[Found], works: Sequence[PodWork]) -> str | None:
    """The platform that labels or annotations of the object or its pods name."""
    obj = found[0].object
    if obj is None:
        return None
    root = obj.file.documents[obj.document].root
    metadata = [get(obj.node, "metadata")]
    metadata += [get(root, *work.pod.metadata) for work in works if work.pod.metadata and root is not None]
    keys = [
        key
        for each in metadata
        if each is not None
        for part in ("labels", "annotations")
        if (held := get(each, part)) is not None and held.kind == MAP
        for key in entries(held)
    ]
    return next(
        (
            platform["name"]
            for platform in data()["platforms"]
            if any(key.startswith(platform["prefix"]) for key in keys)
        ),
        None,
    )


def _once_decided(
    found: Sequence[Found], works: Sequence[PodWork]
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """What holds of a workload all of whose requests have their place."""
    verdicts = [each.verdict for each in found if each.verdict is not None]
    kept = [each for each in verdicts if each.outcome is Outcome.KEPT and each.way is None]
    if kept:
        yield "kept", {"why": kept[0].reason}
        return
    for way, condition in (("extended-resource", "mapped"), ("implicit", "named")):
        names = [
            each.resource.name
            for each in found
            if each.verdict is not None and each.verdict.way == way and not is_zero(each)
        ]
        if names:
            yield condition, {"resource": ", ".join(dict.fromkeys(names))}
    claims = [each.claim for each in verdicts if each.claim is not None]
    left = [
        str(each.demand)
        for work in works
        if work.labels
        for each in work.labels.translation.kept
        if each.needed
    ]
    if left:
        yield "labelled", {"why": ", ".join(dict.fromkeys(left))}
    if any(entries(work.pod.node).get("priorityClassName") for work in works):
        yield "preempts", {}
    if any(claim.selectors or claim.preferred for claim in claims):
        yield "selects", {}
    profiles = list(dict.fromkeys(claim.profile for claim in claims if claim.profile))
    if profiles:
        yield "profile", {"why": ", ".join(profiles)}
    if any(pod_claims(work.pod) for work in works):
        yield "claims", {}
    if any(work.claims is not None and len(work.claims.mentions) > 1 for work in works):
        yield "containers", {}
    yield "plain", {}


def judged(true: Mapping[str, Mapping[str, str]]) -> tuple[Advice, tuple[str, ...]]:
    """The advice, and the reasons for it."""
    holding = [each for each in data()["workloads"] if each["when"] in true]
    advice: Advice = next(each["advice"] for each in holding if "advice" in each)
    told = [each for each in holding if each.get("advice", advice) == advice]
    return advice, tuple(each["text"].format(**true[each["when"]]) for each in told)


def _advised(found: Sequence[Found], works: Sequence[PodWork], ground: Ground) -> Workload:
    """The advice on one workload.

    found  its requests, at least one; works: its pods that have some
    """
    undecided = dict(_while_open(found, works, ground))
    true = undecided or dict(_once_decided(found, works))
    gate = next((name for work in works if (name := gate_of(work))), "")
    platform = _platform(found, works)
    if platform and "kept" not in true:
        true["platform"] = {"platform": platform}
    if gate and not undecided:
        true["alpha"] = {"gate": gate, "driver": f"driver {ground.options.target.dra_driver}"}
    advice, reasons = judged(true)
    outcomes = tuple(each.verdict.outcome for each in found if each.verdict is not None)
    first = min(found, key=lambda each: each.offset)
    line, _ = first.file.text.position(first.offset)
    ref = first.object.ref if first.object is not None else None
    return Workload(first.file.file.name, line, ref, advice, reasons, outcomes)


def _made_or_done(obj: KubeObject, found: Sequence[Found]) -> bool:
    """Whether the object is kept because something else makes it, or because it has ended."""
    kept = all(each.verdict is not None and each.verdict.outcome is Outcome.KEPT for each in found)
    return kept and not made_by_itself(obj)


def workloads(found: Sequence[Found], works: Sequence[PodWork], ground: Ground) -> list[Workload]:
    """The advice on every workload of a run, in the order of the text; all requests have their verdict.

    A workload is an object with requests, or a file whose requests stand in no object. What a controller made,
    or runs no more, is none.
    """
    pods: dict[KubeObject, list[PodWork]] = {}
    for work in works:
        pods.setdefault(work.pod.object, []).append(work)
    groups: dict[KubeObject | ParsedFile, list[Found]] = {}
    for each in found:
        groups.setdefault(each.object or each.file, []).append(each)
    return [
        _advised(each, pods.get(owner, []) if isinstance(owner, KubeObject) else [], ground)
        for owner, each in groups.items()
        if not (isinstance(owner, KubeObject) and _made_or_done(owner, each))
    ]
