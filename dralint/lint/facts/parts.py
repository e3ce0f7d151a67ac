"""The parts of an object that data can name: the object, its claim, what a request asks for, devices, pods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dralint.kube.dra import CLASS, GROUP, Ask, ClaimSpec, Request
from dralint.kube.objects import KubeObject
from dralint.kube.places import PodSpec, containers, pod_specs
from dralint.lint.views import spec_of
from dralint.yamltext.node import MAP, Node
from dralint.yamltext.view import Path, children, get

SLICE = "ResourceSlice"
# Of longer lists, which the API server refuses for their length, the beginning is looked at: the longest that it takes
# are the 128 devices of a slice.
LOOKED_AT = 200


class Part(NamedTuple):
    """place: object, claim, ask, device, pod or container; path: absolute in the document."""

    place: str
    path: Path
    node: Node


def looked_at(spec: ClaimSpec) -> list[Request]:
    """The requests of a claim, so many of them at least as the API allows."""
    return spec.requests[:LOOKED_AT]


def asks(spec: ClaimSpec) -> Iterator[Ask]:
    """What the requests of a claim ask for, alternatives included."""
    for request in looked_at(spec):
        yield from request.asks[:LOOKED_AT]


def devices(obj: KubeObject) -> Iterator[Part]:
    """The devices of a slice; up to v1beta1 their fields stand under `basic`."""
    path: Path = (*obj.path, "spec", "devices")
    for index, item in enumerate(children(get(obj.node, "spec", "devices"))[:LOOKED_AT]):
        basic = get(item, "basic")
        if basic is not None and basic.kind == MAP:
            yield Part("device", (*path, index, "basic"), basic)
        elif item.kind == MAP:
            yield Part("device", (*path, index), item)


def claiming_pods(obj: KubeObject) -> Iterator[PodSpec]:
    """The whole pod specs of an object that have claims, or a container that lists one."""
    for pod in pod_specs(obj):
        if pod.schema == "full" and (
            get(pod.node, "resourceClaims") is not None
            or any(get(each.node, "resources", "claims") is not None for each in containers(pod))
        ):
            yield pod


def parts(obj: KubeObject) -> Iterator[Part]:
    """The parts of an object, in the order of the file as far as one holds the other."""
    if obj.group == GROUP:
        yield Part("object", obj.path, obj.node)
        if obj.ref.kind == SLICE:
            yield from devices(obj)
        spec = spec_of(obj)
        if spec is not None and spec.object.ref.kind != CLASS and spec.node is not None:
            yield Part("claim", spec.path, spec.node)
            yield from (Part("ask", ask.path, ask.node) for ask in asks(spec))
        return
    for pod in claiming_pods(obj):
        yield Part("pod", pod.path, pod.node)
        yield from (Part("container", each.path, each.node) for each in containers(pod))
