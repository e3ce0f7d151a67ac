"""What containers ask a device plugin for."""

from __future__ import annotations

from typing import NamedTuple

from dralint.kube.places import Container
from dralint.kube.quantity import parse_count
from dralint.nvidia.resources import GpuResource, classify
from dralint.yamltext.node import MAP, SCALAR, Node, deref
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, Plain, entries, get

_PLACES = ("limits", "requests")


class GpuRequest(NamedTuple):
    """One GPU resource of a container.

    number  of devices, None for what is no whole number
    paths   absolute, of the entry under limits and under requests, where they are there
    """

    resource: GpuResource
    number: int | None
    paths: tuple[Path, ...]

    def facts(self) -> dict[str, Plain]:
        name, base, profile, shared = self.resource
        return {"resource": name, "base": base, "profile": profile, "shared": shared, "count": self.number}


def _is_null(value: Node) -> bool:
    """Whether a number is null: it asks for nothing, and in a patch takes the request away."""
    node = deref(value)
    return node.kind == SCALAR and resolve(node) is None


def gpu_requests(container: Container) -> list[GpuRequest]:
    """The GPU resources of a container, each once."""
    resources = get(container.node, "resources")
    found: dict[str, list[str]] = {}
    for place in _PLACES if resources is not None else ():
        mapping = get(resources, place)
        for name, entry in entries(mapping).items() if mapping is not None and mapping.kind == MAP else ():
            if classify(name) is not None and not _is_null(entry.value):
                found.setdefault(name, []).append(place)
    requests = []
    for name, places in found.items():
        resource = classify(name)
        assert resource is not None
        paths = tuple((*container.path, "resources", place, name) for place in places)
        requests.append(GpuRequest(resource, parse_count(get(resources, places[0], name)).value, paths))
    return requests
