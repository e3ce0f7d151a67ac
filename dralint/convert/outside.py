"""Requests that stand in no container: whether a DeviceClass can serve their name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dralint.convert.around import location
from dralint.convert.by_name import stays
from dralint.convert.elsewhere import becomes_a_request, may_become_a_request, outside_pods
from dralint.convert.kustomize.kept_bases import kept_target
from dralint.convert.modes import fits_by_name, gate_verdict, with_gate
from dralint.convert.occurrences import Found, Verdict
from dralint.convert.refusals import leave, refusals
from dralint.convert.requests import decide_alone, is_zero
from dralint.convert.sharing.evidence import PodSign, pod_signs
from dralint.convert.standing import sign_verdict
from dralint.convert.verdicts import needs_decision
from dralint.convert.work import Ground
from dralint.kube.places import PodSpec
from dralint.yamltext.node import MAP
from dralint.yamltext.view import entries, get

_LOOKED_FOR = "an operator makes a pod's request of it, and may look for the old name"


def _may_stay(found: Found) -> bool:
    """Whether nothing in the object speaks against a request by name."""
    obj = found.object
    return obj is None or leave(refusals(obj, found.place), "extended-resource")


def _by_name(found: Found, ground: Ground) -> bool:
    """Whether the request stays, for a DeviceClass to serve it."""
    if not _may_stay(found):
        return False
    if ground.options.mode == "extended-resource":
        return may_become_a_request(found)
    kind = becomes_a_request(found)
    return kind is not None and fits_by_name(kind.schema, ground.options)


def _signs(found: Found) -> Iterator[PodSign]:
    """What node selectors beside the request, or around it, say."""
    obj = found.object
    if obj is None:
        return
    for length in range(len(found.place), len(obj.path), -1):
        path = found.place[:length]
        node = get(obj.file.documents[obj.document].root, *path)
        if node is not None and node.kind == MAP and entries(node).keys() & {"nodeSelector", "affinity"}:
            yield from pod_signs(PodSpec(obj, path, node, None, "unknown", None, None, None))


def _beside(found: Found, ground: Ground) -> Verdict | None:
    """The verdict on a request whose nodes have no whole devices to give."""
    for sign in _signs(found) if not is_zero(found) else ():
        verdict = sign_verdict(sign, found.file, [found], ground.options)
        if verdict is not None:
            return verdict
    return None


def _in_patch(found: Found, ground: Ground) -> Verdict | None:
    """The verdict on a request that is a value of a JSON patch in a file of its own."""
    place = ground.kustomizations.patched_by(found.file) if found.object is None and not found.next else None
    if place is None:
        return None
    kept = kept_target(location(found.file) or "", ground.kustomizations)
    if kept is not None:
        return kept
    reason = f"{place} applies the file as a patch, and dralint cannot convert it together with its base"
    return needs_decision(
        reason, "convert what the kustomization renders, or change the patch and its base by hand"
    )


def decide_outside(outside: Sequence[Found], ground: Ground) -> None:
    """Give verdicts to the requests of a file that stand in no container and have none."""
    waiting = [each for each in outside if each.verdict is None]
    for found in waiting:
        if not _by_name(found, ground):
            kind = becomes_a_request(found) if _may_stay(found) else None
            verdict = _in_patch(found, ground) or outside_pods(found)
            if kind is not None and ground.options.mode == "implicit":
                verdict = verdict._replace(reason=_LOOKED_FOR, next=f"use --mode auto, or {verdict.next}")
            found.verdict = verdict if kind is None else with_gate(verdict, kind.schema, ground.options)
    named = [each for each in waiting if each.verdict is None]
    for found in named:
        beside = [each for each in named if (each.document, each.place) == (found.document, found.place)]
        found.verdict = (
            gate_verdict("extended-resource", [found], ground.options)
            or decide_alone(found, beside, ground)
            or _beside(found, ground)
        )
    for found in named:
        found.verdict = found.verdict or stays(found, ground)
