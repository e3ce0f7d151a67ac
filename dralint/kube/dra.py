"""Claims of resource.k8s.io in every API version, and the claims of pods.

The views never raise: what has the wrong shape (a string where a list belongs) is simply not there;
the schema rules say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from dralint.kube.devices import (
    FLAT_FIELDS,
    Ask,
    Config,
    Constraint,
    Form,
    Request,
    Selector,
    config_at,
    constraint_at,
    mappings,
    request_at,
    selectors_of,
)
from dralint.kube.objects import KubeObject
from dralint.kube.places import Container, PodSpec
from dralint.kube.versions import GROUP
from dralint.yamltext.node import MAP, Node
from dralint.yamltext.view import Path, entries, get, string

__all__ = [
    "CLAIM",
    "CLASS",
    "CLASSIC_FIELDS",
    "FLAT_FIELDS",
    "GROUP",
    "TEMPLATE",
    "Ask",
    "ClaimSpec",
    "Config",
    "Constraint",
    "ContainerClaim",
    "Form",
    "PodClaim",
    "Request",
    "Selector",
    "claim_spec",
    "container_claims",
    "pod_claims",
]

CLAIM, TEMPLATE, CLASS = "ResourceClaim", "ResourceClaimTemplate", "DeviceClass"
# Classic DRA: v1alpha2 claims name a driver's class and parameters object, v1alpha3 of 1.31 a controller.
CLASSIC_FIELDS = ("resourceClassName", "parametersRef", "allocationMode", "controller", "suitableNodes")


@dataclass(eq=False)
class ClaimSpec:
    """What a ResourceClaim, ResourceClaimTemplate or DeviceClass holds.

    template       it is a ResourceClaimTemplate
    path, node     of the mapping that holds `devices` (of a class: selectors and config); None where absent
    wrapped        the object has `spec.spec`, as a template must and a claim must not
    outer          of `spec` itself
    selectors      of a DeviceClass
    extended_resource_name  of a DeviceClass
    classic        fields of classic DRA with their paths
    """

    object: KubeObject
    template: bool
    path: Path
    node: Node | None
    wrapped: bool
    outer: Path
    requests: list[Request]
    constraints: list[Constraint]
    configs: list[Config]
    selectors: list[Selector]
    extended_resource_name: str | None
    classic: list[tuple[str, Path]]


def claim_spec(obj: KubeObject) -> ClaimSpec | None:
    """The view of a ResourceClaim, ResourceClaimTemplate or DeviceClass; None for other objects.

    A template without the inner `spec` and a claim with one are read as they were meant. An object is read
    once, however many ask.
    """
    if obj.ref.kind not in (CLAIM, TEMPLATE, CLASS) or obj.group != GROUP:
        return None
    spec = obj.read.get(claim_spec)
    if not isinstance(spec, ClaimSpec):
        spec = obj.read[claim_spec] = _claim_spec(obj)
    return spec


def _claim_spec(obj: KubeObject) -> ClaimSpec:
    template = obj.ref.kind == TEMPLATE
    outer: Path = (*obj.path, "spec")
    inner = get(obj.node, "spec", "spec")
    wrapped = inner is not None
    path = (*outer, "spec") if wrapped else outer
    node = inner if wrapped else get(obj.node, "spec")
    if node is not None and node.kind != MAP:
        node = None
    if obj.ref.kind == CLASS:
        holder, base = node, path
    else:
        holder, base = get(node, "devices"), (*path, "devices")
    if holder is not None and holder.kind != MAP:
        holder = None
    claim = holder if obj.ref.kind != CLASS else None
    return ClaimSpec(
        obj,
        template,
        path,
        node,
        wrapped,
        outer,
        [request_at(*item) for item in mappings(get(claim, "requests"), (*base, "requests"))],
        [constraint_at(*item) for item in mappings(get(claim, "constraints"), (*base, "constraints"))],
        [config_at(*item) for item in mappings(get(holder, "config"), (*base, "config"))],
        selectors_of(holder, base) if holder is not None and obj.ref.kind == CLASS else [],
        string(get(node, "extendedResourceName")) if obj.ref.kind == CLASS else None,
        [(field, (*path, field)) for field in CLASSIC_FIELDS if node is not None and field in entries(node)],
    )


class PodClaim(NamedTuple):
    """An entry of a pod's `resourceClaims`.

    legacy_source: the names stand under `source`, as before Kubernetes 1.31; they are read from there
    """

    path: Path
    node: Node
    name: str | None
    claim_name: str | None
    template_name: str | None
    legacy_source: bool


def pod_claims(pod: PodSpec) -> list[PodClaim]:
    """The pod's claims in file order."""
    found = []
    for path, node in mappings(get(pod.node, "resourceClaims"), (*pod.path, "resourceClaims")):
        legacy = get(node, "source")
        source = node if legacy is None else legacy
        found.append(
            PodClaim(
                path,
                node,
                string(get(node, "name")),
                string(get(source, "resourceClaimName")) or string(get(node, "resourceClaimName")),
                string(get(source, "resourceClaimTemplateName"))
                or string(get(node, "resourceClaimTemplateName")),
                legacy is not None,
            )
        )
    return found


class ContainerClaim(NamedTuple):
    """An entry of a container's `resources.claims`; request: None means all of the claim's requests."""

    path: Path
    node: Node
    name: str | None
    request: str | None


def container_claims(container: Container) -> list[ContainerClaim]:
    """The claims a container uses, in file order."""
    items = mappings(get(container.node, "resources", "claims"), (*container.path, "resources", "claims"))
    return [
        ContainerClaim(path, node, string(get(node, "name")), string(get(node, "request")))
        for path, node in items
    ]
