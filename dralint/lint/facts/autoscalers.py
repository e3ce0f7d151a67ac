"""Autoscalers of workloads, and how many pods they always keep."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from dralint.kube.objects import KubeObject
from dralint.kube.quantity import parse_count
from dralint.yamltext.view import get, string

# Group and kind, with the field for the least number of pods. Sources: kubernetes/api autoscaling/v2 types.go;
# kedacore/keda apis/keda/v1alpha1 scaledobject_types.go.
_KINDS = {
    ("autoscaling", "HorizontalPodAutoscaler"): "minReplicas",
    ("keda.sh", "ScaledObject"): "minReplicaCount",
}
# KEDA takes a target without a kind for a Deployment.
_DEPLOYMENT = ("apps/v1", "Deployment")


def least(objects: Iterable[KubeObject]) -> Mapping[tuple[str, str, str], list[tuple[KubeObject, int]]]:
    """The least number of pods by group, kind and name of the target, with the autoscaler.

    An autoscaler without a number that can be read says nothing.
    """
    found: dict[tuple[str, str, str], list[tuple[KubeObject, int]]] = defaultdict(list)
    for obj in objects:
        field = _KINDS.get((obj.group, obj.ref.kind or ""))
        if field is None or obj.template:
            continue
        target, number = get(obj.node, "spec", "scaleTargetRef"), get(obj.node, "spec", field)
        count = None if number is None else parse_count(number).value
        name = string(get(target, "name")) if target is not None else None
        if target is None or name is None or count is None:
            continue
        api = string(get(target, "apiVersion")) or _DEPLOYMENT[0]
        kind = string(get(target, "kind")) or _DEPLOYMENT[1]
        group = api.rpartition("/")[0]
        found[group, kind, name].append((obj, count))
    return found
