"""Subjects of ComputeDomains: `compute_domain`."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import TEMPLATE
from dralint.kube.objects import KubeObject
from dralint.kube.quantity import parse_count
from dralint.lint.facts.common import Surroundings
from dralint.lint.subject import Subject
from dralint.yamltext.view import Path, Plain, get, string

KINDS = frozenset({"compute_domain"})
_GROUP, _KIND = "resource.nvidia.com", "ComputeDomain"
_PCIE = "PCIe"
_NAME = ("spec", "channel", "resourceClaimTemplate", "name")


def _pcie_only(obj: KubeObject, around: Surroundings) -> bool:
    """Whether the inventory has GPUs, and all of them are PCIe cards."""
    inventory = around.run.inventory(obj.file)
    if inventory is None or inventory.catalogue:
        return False
    from dralint.nvidia.cards import card

    names = {
        name
        for device in inventory.devices
        if isinstance(name := device.attributes.get("productName", {}).get("string"), str)
    }
    found = [card(name) for name in names]
    return bool(found) and all(each is not None and each.form == _PCIE for each in found)


def _pods(around: Surroundings, name: str, namespace: str | None) -> tuple[int | None, list[KubeObject]]:
    """How many pods use the channel, None where that cannot be told, and the workloads they are of."""
    uses = around.users.of(TEMPLATE, name, namespace)
    numbers = [use.pod.replicas for use in uses.all]
    known = [number for number in numbers if number is not None]
    return (sum(known) if numbers and len(known) == len(numbers) else None), [*uses.workloads.values()]


def is_domain(obj: KubeObject) -> bool:
    """Whether the object is a ComputeDomain."""
    return (obj.group, obj.ref.kind) == (_GROUP, _KIND)


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The subject of a ComputeDomain."""
    if not is_domain(obj):
        return
    name, namespace = string(get(obj.node, *_NAME)), obj.ref.namespace
    number = get(obj.node, "spec", "numNodes")
    handmade = around.run.bundle.find(TEMPLATE, namespace, name) if name is not None else []
    pods, workloads = _pods(around, name, namespace) if name is not None else (None, [])
    anchors: dict[str, tuple[KubeObject, Path]] = {"template": (obj, (*obj.path, *_NAME))}
    for other in handmade[:1]:
        anchors["handmade"] = (other, (*other.path, "metadata", "name"))
    for index, other in enumerate(workloads):
        anchors[f"workload{index}"] = (other, other.path)
    facts: dict[str, Plain] = {
        "template": name,
        "number_of_nodes": None if number is None else parse_count(number).value,
        "channel_mode": string(get(obj.node, "spec", "channel", "allocationMode")),
        "handmade": bool(handmade),
        "pods": pods,
        "workloads": [f"{each.ref.kind} {each.ref.name}" for each in workloads],
        "pcie_only": _pcie_only(obj, around),
        "dns_names": around.run.target.driver_gate("IMEXDaemonsWithDNSNames"),
    }
    yield around.subject("compute_domain", obj, obj.path, facts, anchors)
