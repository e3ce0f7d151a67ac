"""Subjects of resources that containers ask for by name: `pod_resource`, for all but Kubernetes' own names."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.formats import is_extended_resource_name
from dralint.kube.objects import KubeObject
from dralint.kube.places import Container, containers, pod_specs
from dralint.kube.quantity import parse_quantity
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.patched import is_patch
from dralint.lint.facts.placeholders import templated
from dralint.lint.subject import Subject
from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Plain, entries, get

KINDS = frozenset({"pod_resource"})
# k8s.io/kubernetes pkg/apis/core/helper: standardContainerResources; huge pages come in sizes.
_NATIVE = ("cpu", "memory", "ephemeral-storage")
_HUGE_PAGES = "hugepages-"
_PLACES = ("limits", "requests")


def _amount(node: Node | None) -> str | None:
    """The text of an amount; None where there is none, or none that can be read."""
    if node is None or node.kind != SCALAR:
        return None
    return None if resolve(node) is None else node.text


def _resource(container: Container, name: str, around: Surroundings) -> Subject:
    resources = get(container.node, "resources")
    limit, request = (_amount(get(resources, place, name)) for place in _PLACES)
    values = {text: parse_quantity(text) for text in (limit, request) if text is not None}
    numbers = [value.value for value in values.values() if value is not None]
    facts: dict[str, Plain] = {
        "name": name,
        "container": container.name,
        "domain": "/" in name,
        "extended": is_extended_resource_name(name),
        "limit": limit,
        "request": request,
        "whole": all(value is not None and value.whole is not None for value in values.values()),
        "equal": len(numbers) == len(values) and len(set(numbers)) <= 1,
        "templated": any(templated(text) for text in (name, limit, request)),
        "partial": get(container.node, "image") is None or is_patch(container.pod.object),
    }
    place = _PLACES[0] if limit is not None else _PLACES[1]
    return around.subject(
        "pod_resource", container.pod.object, (*container.path, "resources", place, name), facts
    )


def _names(container: Container) -> Iterator[str]:
    """The resource names of a container that are not Kubernetes' own, each once."""
    resources = get(container.node, "resources")
    seen = set(_NATIVE)
    for place in _PLACES if resources is not None else ():
        mapping = get(resources, place)
        for name in entries(mapping) if mapping is not None and mapping.kind == MAP else ():
            if name not in seen and not name.startswith(_HUGE_PAGES):
                seen.add(name)
                yield name


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The resources of the containers of an object's whole pod specs."""
    for pod in pod_specs(obj):
        if pod.schema == "full":
            for container in containers(pod):
                for name in _names(container):
                    yield _resource(container, name, around)
