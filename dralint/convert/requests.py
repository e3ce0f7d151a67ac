"""Decisions on single GPU requests: is the count one that can be taken over, are its devices whole?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dralint.convert.claims import CLAIMED
from dralint.convert.model import Outcome
from dralint.convert.occurrences import Found, Verdict
from dralint.convert.sharing.sharing import EXCLUSIVE, LAYOUT, choices, unit_verdict
from dralint.convert.verdicts import needs_decision
from dralint.convert.work import Ground, PodWork
from dralint.kube.quantity import Count
from dralint.nvidia.resources import PARTS


def count_of(found: Found) -> Count:
    """The count that the request states first: the limit, where there is one."""
    return found.read[0]


def is_zero(found: Found) -> bool:
    """Whether all that stands there is the number 0."""
    return all(count.exact and count.value == 0 for count in found.read)


def _count(found: Found) -> Verdict | None:
    """The verdict on a count that cannot be taken over."""
    for count in found.read:
        if not count.exact:
            advice = "write the number of devices as a whole number, or convert it by hand"
            if count.text is None:
                advice = "write the number of devices, or remove the line"
            return needs_decision(count.problem or "the count is not a whole number", advice)
    sides = {path[len(found.place)] for path in found.entries}
    if sides == {"requests"}:
        return needs_decision(
            "it stands in requests only, which the API server refuses for a GPU",
            "write it in limits, or remove it",
        )
    values = {count.value for count in found.read}
    if len(values) > 1:
        return needs_decision(
            "limits and requests name different counts, which the API server refuses for a GPU",
            "write the same count in both",
        )
    return None


def _resource(found: Found) -> Verdict | None:
    """The verdict on a resource that no claim of today's classes stands for."""
    resource = found.resource
    if resource.base == "pgpu":
        return Verdict(
            Outcome.UNSUPPORTED,
            "it passes a GPU through to a virtual machine",
            "write a claim of the class vfio.gpu.nvidia.com by hand",
        )
    if resource.base == "mig" and resource.profile is None:
        return needs_decision(
            "the name holds no MIG profile that the device plugin advertises", "correct the name"
        )
    return None


class _Beside(NamedTuple):
    """What a container asks for: a device of its own, and the first part of one."""

    whole: Found | None
    part: Found | None


def _beside(requests: Sequence[Found]) -> _Beside:
    asked = [found for found in requests if not is_zero(found)]
    return _Beside(
        next((found for found in asked if found.resource.base in CLAIMED), None),
        next((found for found in asked if found.resource.base in PARTS), None),
    )


def _cut(found: Found, ground: Ground) -> Verdict | None:
    """The verdict on a GPU that may be a MIG device: the options tell what is shared, and not the MIG strategy."""
    sign = ground.evidence.cut
    if sign is None or found.device.base != "gpu" or ground.options.cluster.tells_strategy:
        return None
    return needs_decision(
        f"one unit may not be a whole device: {sign.what} ({sign.place})",
        f"say the MIG strategy, too: flags.migStrategy in the file of --device-plugin-config; {EXCLUSIVE}",
    )


def _sharing(found: Found, beside: _Beside, work: PodWork | None, ground: Ground) -> Verdict | None:
    """The verdict on a request whose units may be parts of a device."""
    if found.resource.base in PARTS and beside.whole is None:
        return needs_decision(
            "it asks for a part of a GPU, and the container names no GPU of its own",
            "say how many GPUs the container gets, or keep it on the device plugin",
        )
    unit, verdict = unit_verdict(found, work, ground)
    if verdict is not None or ground.options.sharing == "exclusive":
        return verdict
    if found.resource.base in PARTS:
        return needs_decision("it asks for a part of a GPU, and claims hand out whole devices", EXCLUSIVE)
    if beside.part is not None:
        return needs_decision(f"{beside.part.resource.name} beside it asks for a part of the GPU", EXCLUSIVE)
    if unit is not None:
        return _cut(found, ground)
    if found.resource.shared:
        return needs_decision("the name says that the device is shared", choices(None))
    sign = ground.evidence.shared.get(found.resource.name)
    if sign is not None:
        why = f"one unit may not be a whole device: {sign.what} ({sign.place})"
        return needs_decision(why, choices(None) if sign.about == "shared" else f"{LAYOUT}; {EXCLUSIVE}")
    return None


def decide_alone(found: Found, beside: Sequence[Found], ground: Ground) -> Verdict | None:
    """The verdict on a request in no container that cannot be served as it stands; beside: all of its place."""
    if is_zero(found):
        return None
    return _resource(found) or _count(found) or _sharing(found, _beside(beside), None, ground)


def decide_requests(work: PodWork, ground: Ground) -> None:
    """Give verdicts to the requests of a pod that cannot be converted as they stand."""
    for index, requests in work.asked.items():
        beside = _beside(requests)
        for found in requests:
            if work.containers[index].group == "ephemeralContainers":
                found.verdict = needs_decision(
                    "an ephemeral container cannot have resources", "remove the request"
                )
            elif not is_zero(found):
                found.verdict = _resource(found) or _count(found) or _sharing(found, beside, work, ground)
