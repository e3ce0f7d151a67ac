"""What operators that read the number of GPUs from limits make of claims."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from dralint.kube.paths import follow, steps
from dralint.lint.facts.device_plugin import GpuRequest, gpu_requests
from dralint.lint.facts.needs import Need
from dralint.lint.facts.pods import Pod, takes_gpu
from dralint.yamltext.load import load_data
from dralint.yamltext.view import Path, get, string

_DATA = os.path.join(os.path.dirname(__file__), "data", "operators.yaml")


@lru_cache(maxsize=1)
def _data() -> Any:
    return load_data(_DATA)


def devices_of(candidates: Sequence[Sequence[Need]]) -> int | None:
    """The GPU devices that a claim gives, if that is the same whichever candidate it is."""
    counts = set()
    for needs in candidates:
        taken = [need for need in needs if need.gpu is not False and not need.admin]
        if any(need.gpu is None or need.number is None for need in taken):
            return None
        counts.add(sum(need.number or 0 for need in taken))
    return counts.pop() if len(counts) == 1 else None


class Counting(NamedTuple):
    """What an operator makes of limits without GPUs, and the field that could tell it the number.

    devices  that the claims give to what it counts; None: not known
    """

    says: str
    field: Path
    devices: int | None


def _of_ray(pod: Pod, field: Path) -> Counting | None:
    """KubeRay's count: it reads the limits of the first container, which is Ray, and of no other."""
    obj = pod.spec.object
    root = obj.file.documents[obj.document].root
    first = next((index for index, each in enumerate(pod.containers) if each.group == "containers"), None)
    if first is None or get(root, *field):
        return None
    if any(request.number != 0 for request in gpu_requests(pod.containers[first])):
        return None
    wanted = [pod.wanted(claim) for claim in pod.container_claims[first]]
    numbers = [devices_of(needs) for needs in wanted if takes_gpu(needs) is True]
    if not numbers:
        return None
    known = [number for number in numbers if number is not None]
    return Counting(_data()["ray_says"], field, sum(known) if len(known) == len(numbers) else None)


def counted(pod: Pod, requests: Sequence[GpuRequest], devices: int | None) -> Counting | None:
    """The operator's count, where it goes wrong without GPUs in the limits.

    requests  of the pod to the device plugin; devices: that its claims give, None: not known
    """
    obj = pod.spec.object
    if pod.partial:
        return None
    if pod.spec.gpu_count is not None:
        return _of_ray(pod, pod.spec.gpu_count)
    if requests:
        return None
    for entry in _data()["counting"]:
        if (entry["group"], entry["kind"]) != (obj.group, obj.ref.kind):
            continue
        if "unless" in entry and next(follow(obj.node, steps(entry["unless"])), None) is not None:
            continue
        found = next(follow(obj.node, steps(entry["if"])), None)
        if found is not None and ("values" not in entry or string(found.node) in entry["values"]):
            return Counting(entry["says"], (*obj.path, *steps(entry["field"])), devices)
    return None
