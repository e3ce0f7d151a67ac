"""Scheduling fields of a pod, which some kinds take from another place where the pod spec leaves them out."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from dralint.kube.paths import steps
from dralint.kube.places import PodSpec
from dralint.yamltext.load import load_data
from dralint.yamltext.node import Node
from dralint.yamltext.view import get

_DATA = os.path.join(os.path.dirname(__file__), "data", "kinds.yaml")


@cache
def _sources() -> dict[tuple[str, str], tuple[str, ...]]:
    data: Any = load_data(_DATA)
    return {
        (entry["group"], kind): steps(entry["from"]) for entry in data["inherited"] for kind in entry["kinds"]
    }


def scheduling_field(pod: PodSpec, field: str) -> tuple[Node | None, bool]:
    """The field that holds for the pod, and whether it is inherited; None where nothing sets it."""
    own = get(pod.node, field)
    if own is not None and own.items:
        return own, False
    source = _sources().get((pod.object.group, pod.object.ref.kind or ""))
    found = get(pod.object.node, *source, field) if source is not None else None
    return (found, True) if found is not None else (own, False)
