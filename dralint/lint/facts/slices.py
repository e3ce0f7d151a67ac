"""Subjects of a ResourceSlice: `slice`, `device`, `attribute` and `capacity`."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.objects import KubeObject
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.parts import SLICE, Part, devices
from dralint.lint.subject import Subject
from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, Plain, children, entries, get, plain, string

KINDS = frozenset({"slice", "device", "attribute", "capacity"})
_NODE_FIELDS = ("nodeName", "nodeSelector", "allNodes")
_LISTS = ("strings", "ints", "bools", "versions")
# Kinds of value of an attribute, and fields that make a device count double in a slice.
_KINDS_OF_VALUE = ("string", "int", "bool", "version", *_LISTS)
_HEAVY = ("taints", "consumesCounters")
# Before v1beta2 an empty nodeName and a false allNodes were the same as none.
_EMPTY_IS_NONE = ("v1alpha3", "v1beta1")


def _value(node: Node | None, key: str) -> Plain:
    """The scalar or whether something is there: None for null and absent."""
    found = get(node, key) if node is not None else None
    if found is None:
        return None
    return resolve(found) if found.kind == SCALAR else "(set)"


def _attributes(device: Node) -> dict[str, Node]:
    attributes = get(device, "attributes")
    if attributes is None or attributes.kind != MAP:
        return {}
    found = ((name, get(attributes, name)) for name in entries(attributes))
    return {name: node for name, node in found if node is not None and node.kind == MAP}


def _kinds(attribute: Node) -> list[str]:
    return [kind for kind in _KINDS_OF_VALUE if _value(attribute, kind) is not None]


def _heavy(device: Node) -> bool:
    """Whether a device has what halves the number of devices that a slice can hold."""
    return any(children(get(device, key)) for key in _HEAVY) or any(
        kind in _LISTS for attribute in _attributes(device).values() for kind in _kinds(attribute)
    )


def _node_fields(node: Node | None, obj: KubeObject) -> list[str]:
    """The fields that say on which nodes devices are; those that count as set."""
    values = {key: _value(node, key) for key in (*_NODE_FIELDS, "perDeviceNodeSelection")}
    lenient = obj.version in _EMPTY_IS_NONE
    return [key for key, value in values.items() if value is not None and not (lenient and not value)]


def _slice(obj: KubeObject, found: list[Part], around: Surroundings) -> Subject:
    spec = get(obj.node, "spec")
    terms = get(spec, "nodeSelector", "nodeSelectorTerms")
    placement = _node_fields(spec, obj)
    facts: dict[str, Plain] = {
        "placement": [*placement],
        "empty": [key for key in placement if _value(spec, key) in ("", False)],
        "terms": len(children(terms)) if "nodeSelector" in placement else None,
        "devices": len(children(get(spec, "devices"))),
        "heavy": any(_heavy(device.node) for device in found),
        "shared_counters": len(children(get(spec, "sharedCounters"))),
    }
    return around.subject("slice", obj, obj.path, facts)


def _texts(node: Node | None) -> list[str]:
    return [text for item in children(node) if (text := string(item)) is not None]


def _device(obj: KubeObject, device: Part, around: Surroundings) -> Subject:
    node = device.node
    attributes, capacity = _attributes(node), get(node, "capacity")
    capacities = len(entries(capacity)) if capacity is not None and capacity.kind == MAP else 0
    values = [
        max(len(children(get(attribute, kind))), 1)
        for attribute in attributes.values()
        for kind in _kinds(attribute)
    ]
    holder = get(obj.file.documents[obj.document].root, *device.path[: len(obj.path) + 3])
    facts: dict[str, Plain] = {
        "name": string(get(holder, "name")),
        "entries": len(attributes) + capacities,
        "values": sum(values),
        "node_fields": [*_node_fields(node, obj)],
        "per_device": _value(get(obj.node, "spec"), "perDeviceNodeSelection") is True,
        "binding_conditions": [*_texts(get(node, "bindingConditions"))],
        "binding_failure_conditions": [*_texts(get(node, "bindingFailureConditions"))],
    }
    return around.subject("device", obj, device.path, facts)


def _attribute(obj: KubeObject, name: str, node: Node, path: Path, around: Surroundings) -> Subject:
    found = _kinds(node)
    facts: dict[str, Plain] = {
        "name": name,
        "kinds": [*found],
        "empty_list": any(kind in _LISTS and not children(get(node, kind)) for kind in found),
    }
    return around.subject("attribute", obj, path, facts)


def _capacities(obj: KubeObject, device: Part, around: Surroundings) -> Iterator[Subject]:
    capacity = get(device.node, "capacity")
    for name in entries(capacity) if capacity is not None and capacity.kind == MAP else ():
        node = get(capacity, name)
        policy = get(node, "requestPolicy") if node is not None else None
        if policy is None or policy.kind != MAP:
            continue
        facts: dict[str, Plain] = {
            "name": name,
            "shareable": _value(device.node, "allowMultipleAllocations") is True,
            "value": _text(_value(node, "value")),
            "default": _text(_value(policy, "default")),
            "valid_values": [_text(plain(item)) for item in children(get(policy, "validValues"))],
            "valid_range": {
                key: _text(_value(get(policy, "validRange"), key)) for key in ("min", "max", "step")
            }
            if get(policy, "validRange") is not None
            else None,
        }
        yield around.subject("capacity", obj, (*device.path, "capacity", name), facts)


def _text(value: Plain) -> str | None:
    """A quantity as text; a number in YAML is one, too."""
    if value is None or isinstance(value, (list, dict)):
        return None
    return value if isinstance(value, str) else str(value)


def subjects(obj: KubeObject, kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The subjects of a ResourceSlice; nothing for other objects."""
    if obj.ref.kind != SLICE:
        return
    found = list(devices(obj))
    if "slice" in kinds:
        yield _slice(obj, found, around)
    for device in found:
        if "device" in kinds:
            yield _device(obj, device, around)
        if "attribute" in kinds:
            for name, node in _attributes(device.node).items():
                yield _attribute(obj, name, node, (*device.path, "attributes", name), around)
        if "capacity" in kinds:
            yield from _capacities(obj, device, around)
