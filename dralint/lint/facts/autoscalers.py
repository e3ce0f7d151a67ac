"""Autoscalers of workloads, and how many pods they always keep."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from dralint.kube.objects import KubeObject
from dralint.kube.quantity import parse_count
from dralint.kube.scalers import scaled, usual_group


def least(objects: Iterable[KubeObject]) -> Mapping[tuple[str, str, str], list[tuple[KubeObject, int]]]:
    """The least number of pods by group, kind and name of the target, with the autoscaler.

    An autoscaler without a number that can be read says nothing.
    """
    found: dict[tuple[str, str, str], list[tuple[KubeObject, int]]] = defaultdict(list)
    for obj in objects:
        target = scaled(obj) if not obj.template else None
        count = None if target is None or target.least is None else parse_count(target.least).value
        if target is None or target.name is None or count is None:
            continue
        group = usual_group() if target.group is None else target.group
        found[group, target.kind, target.name].append((obj, count))
    return found
