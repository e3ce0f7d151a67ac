"""The toleration that nodes with GPUs ask for, which requests by resource name used to get by themselves."""

from __future__ import annotations

from collections.abc import Mapping

from dralint.yamltext.node import MAP, Node
from dralint.yamltext.view import children, get, string

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


def tolerated(pod: Node) -> bool:
    """Whether a pod spec tolerates the taint nvidia.com/gpu with the effect NoSchedule."""
    return any(each.kind == MAP and _covers(each) for each in children(get(pod, "tolerations")))
