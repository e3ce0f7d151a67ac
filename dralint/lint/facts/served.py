"""Subjects of operators that make claims themselves: `nim_service`, `nim_resource` and `managed_dra` (KServe)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dralint.kube.devices import mappings
from dralint.kube.objects import KubeObject
from dralint.kube.paths import follow, steps
from dralint.kube.places import containers, pod_specs
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.device_plugin import gpu_requests
from dralint.lint.subject import Subject
from dralint.nvidia.resources import classify
from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, Plain, children, entries, get, string

KINDS = frozenset({"nim_service", "nim_resource", "managed_dra"})
Anchors = dict[str, tuple[KubeObject, Path]]
# Where NVIDIA's NIM operator has the spec of a service. Source: k8s-nim-operator, api/apps/v1alpha1.
_SERVICES = {
    ("apps.nvidia.com", "NIMService"): "spec",
    ("apps.nvidia.com", "NIMPipeline"): "spec.services[].spec",
}
_WAYS = ("resourceClaimName", "resourceClaimTemplateName", "claimCreationSpec")
_PREFIX = "serving.kserve.io/exp-dra-"
_SHOWN = 20


class _Service(NamedTuple):
    node: Node
    path: Path


def _services(obj: KubeObject) -> Iterator[_Service]:
    place = _SERVICES.get((obj.group, obj.ref.kind or ""))
    for match in follow(obj.node, steps(place)) if place is not None else ():
        if match.node.kind == MAP:
            yield _Service(match.node, (*obj.path, *match.path))


def _plugin_names(service: _Service) -> dict[str, Path]:
    """GPU resources that the service asks for by name."""
    found: dict[str, Path] = {}
    for place in ("limits", "requests"):
        resources = get(service.node, "resources", place)
        for name in entries(resources) if resources is not None and resources.kind == MAP else ():
            if classify(name) is not None:
                found.setdefault(name, (*service.path, "resources", place, name))
    return found


def _many(service: _Service) -> bool:
    """Whether there are, or can be, several pods."""
    replicas = get(service.node, "replicas")
    number = resolve(replicas) if replicas is not None and replicas.kind == SCALAR else 1
    scaled = get(service.node, "scale", "enabled")
    return (isinstance(number, int) and number > 1) or (
        scaled is not None and scaled.kind == SCALAR and resolve(scaled) is True
    )


def _of_service(
    obj: KubeObject, service: _Service, kinds: frozenset[str], around: Surroundings
) -> Iterator[Subject]:
    resources = mappings(get(service.node, "draResources"), (*service.path, "draResources"))
    names = _plugin_names(service)
    domain = get(service.node, "multiNode", "computeDomain")
    if "nim_service" in kinds:
        anchors: Anchors = {"claims": (obj, (*service.path, "resources", "claims"))}
        for path in [*names.values()][:1]:
            anchors["device_plugin"] = (obj, path)
        claim_names = [string(get(node, _WAYS[0])) for _, node in resources]
        facts: dict[str, Plain] = {
            "dra_resources": len(resources),
            "device_plugin": [*names],
            "claims": len(children(get(service.node, "resources", "claims"))),
            "many": _many(service),
            "claim_names": [name for name in claim_names[:_SHOWN] if name is not None],
            "domain": [] if domain is None or domain.kind != MAP else [*entries(domain)],
        }
        yield around.subject("nim_service", obj, service.path, facts, anchors)
    for path, node in resources if "nim_resource" in kinds else ():
        made = get(node, "claimCreationSpec")
        facts = {
            "ways": [way for way in _WAYS if get(node, way) is not None],
            "claim_name": string(get(node, _WAYS[0])),
            "generate_name": string(get(made, "generateName")),
            "devices": len(children(get(made, "devices"))),
            "many": _many(service),
        }
        yield around.subject("nim_resource", obj, path, facts)


def _managed(obj: KubeObject, around: Surroundings) -> Subject | None:
    annotations = get(obj.node, "metadata", "annotations")
    if annotations is None or annotations.kind != MAP:
        return None
    given = {
        key.removeprefix(_PREFIX): value.text if (value := get(annotations, key)) is not None else ""
        for key in entries(annotations)
        if key.startswith(_PREFIX)
    }
    if not given:
        return None
    path: Path = (*obj.path, "metadata", "annotations")
    anchors: Anchors = {f"{name}": (obj, (*path, f"{_PREFIX}{name}")) for name in given}
    pods = pod_specs(obj)
    plugin = [
        (request.resource.name, request.paths[0])
        for pod in pods
        for container in containers(pod)
        for request in gpu_requests(container)
        if request.number != 0
    ]
    reserved = [
        place
        for pod in pods
        for place, claim in mappings(get(pod.node, "resourceClaims"), (*pod.path, "resourceClaims"))
        if string(get(claim, "name")) == "managed-device"
    ]
    for _, place in plugin[:1]:
        anchors["device_plugin"] = (obj, place)
    for place in reserved[:1]:
        anchors["reserved"] = (obj, (*place, "name"))
    anchors["first"] = (obj, (*path, f"{_PREFIX}{next(iter(given))}"))
    facts: dict[str, Plain] = {
        "given": [*given],
        "device_class": given.get("device-class"),
        "device_count": given.get("device-count"),
        "cel_selector": given.get("cel-selector"),
        "container_name": given.get("container-name"),
        "device_plugin": [*dict.fromkeys(name for name, _ in plugin)],
        "reserved": bool(reserved),
    }
    return around.subject("managed_dra", obj, path, facts, anchors)


def subjects(obj: KubeObject, kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The services of a NIMService or NIMPipeline, and an LLMInferenceService's managed claim."""
    if obj.group == "apps.nvidia.com":
        for service in _services(obj):
            yield from _of_service(obj, service, kinds, around)
    elif "managed_dra" in kinds and obj.group == "serving.kserve.io":
        found = _managed(obj, around)
        if found is not None:
            yield found
