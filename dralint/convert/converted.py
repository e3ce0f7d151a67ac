"""The verdicts on the requests of a pod that was converted, with the claims that take their places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dralint.convert.by_name import renamed_verdict, stays
from dralint.convert.claims import CLAIMED, PodClaims, device_class
from dralint.convert.following import followed
from dralint.convert.kustomize.count_told import with_patches
from dralint.convert.model import ClaimRef, Outcome
from dralint.convert.occurrences import Found, Verdict
from dralint.convert.requests import is_zero
from dralint.convert.verdicts import NOTHING
from dralint.convert.work import Ground, PodWork


def _claim_of(
    found: Found, index: int, claims: PodClaims, templates: Sequence[str], *, shared: bool
) -> ClaimRef | None:
    """The claims that hold the devices a container sees, the first with the others."""
    of_class = device_class(found.device)
    refs = []
    for share in claims.made.get((found.resource.name, index), ()):
        claim = claims.claims[share.claim]
        refs.append(
            ClaimRef(
                claim.name,
                templates[share.claim],
                of_class,
                share.devices,
                found.device.profile,
                selectors=share.choice.selectors,
                shared=shared,
                capacity=share.choice.capacity,
                preferred=share.choice.alternatives[:-1],
            )
        )
    return replace(refs[0], others=tuple(refs[1:])) if refs else None


def _taken_place(found: Found, work: PodWork) -> str:
    how = "the claim of all pods of the workload" if work.shared is not None else "a claim"
    because = f": {found.because}" if found.because else ""
    return f"{how} takes its place{because}{with_patches(work)}"


def converted(work: PodWork, templates: Sequence[str], ground: Ground) -> None:
    """The verdicts on the requests of a pod that was converted."""
    for index, requests in work.asked.items():
        for found in requests:
            if work.way == "extended-resource" and (found.resource.base in CLAIMED or is_zero(found)):
                found.verdict = stays(found, ground, work.why)
            elif is_zero(found):
                found.verdict = Verdict(Outcome.CONVERTED, NOTHING, way=work.way)
            elif found in work.renamed:
                verdict = renamed_verdict(found, work.renamed[found], ground)
                found.verdict = verdict._replace(reason=f"{verdict.reason}{with_patches(work)}")
            elif found.resource.base not in CLAIMED:
                holder = "claim" if work.way == "claims" else "request"
                found.verdict = Verdict(
                    Outcome.CONVERTED,
                    f"part of the whole GPU that the {holder} beside it holds",
                    way=work.way,
                )
            else:
                shared = work.shared is not None
                claim = (
                    _claim_of(found, index, work.claims, templates, shared=shared) if work.claims else None
                )
                found.verdict = Verdict(Outcome.CONVERTED, _taken_place(found, work), "", claim, "claims")
    followed(work)
