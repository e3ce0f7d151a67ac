"""The toleration that nodes with GPUs ask for, which requests by resource name used to get by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dralint.convert.inherited import scheduling_field
from dralint.kube.places import PodSpec
from dralint.yamltext.node import MAP, Node
from dralint.yamltext.view import Plain, children, get, plain, string

if TYPE_CHECKING:  # check reads pods and converts none
    from dralint.convert.work import PodWork

# Far above any toleration.
_MAX_NODES = 1000

# What the admission plugin ExtendedResourceToleration adds for the resource nvidia.com/gpu.
# Source: kubernetes, plugin/pkg/admission/extendedresourcetoleration.
TOLERATION: Mapping[str, str] = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}


def _covers(toleration: Node) -> bool:
    """Whether it tolerates the taint whatever the taint's value is, as the one to be written does.

    One with `Equal` tolerates a single value, and which one the nodes have is not known here.
    """
    key, effect = string(get(toleration, "key")), string(get(toleration, "effect"))
    return (
        string(get(toleration, "operator")) == "Exists"
        and (key or "") in ("", TOLERATION["key"])
        and (effect or "") in ("", TOLERATION["effect"])
    )


def has_toleration(tolerations: Node | None) -> bool:
    """Whether the taint nvidia.com/gpu with the effect NoSchedule is among those that a list tolerates."""
    return any(each.kind == MAP and _covers(each) for each in children(tolerations))


def tolerated(pod: PodSpec) -> bool:
    """Whether a pod tolerates the taint nvidia.com/gpu with the effect NoSchedule."""
    tolerations, _ = scheduling_field(pod, "tolerations")
    return has_toleration(tolerations)


def adds_toleration(work: PodWork) -> bool:
    """Whether the pod gets a toleration: one that goes on asking by the old name does not need it.

    A kind without a whole pod spec (Knative's) may refuse tolerations.
    """
    return work.way == "claims" or (work.way == "implicit" and work.pod.schema != "narrow")


def added_tolerations(pod: PodSpec) -> list[Plain]:
    """What to add to the pod spec's own list: one that would no longer be inherited is copied."""
    tolerations, inherited = scheduling_field(pod, "tolerations")
    kept = [plain(each, _MAX_NODES) for each in children(tolerations)] if inherited else []
    return [*kept, dict(TOLERATION)]
