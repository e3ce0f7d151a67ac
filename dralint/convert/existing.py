"""GPU claims that a pod has already: a limit beside one would ask for a device twice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from dralint.convert.requests import is_zero
from dralint.convert.work import PodWork
from dralint.kube.bundle import Bundle
from dralint.kube.dra import (
    CLAIM,
    CLASS,
    TEMPLATE,
    Ask,
    ClaimSpec,
    ContainerClaim,
    PodClaim,
    claim_spec,
    container_claims,
    pod_claims,
)
from dralint.kube.objects import ParsedFile, Whole
from dralint.nvidia.classes import device_classes, selected


class Held(NamedTuple):
    """A claim for a GPU that a container lists, and the object that asks for it."""

    listed: ContainerClaim
    spec: ClaimSpec


# A conversion looks at one file after the other.
@lru_cache(maxsize=2)
def _bundle(file: ParsedFile | Whole) -> Bundle:
    return Bundle([file] if isinstance(file, ParsedFile) else file.parts)


def of_file(file: ParsedFile) -> Bundle:
    """The objects of one file: what is edited depends on no others."""
    return _bundle(file.part_of or file)


def _resolved(claim: PodClaim, namespace: str | None, bundles: Sequence[Bundle]) -> list[ClaimSpec]:
    """The claims or templates that an entry of `resourceClaims` can mean, in the first bundle that has one."""
    kind, name = (
        (CLAIM, claim.claim_name) if claim.claim_name is not None else (TEMPLATE, claim.template_name)
    )
    for bundle in bundles if name is not None else ():
        specs = [claim_spec(obj) for obj in bundle.find(kind, namespace, name or "")]
        if specs:
            return [spec for spec in specs if spec is not None]
    return []


def _class_selectors(name: str, bundles: Sequence[Bundle]) -> list[str]:
    for bundle in bundles:
        for spec in map(claim_spec, bundle.find(CLASS, None, name)):
            if spec is not None:
                return [each.expression for each in spec.selectors if each.expression is not None]
    return []


def _takes_gpu(ask: Ask, bundles: Sequence[Bundle]) -> bool:
    known = device_classes().get(ask.device_class or "")
    if known is not None:
        return known.gpu
    own = [each.expression for each in ask.selectors if each.expression is not None]
    of_class = _class_selectors(ask.device_class, bundles) if ask.device_class else []
    said = selected([*of_class, *own])
    return any(
        each.gpu and each.driver == said.driver and said.type in (None, each.type)
        for each in device_classes().values()
    )


def gpu_claim(work: PodWork, bundles: Sequence[Bundle]) -> Held | None:
    """The GPU claim that a container lists beside a request that asks for a device.

    bundles: where claims, templates and classes are looked for, one after the other
    """
    claims = {claim.name: claim for claim in pod_claims(work.pod) if claim.name is not None}
    for index, requests in work.asked.items() if claims else ():
        if all(map(is_zero, requests)):
            continue
        for listed in container_claims(work.containers[index]):
            claim = claims.get(listed.name or "")
            found = _resolved(claim, work.pod.object.ref.namespace, bundles) if claim is not None else ()
            for spec in found:
                for request in spec.requests:
                    if listed.request in (None, request.name) and any(
                        _takes_gpu(ask, bundles) for ask in request.asks
                    ):
                        return Held(listed, spec)
    return None
