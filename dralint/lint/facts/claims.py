"""Subjects of DRA objects: `object`, `claim`, `request`, `reference` and `name`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from dralint.kube.dra import CLASS, FLAT_FIELDS, GROUP, ClaimSpec, Request
from dralint.kube.names import is_dns_label
from dralint.kube.objects import KubeObject
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.needs import Need, need_facts
from dralint.lint.facts.patched import is_patch
from dralint.lint.facts.placeholders import templated
from dralint.lint.subject import Subject
from dralint.nvidia.nearest import nearest
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP
from dralint.yamltext.view import Path, Plain, children, entries, get, string

KINDS = frozenset({"object", "claim", "request", "reference", "name"})
_DATA = os.path.join(os.path.dirname(__file__), "data", "classic.yaml")
_WORDS = {"ResourceClaim": "claim", "ResourceClaimTemplate": "template", "DeviceClass": "class"}
# Of longer lists, which no person writes, facts show the beginning.
_SHOWN = 100
# API versions that keep what a request asks for directly in it; all later ones have `exactly`.
_FLAT_VERSIONS = ("v1alpha3", "v1beta1")


@lru_cache(maxsize=1)
def _classic() -> Mapping[str, Any]:
    data: Any = load_data(_DATA)
    return dict(data)


def _classic_fields(obj: KubeObject) -> list[str]:
    fields = _classic()["fields"].get(obj.ref.kind, ()) if obj.group == GROUP else ()
    return [path for path in fields if get(obj.node, *path.split(".")) is not None]


def _object(obj: KubeObject, around: Surroundings) -> Subject:
    classic = _classic_fields(obj)
    anchors: dict[str, tuple[KubeObject, Path]] = {}
    if classic:
        anchors["classic"] = (obj, (*obj.path, *classic[0].split(".")))
    elif obj.group in _classic()["groups"]:
        anchors["classic"] = (obj, (*obj.path, "apiVersion"))
    facts: dict[str, Plain] = {
        "api": around.api_state(obj),
        "classic_parameters": obj.group in _classic()["groups"],
        "classic_fields": [*classic],
    }
    return around.subject("object", obj, obj.path, facts, anchors)


def _claim(spec: ClaimSpec, around: Surroundings) -> Subject:
    obj = spec.object
    facts: dict[str, Plain] = {
        "what": _WORDS[obj.ref.kind or ""],
        "inner_spec": spec.wrapped,
        "outer_devices": get(obj.node, "spec", "devices") is not None,
        "requests": [request.name for request in spec.requests],
        "constraints": len(spec.constraints),
        "configs": len(spec.configs),
        "extended_resource": spec.extended_resource_name,
    }
    return around.subject("claim", obj, obj.path, facts)


def flat_version(obj: KubeObject) -> bool:
    """Whether the object's API version has no `exactly`."""
    return obj.version in _FLAT_VERSIONS


def _request(spec: ClaimSpec, request: Request, need: Need, around: Surroundings) -> Subject:
    keys = entries(request.node)
    flat = [field for field in keys if field in FLAT_FIELDS]
    first_available = get(request.node, "firstAvailable")
    anchors: dict[str, tuple[KubeObject, Path]] = {}
    if flat:
        anchors["flat_field"] = (spec.object, (*request.path, flat[0]))
    facts: dict[str, Plain] = {
        "name": request.name,
        "flat_version": flat_version(spec.object),
        "flat_fields": [*flat],
        "exactly": _is_mapping(request, "exactly"),
        "first_available": "firstAvailable" in keys,
        "alternatives": [{"name": ask.name, "device_class": ask.device_class} for ask in request.subrequests],
        "device_class": request.device_class,
        "count": request.count,
        "mode": request.mode,
        "need": need_facts(need),
    }
    if first_available is not None and request.subrequests:
        anchors["alternatives"] = (spec.object, (*request.path, "firstAvailable"))
    return around.subject("request", spec.object, request.path, facts, anchors)


def _is_mapping(request: Request, key: str) -> bool:
    node = get(request.node, key)
    return node is not None and node.kind == MAP


def request_names(spec: ClaimSpec) -> list[str]:
    """What configs and constraints of the claim can name: requests, and their alternatives as request/name."""
    names: list[str] = []
    for request in spec.requests:
        if request.name is not None:
            names.append(request.name)
            names.extend(f"{request.name}/{ask.name}" for ask in request.subrequests if ask.name is not None)
    return names


def _meant(name: str, names: list[str]) -> str | None:
    """The request a wrong name was meant for: an alternative without its request, or a misspelling."""
    full = [each for each in names[:_SHOWN] if each.partition("/")[2] == name]
    return full[0] if len(full) == 1 else nearest(name, names)


def _references(spec: ClaimSpec, around: Surroundings) -> Iterator[Subject]:
    names = request_names(spec)
    if not names and is_patch(spec.object):
        return  # The requests are those of the claim that it changes.
    known = frozenset(names)
    users = [("config", each.path, each.node) for each in spec.configs]
    users += [("constraint", each.path, each.node) for each in spec.constraints]
    for what, path, node in users:
        for index, item in enumerate(children(get(node, "requests"))):
            name = string(item)
            if name is None:
                continue
            facts: dict[str, Plain] = {
                "what": what,
                "name": name,
                "known": name in known or templated(name),
                "nearest": None if name in known else _meant(name, names),
                "requests": [*names[:_SHOWN]],
            }
            yield around.subject("reference", spec.object, (*path, "requests", index), facts)


def _names(spec: ClaimSpec, around: Surroundings) -> Iterator[Subject]:
    for request in spec.requests:
        if request.name is not None:
            yield name_subject("request", request.name, (*request.path, "name"), spec.object, around)
        for ask in request.subrequests:
            if ask.name is not None:
                yield name_subject("alternative", ask.name, (*ask.path, "name"), spec.object, around)


def name_subject(what: str, name: str, path: Path, obj: KubeObject, around: Surroundings) -> Subject:
    """A name that must be a DNS label: of a request, an alternative of one, or a pod's claim."""
    facts: dict[str, Plain] = {
        "what": what,
        "value": name,
        "dns_label": is_dns_label(name),
        "templated": templated(name),
    }
    return around.subject("name", obj, path, facts)


def subjects(obj: KubeObject, kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The subjects of an object itself and, where it is a claim, a template or a class, of its parts."""
    if "object" in kinds:
        yield _object(obj, around)
    view = around.resolver.view(obj)
    if view is None:
        return
    spec = view.spec
    if "claim" in kinds:
        yield _claim(spec, around)
    if "request" in kinds:
        for request, need in zip(spec.requests, view.needs, strict=False):
            yield _request(spec, request, need, around)
    # The configs of a class name no requests; unknown-field says so.
    if "reference" in kinds and obj.ref.kind != CLASS:
        yield from _references(spec, around)
    if "name" in kinds:
        yield from _names(spec, around)
