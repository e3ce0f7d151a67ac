"""Subjects of GPUs that KubeVirt gives to virtual machines: `vm_device`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from dralint.kube.devices import mappings
from dralint.kube.dra import pod_claims
from dralint.kube.objects import KubeObject
from dralint.kube.paths import steps
from dralint.kube.places import PodSpec
from dralint.lint.facts.common import Surroundings
from dralint.lint.subject import Subject
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP
from dralint.yamltext.view import Path, Plain, get, string

KINDS = frozenset({"vm_device"})
_DATA = os.path.join(os.path.dirname(__file__), "data", "virtual_machines.yaml")
Anchors = dict[str, tuple[KubeObject, Path]]


@cache
def _data() -> Any:
    return load_data(_DATA)


@cache
def _vgpu() -> re.Pattern[str]:
    return re.compile(_data()["vgpu"]["pattern"])


def _machine(obj: KubeObject) -> PodSpec | None:
    """The spec of a virtual machine, which lists claims as a pod does."""
    for entry in _data()["machines"]:
        if (entry["group"], entry["kind"]) == (obj.group, obj.ref.kind):
            path = steps(entry["path"])
            node = get(obj.node, *path)
            if node is not None and node.kind == MAP:
                return PodSpec(obj, (*obj.path, *path), node, None, "full", None, None, 1)
    return None


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The GPUs and host devices of a virtual machine."""
    machine = _machine(obj)
    if machine is None:
        return
    claims = {claim.name: claim for claim in pod_claims(machine)}
    for field in _data()["devices"]:
        below = ("domain", "devices", field)
        for path, node in mappings(get(machine.node, *below), (*machine.path, *below)):
            device, name = string(get(node, "deviceName")), string(get(node, "claimName"))
            request = string(get(node, "requestName"))
            claim = claims.get(name) if name is not None else None
            found = around.resolver.pod_claim(machine, claim) if claim is not None else None
            needs = [each for of_claim in found.needs for each in of_claim] if found else []
            taken = [each for each in needs if each.request == request]
            anchors: Anchors = {}
            if found and found.claims:
                anchors["claim"] = (found.claims[0].object, found.claims[0].path)
            facts: dict[str, Plain] = {
                "name": string(get(node, "name")),
                "device_name": device,
                "vgpu": device is not None and _vgpu().fullmatch(device) is not None,
                "claim_name": name,
                "request": request,
                "declared": name is None or claim is not None,
                "found": bool(taken),
                "count": min((each.number or 0 for each in taken), default=1),
                "requests": [*dict.fromkeys(each.request for each in needs if each.request)],
            }
            yield around.subject("vm_device", obj, path, facts, anchors)
