"""GPU claims that a pod has already: a limit beside one would ask for a device twice."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.convert.requests import is_zero
from dralint.convert.work import Ground, PodWork
from dralint.kube.dra import (
    CLAIM,
    CLASS,
    TEMPLATE,
    Ask,
    ClaimSpec,
    PodClaim,
    claim_spec,
    container_claims,
    pod_claims,
)
from dralint.kube.objects import KubeObject
from dralint.nvidia.classes import device_classes, selected


def _resolved(claim: PodClaim, obj: KubeObject, ground: Ground) -> Iterator[ClaimSpec]:
    """The claims or templates that an entry of `resourceClaims` can mean, those of its own file first."""
    kind, name = (
        (CLAIM, claim.claim_name) if claim.claim_name is not None else (TEMPLATE, claim.template_name)
    )
    if name is None:
        return
    for bundle in (ground.bundle, ground.context.bundle):
        found = bundle.find(kind, obj.ref.namespace, name)
        own = [each for each in found if each.file is obj.file]
        specs = [spec for spec in map(claim_spec, own or found) if spec is not None]
        if specs:
            yield from specs
            return


def _class_selectors(name: str, ground: Ground) -> list[str]:
    for bundle in (ground.bundle, ground.context.bundle):
        for spec in map(claim_spec, bundle.find(CLASS, None, name)):
            if spec is not None:
                return [each.expression for each in spec.selectors if each.expression is not None]
    return []


def _takes_gpu(ask: Ask, ground: Ground) -> bool:
    known = device_classes().get(ask.device_class or "")
    if known is not None:
        return known.gpu
    own = [each.expression for each in ask.selectors if each.expression is not None]
    of_class = _class_selectors(ask.device_class, ground) if ask.device_class else []
    said = selected([*of_class, *own])
    return any(
        each.gpu and each.driver == said.driver and said.type in (None, each.type)
        for each in device_classes().values()
    )


def gpu_claim(work: PodWork, ground: Ground) -> str | None:
    """The name of a GPU claim that a container lists beside a request that asks for a device."""
    claims = {claim.name: claim for claim in pod_claims(work.pod) if claim.name is not None}
    for index, requests in work.asked.items():
        if all(map(is_zero, requests)):
            continue
        for listed in container_claims(work.containers[index]):
            claim = claims.get(listed.name or "")
            for spec in _resolved(claim, work.pod.object, ground) if claim is not None else ():
                for request in spec.requests:
                    if listed.request in (None, request.name) and any(
                        _takes_gpu(ask, ground) for ask in request.asks
                    ):
                        return listed.name
    return None
