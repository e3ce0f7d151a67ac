"""Subjects of what claims ask for: `ask`, `selector_entry`, `toleration` and `constraint`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from dralint.kube.dra import CLASS, Ask, ClaimSpec, Constraint, Request
from dralint.kube.objects import KubeObject
from dralint.kube.versions import Version
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.parts import LOOKED_AT, looked_at
from dralint.lint.facts.placeholders import templated
from dralint.lint.subject import Subject
from dralint.lint.views import spec_of
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, Plain, children, entries, get, string

KINDS = frozenset({"ask", "selector_entry", "toleration", "constraint"})
_DATA = os.path.join(os.path.dirname(__file__), "data", "admin_access.yaml")
_NAMESPACE = "Namespace"
Anchors = dict[str, tuple[KubeObject, Path]]


class _Label(NamedTuple):
    since: Version
    key: str
    value: str


@lru_cache(maxsize=1)
def _labels() -> list[_Label]:
    data: Any = load_data(_DATA)
    return [_Label(Version(each["since"]), each["key"], each["value"]) for each in data["labels"]]


def _written(node: Node, key: str) -> bool:
    """Whether a mapping has a value that is not null."""
    found = get(node, key)
    return found is not None and not (found.kind == SCALAR and resolve(found) is None)


def _label_state(namespace: KubeObject, wanted: _Label) -> tuple[str, Path | None]:
    """State of the label and where what is wrong with it stands."""
    labels = get(namespace.node, "metadata", "labels")
    path: Path = (*namespace.path, "metadata", "labels")
    if labels is None or labels.kind != MAP:
        return "absent", None
    if wanted.key in entries(labels):
        # A value that is no string is refused with the Namespace.
        value = get(labels, wanted.key)
        text = value.text if value is not None else None
        right = text == wanted.value or templated(text)
        return ("right" if right else "value"), (*path, wanted.key)
    others = {each.key for each in _labels()} - {wanted.key}
    other = next((key for key in entries(labels) if key in others), None)
    return ("absent", None) if other is None else ("key", (*path, other))


def _admin_label(obj: KubeObject, around: Surroundings) -> tuple[str, str, Path | None, KubeObject | None]:
    """The label key that the target wants, the state of the namespace's, and where it stands."""
    run = around.run
    asked = [each for each in _labels() if each.since <= run.target.kubernetes]
    name = obj.ref.namespace
    if not asked or name is None or templated(name):
        return "", "unknown", None, None
    wanted = asked[-1]
    found = run.bundle.find(_NAMESPACE, None, name, "") or run.context.bundle.find(_NAMESPACE, None, name, "")
    states = [(each, *_label_state(each, wanted)) for each in found]
    if not states:
        return wanted.key, "unknown", None, None
    namespace, state, path = next((each for each in states if each[1] == "right"), states[0])
    return wanted.key, state, path, namespace


def _ask(spec: ClaimSpec, request: Request, ask: Ask, around: Surroundings) -> Subject:
    obj = spec.object
    anchors: Anchors = {"admin_label": (obj, (*ask.path, "adminAccess"))}
    key, state = "", "unknown"
    if ask.admin_access:
        key, state, path, namespace = _admin_label(obj, around)
        if path is not None and namespace is not None:
            anchors["admin_label"] = (namespace, path)
    facts: dict[str, Plain] = {
        "request": request.name,
        "alternative": ask is not request.ask,
        "name": ask.name,
        "device_class": ask.device_class,
        "mode": ask.mode,
        "count": ask.count,
        "admin_access": ask.admin_access,
        "admin_access_written": _written(ask.node, "adminAccess"),
        "admin_gate": around.run.target.kubernetes_gate("DRAAdminAccess"),
        "admin_label": {"key": key, "state": state},
    }
    return around.subject("ask", obj, ask.path, facts, anchors)


def _selectors(obj: KubeObject, node: Node, path: Path, around: Surroundings) -> Iterator[Subject]:
    for index, item in enumerate(children(get(node, "selectors"))[:LOOKED_AT]):
        if item.kind != MAP:
            continue
        cel = get(item, "cel")
        is_mapping = cel is not None and cel.kind == MAP
        facts: dict[str, Plain] = {
            "cel": is_mapping,
            "bare": string(cel),
            "expression": string(get(cel, "expression")) if is_mapping else None,
            "misplaced": _written(item, "expression"),
            "cel_fields": [key for key in entries(cel) if _written(cel, key)] if cel and is_mapping else [],
        }
        yield around.subject("selector_entry", obj, (*path, "selectors", index), facts)


def _tolerations(obj: KubeObject, ask: Ask, around: Surroundings) -> Iterator[Subject]:
    for index, item in enumerate(children(get(ask.node, "tolerations"))[:LOOKED_AT]):
        if item.kind == MAP:
            facts: dict[str, Plain] = {
                key: string(get(item, key)) for key in ("key", "operator", "value", "effect")
            }
            yield around.subject("toleration", obj, (*ask.path, "tolerations", index), facts)


def _constraint(obj: KubeObject, constraint: Constraint, around: Surroundings) -> Subject:
    facts: dict[str, Plain] = {
        "requests": [*(constraint.requests or ())],
        "match": constraint.match_attribute,
        "distinct": constraint.distinct_attribute,
        "attributes": [
            key for key in ("matchAttribute", "distinctAttribute") if _written(constraint.node, key)
        ],
    }
    return around.subject("constraint", obj, constraint.path, facts)


def subjects(obj: KubeObject, kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The subjects of a claim's requests and constraints; of a class its selectors."""
    spec = spec_of(obj)
    if spec is None:
        return
    if obj.ref.kind == CLASS:
        if "selector_entry" in kinds and spec.node is not None:
            yield from _selectors(obj, spec.node, spec.path, around)
        return
    for request in looked_at(spec):
        for ask in request.asks[:LOOKED_AT]:
            if "ask" in kinds:
                yield _ask(spec, request, ask, around)
            if "selector_entry" in kinds:
                yield from _selectors(obj, ask.node, ask.path, around)
            if "toleration" in kinds:
                yield from _tolerations(obj, ask, around)
    if "constraint" in kinds:
        for constraint in spec.constraints[:LOOKED_AT]:
            yield _constraint(obj, constraint, around)
