"""Subjects of resource names that are made from a DeviceClass's name: `class_resource`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dralint.kube.objects import KubeObject
from dralint.kube.places import containers, pod_specs
from dralint.lint.facts.common import Surroundings
from dralint.lint.subject import Subject
from dralint.yamltext.node import MAP, Node
from dralint.yamltext.view import Path, Plain, entries, get

KINDS = frozenset({"class_resource"})
_WORD = "deviceclass.resource."
_SIDE = r"(?:requests\.|limits\.)?"
# Names as people mix them: of the extended resource that a class has by itself, and of the quota on its devices.
_IMPLICIT = re.compile(rf"(?P<side>{_SIDE})deviceclass\.resource\.(?:k8s|kubernetes)\.io/(?P<name>[^/]+)\Z")
_DEVICES = re.compile(rf"{_SIDE}(?P<name>[^/]+)\.deviceclass\.resource\.(?:k8s|kubernetes)\.io/devices\Z")


def _right(name: str, place: str) -> tuple[str, str] | None:
    """The class that a name is made from, and how it is written in that place.

    Source: kubernetes/api resource/v1 types.go (ResourceDeviceClassPrefix), pkg/quota/v1/evaluator/core.
    """
    implicit, devices = _IMPLICIT.match(name), _DEVICES.match(name)
    match = implicit or devices
    if match is None:
        return None
    of = match["name"]
    if place == "container":
        return of, f"deviceclass.resource.kubernetes.io/{of}"
    if implicit is not None:
        return of, f"requests.deviceclass.resource.kubernetes.io/{of}"
    return of, f"{of}.deviceclass.resource.k8s.io/devices"


def _maps(obj: KubeObject) -> Iterator[tuple[str, Node, Path]]:
    """The mappings of resource names, with the kind of place they are."""
    if (obj.group, obj.ref.kind) == ("", "ResourceQuota"):
        hard = get(obj.node, "spec", "hard")
        if hard is not None:
            yield "quota", hard, (*obj.path, "spec", "hard")
        return
    for pod in pod_specs(obj):
        for container in containers(pod):
            for side in ("limits", "requests"):
                found = get(container.node, "resources", side)
                if found is not None:
                    yield "container", found, (*container.path, "resources", side)


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The names of an object's containers, or of a ResourceQuota."""
    if not obj.file.holds(_WORD.encode()):
        return
    for place, mapping, path in _maps(obj):
        for name in entries(mapping) if mapping.kind == MAP else ():
            found = _right(name, place) if _WORD in name else None
            if found is not None:
                facts: dict[str, Plain] = {
                    "place": place,
                    "name": name,
                    "device_class": found[0],
                    "right": found[1],
                }
                yield around.subject("class_resource", obj, (*path, name), facts)
