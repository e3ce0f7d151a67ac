"""Subjects of pod specs: `pod`, `pod_claim`, `container`, `container_claim`, and `name` of pod claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dralint.kube.dra import ContainerClaim
from dralint.kube.objects import KubeObject
from dralint.kube.places import Container, pod_specs
from dralint.lint.facts.claims import name_subject
from dralint.lint.facts.collectives import Evidence, evidence, in_group
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.device_plugin import gpu_requests
from dralint.lint.facts.placeholders import templated
from dralint.lint.facts.pods import Pod, mig_devices, resolved, takes_gpu
from dralint.lint.subject import Subject
from dralint.nvidia.nearest import nearest
from dralint.yamltext.view import Path, Plain

KINDS = frozenset({"pod", "pod_claim", "container", "container_claim", "name"})
# Names that take a device; gpumem and gpucores only say how much of one.
_DEVICES = ("gpu", "mig", "pgpu")
Anchors = dict[str, tuple[KubeObject, Path]]


def _pod_claim(pod: Pod, index: int, around: Surroundings) -> Subject:
    claim, resolution = pod.claims[index], pod.resolutions[index]
    by_name = claim.claim_name is not None
    field = "resourceClaimName" if by_name else "resourceClaimTemplateName"
    obj = pod.spec.object
    inner: Path = ("source", field) if claim.legacy_source else (field,)
    anchors: Anchors = {"reference": (obj, (*claim.path, *inner))}
    if resolution.elsewhere:
        other = resolution.elsewhere[0]
        anchors["elsewhere"] = (other, (*other.path, "metadata", "namespace"))
    if resolution.claims:
        anchors["claim"] = (resolution.claims[0].object, resolution.claims[0].path)
    # A number beside an autoscaler is the one to begin with; none switches the autoscaler off.
    place = pod.spec.place
    scales = place is None or bool(place.replicas)
    scaled = by_name and scales and not pod.spec.many and pod.spec.replicas != 0
    scaled_to = around.scaled_to(obj) if scaled else None
    facts: dict[str, Plain] = {
        "name": claim.name,
        "claim_name": claim.claim_name,
        "template_name": claim.template_name,
        "legacy_source": claim.legacy_source,
        "kind": "ResourceClaim" if by_name else "ResourceClaimTemplate",
        "reference": claim.claim_name if by_name else claim.template_name,
        "consumed": claim.name in pod.consumed,
        "elsewhere": [*sorted({other.ref.namespace or "" for other in resolution.elsewhere})],
        "scaled_to": scaled_to,
        "number": pod.facts["number"] if scaled_to is None else f"{scaled_to} or more pods",
        "files_read": around.resolver.files_read if resolution.state in ("missing", "elsewhere") else 0,
        "pod": pod.facts,
        "claim": pod.claim_facts(claim.name),
    }
    return around.subject("pod_claim", obj, claim.path, facts, anchors)


class _Group(NamedTuple):
    """The pods of an object that work together: their MIG devices, and the signs of NCCL in all of them."""

    devices: int = 0
    signs: tuple[Evidence, ...] = ()


def _container(pod: Pod, index: int, group: _Group, around: Surroundings) -> Subject:
    container, claims = pod.containers[index], pod.container_claims[index]
    gpus = gpu_requests(container)
    wanted = [pod.wanted(claim) for claim in claims]
    own_devices = sum(map(mig_devices, wanted))
    # A launcher without a GPU may be the one that starts the ranks.
    signs: Sequence[Evidence] = (evidence(container) or group.signs) if own_devices else ()
    obj = pod.spec.object
    anchors: Anchors = {}
    taken = next((gpu for gpu in gpus if gpu.number != 0 and gpu.resource.base in _DEVICES), None)
    if taken is not None:
        anchors["device_plugin"] = (obj, taken.paths[0])
    for number, sign in enumerate(signs):
        anchors[f"collective{number}"] = (obj, sign.path)
    mig = next((number for number, each in enumerate(wanted) if mig_devices(each)), None)
    if mig is not None:
        resolution = pod.resolution(claims[mig].name)
        if resolution.claims:
            anchors["mig_claim"] = (resolution.claims[0].object, resolution.claims[0].path)
    facts: dict[str, Plain] = {
        "name": container.name,
        "role": container.group,
        "sidecar": container.sidecar,
        "claims": [{"name": claim.name, "request": claim.request} for claim in claims],
        "gpu_claims": [
            claim.name for claim, needs in zip(claims, wanted, strict=True) if takes_gpu(needs) is True
        ],
        "mig_devices": own_devices,
        "group_mig_devices": max(group.devices, own_devices) if own_devices else 0,
        "collectives": [{"text": sign.text, "says": sign.says} for sign in signs],
        "device_plugin": [gpu.facts() for gpu in gpus],
        "gpus_beside": pod.gpus_beside(index) if taken is not None else [],
        "pod": pod.facts,
    }
    return around.subject("container", obj, container.path, facts, anchors)


def _container_claim(pod: Pod, container: Container, claim: ContainerClaim, around: Surroundings) -> Subject:
    resolution = pod.resolution(claim.name)
    names = pod.request_names(claim.name)
    known = not resolution.needs or any(pod.wanted(claim))
    anchors: Anchors = {}
    if resolution.claims:
        anchors["claim"] = (resolution.claims[0].object, resolution.claims[0].path)
    facts: dict[str, Plain] = {
        "name": claim.name,
        "request": claim.request,
        "templated": templated(claim.name) or templated(claim.request),
        "container": container.name,
        "role": container.group,
        "declared": claim.name in pod.declared,
        "nearest_claim": None
        if claim.name is None or claim.name in pod.declared
        else nearest(claim.name, pod.declared),
        "request_known": claim.request is None or known,
        "requests": [*names],
        "nearest_request": None if known or claim.request is None else nearest(claim.request, names),
        "pod": pod.facts,
        "claim": pod.claim_facts(claim.name),
    }
    return around.subject("container_claim", pod.spec.object, claim.path, facts, anchors)


def _of_pod(pod: Pod, kinds: frozenset[str], group: _Group, around: Surroundings) -> Iterator[Subject]:
    obj = pod.spec.object
    if "pod" in kinds:
        yield around.subject("pod", obj, pod.spec.path, {"claims_gpu": _claims_gpu(pod), **pod.facts})
    if "pod_claim" in kinds and pod.claims:
        for index in range(len(pod.claims)):
            yield _pod_claim(pod, index, around)
    if "name" in kinds:
        for claim in pod.claims:
            if claim.name is not None:
                yield name_subject("pod claim", claim.name, (*claim.path, "name"), obj, around)
    for index, container in enumerate(pod.containers):
        if "container" in kinds:
            yield _container(pod, index, group, around)
        if "container_claim" in kinds:
            for container_claim in pod.container_claims[index]:
                yield _container_claim(pod, container, container_claim, around)


def _claims_gpu(pod: Pod) -> bool:
    return any(takes_gpu(resolution.needs) is True for resolution in pod.resolutions)


def subjects(obj: KubeObject, kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The subjects of an object's pod specs."""
    pods = [resolved(spec, around.resolver) for spec in pod_specs(obj)]
    group = _Group()
    if "container" in kinds and in_group(obj):
        devices = sum(pod.mig_devices() * (pod.spec.replicas or 1) for pod in pods)
        containers = [each for pod in pods for each in pod.containers] if devices > 1 else []
        group = _Group(devices, tuple(sign for each in containers for sign in evidence(each)))
    for pod in pods:
        yield from _of_pod(pod, kinds, group, around)
