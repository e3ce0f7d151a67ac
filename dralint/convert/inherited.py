"""Scheduling fields of a pod, which some kinds take from another place where the pod spec leaves them out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from dralint.kube.objects import KubeObject
from dralint.kube.paths import steps
from dralint.kube.places import PodSpec
from dralint.yamltext.load import load_data
from dralint.yamltext.node import Node
from dralint.yamltext.view import get

_DATA = os.path.join(os.path.dirname(__file__), "data", "kinds.yaml")


class _Source(NamedTuple):
    """A mapping with fields of pods; merged: they are merged with the pod's own ones."""

    path: tuple[str, ...]
    merged: bool


@cache
def _sources() -> dict[tuple[str, str], tuple[_Source, ...]]:
    data: Any = load_data(_DATA)
    return {
        (entry["group"], kind): (_Source(steps(entry["merged"]), True), _Source(steps(entry["from"]), False))
        for entry in data["inherited"]
        for kind in entry["kinds"]
    }


def lent_fields(obj: KubeObject, field: str, *, merged: bool) -> Iterator[Node]:
    """The field as the object has it for its pods; merged: only those that are merged with a pod's own one."""
    for source in _sources().get((obj.group, obj.ref.kind or ""), ()):
        found = get(obj.node, *source.path, field)
        if found is not None and found.items and (source.merged or not merged):
            yield found


def scheduling_field(pod: PodSpec, field: str) -> tuple[Node | None, bool]:
    """The field that holds for the pod, and whether it is inherited; None where nothing sets it."""
    own = get(pod.node, field)
    if own is not None and own.items:
        return own, False
    found = next(lent_fields(pod.object, field, merged=False), None)
    return (own, False) if found is None else (found, True)


def scheduling_fields(pod: PodSpec, field: str) -> list[Node]:
    """The field that holds for the pod, and those that are merged with it."""
    holds, _ = scheduling_field(pod, field)
    others = [each for each in lent_fields(pod.object, field, merged=True) if each is not holds]
    return others if holds is None else [holds, *others]
