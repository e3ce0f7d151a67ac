"""What needs a feature gate of Kubernetes: `kubernetes_gate_use`, one for each gate and file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from dralint.kube.dra import CLASS, GROUP
from dralint.kube.objects import KubeObject
from dralint.kube.paths import follow, steps
from dralint.kube.places import containers, pod_specs
from dralint.kube.versions import Version, gate_default, gates
from dralint.lint.facts.common import Surroundings, namespaces
from dralint.lint.facts.parts import Part, looked_at, parts
from dralint.lint.subject import Subject
from dralint.yamltext.load import load_data
from dralint.yamltext.node import SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, Plain, get

KINDS = frozenset({"kubernetes_gate_use"})
_DATA = os.path.join(os.path.dirname(__file__), "data", "gated.yaml")
_AMOUNTS = "amounts"
_STAGES = {"beta-off": "beta", "ga": "stable", "locked": "stable"}


class _Field(NamedTuple):
    """A field that needs the gate; only: the value that counts; prefix: of the last key."""

    place: str
    path: tuple[str, ...]
    kind: str | None
    only: Plain
    prefix: str


class _Gated(NamedTuple):
    gate: str
    kind: str | None
    fields: tuple[_Field, ...]
    effect: str
    components: tuple[str, ...]


class _Use(NamedTuple):
    object: KubeObject
    path: Path
    name: str


@lru_cache(maxsize=1)
def _gated() -> Sequence[_Gated]:
    data: Any = load_data(_DATA)
    return [
        _Gated(
            entry["gate"],
            entry.get("kind"),
            tuple(
                _Field(
                    each["place"],
                    steps(each["path"]),
                    each.get("kind"),
                    each.get("only"),
                    each.get("prefix", ""),
                )
                for each in entry.get("fields", ())
            ),
            entry["effect"],
            tuple(entry["components"]),
        )
        for entry in data["gated"]
    ]


def _places(obj: KubeObject, around: Surroundings) -> Iterator[Part]:
    """The places that fields are looked for in."""
    if obj.group == GROUP:
        yield from parts(obj)
        view = around.resolver.view(obj)
        if view is not None and obj.ref.kind != CLASS:
            yield from (Part("request", each.path, each.node) for each in looked_at(view.spec))
        return
    for pod in pod_specs(obj):
        for container in containers(pod) if pod.schema == "full" else ():
            for key in ("limits", "requests"):
                node = get(container.node, "resources", key)
                if node is not None:
                    yield Part(_AMOUNTS, (*container.path, "resources", key), node)


def _counts(node: Node, only: Plain) -> bool:
    value = resolve(node) if node.kind == SCALAR else node
    return value is not None and (only is None or value == only)


def _found(gated: _Gated, obj: KubeObject, places: Iterable[Part]) -> Iterator[_Use]:
    if gated.kind is not None:
        if obj.group == GROUP and obj.ref.kind == gated.kind:
            yield _Use(obj, (*obj.path, "kind"), gated.kind)
        return
    for part in places:
        for field in gated.fields:
            if field.place != part.place or field.kind not in (None, obj.ref.kind):
                continue
            for match in follow(part.node, field.path):
                name = str(match.path[-1])
                if name.startswith(field.prefix) and _counts(match.node, field.only):
                    yield _Use(obj, (*part.path, *match.path), name)


def _later(name: str, version: Version) -> str | None:
    """The first later release that has the gate on by default."""
    stages = gates()[name].stages
    on = (since for since, _ in stages if since > version and gate_default(name, since))
    return next((str(since) for since in on), None)


def _subject(gated: _Gated, uses: Sequence[_Use], around: Surroundings) -> Subject:
    target, first, name = around.run.target, uses[0], gated.gate
    stage = gates()[name].stage(target.kubernetes)
    more = len(uses) - 1
    places = "place" if more == 1 else "places"
    facts: dict[str, Plain] = {
        "gate": name,
        "field": first.name,
        "uses": len(uses),
        "namespaces": namespaces(use.object for use in uses),
        "more": f" (and in {more} more {places} of this file)" if more else "",
        "effect": gated.effect,
        "components": [*gated.components],
        "stage": None if stage is None else _STAGES.get(stage, stage),
        "since": str(gates()[name].stages[0][0]),
        "on": target.kubernetes_gate(name),
        "default": gate_default(name, target.kubernetes),
        "default_on_since": _later(name, target.kubernetes),
        "set": target.gate_set("kubernetes", name),
    }
    return around.subject("kubernetes_gate_use", first.object, first.path, facts)


def file_subjects(objects: Iterable[KubeObject], around: Surroundings) -> Iterator[Subject]:
    """One subject for each gate that a file's objects need and the target knows, at the first that needs it."""
    target = around.run.target
    known = [each for each in _gated() if target.kubernetes_gate(each.gate) is not None]
    uses: dict[str, list[_Use]] = {}
    for obj in objects:
        if get(obj.node, "metadata", "uid") is not None:
            # Read from a cluster: what it has, the API server has kept.
            continue
        places = list(_places(obj, around))
        for gated in known:
            uses.setdefault(gated.gate, []).extend(_found(gated, obj, places))
    for gated in known:
        if uses.get(gated.gate):
            yield _subject(gated, uses[gated.gate], around)
