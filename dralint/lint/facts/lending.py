"""What an object adds to its own pod specs from another of its fields, as Argo's workflows do."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from dralint.kube.dra import PodClaim, pod_claims
from dralint.kube.objects import KubeObject
from dralint.kube.paths import steps
from dralint.kube.places import PodSpec
from dralint.yamltext.load import load_data
from dralint.yamltext.view import get

_DATA = os.path.join(os.path.dirname(__file__), "data", "managed.yaml")


class Lending(NamedTuple):
    """What an object adds to its own pod specs.

    source  path of the mapping whose pod fields hold for all of them
    patch   the field, there or in a pod spec, that holds a patch of the pod as text; None: there is none
    """

    source: tuple[str, ...]
    patch: str | None


@cache
def _lending_kinds() -> dict[tuple[str, str], Lending]:
    data: Any = load_data(_DATA)
    return {
        (entry["group"], kind): Lending(steps(entry["from"]), entry.get("patch"))
        for entry in data["lending"]
        for kind in entry["kinds"]
    }


def lending(obj: KubeObject) -> Lending | None:
    """What the object adds to its pod specs; None for kinds that add nothing."""
    return _lending_kinds().get((obj.group, obj.ref.kind or ""))


def is_patched(pod: PodSpec) -> bool:
    """Whether the pod spec is changed by a text that is a patch."""
    lent = lending(pod.object)
    if lent is None or lent.patch is None:
        return False
    return any(get(node, lent.patch) is not None for node in (pod.node, get(pod.object.node, *lent.source)))


def lent_claims(pod: PodSpec) -> list[PodClaim]:
    """The claims that all pods of the object have, whatever their own specs say."""
    lent = lending(pod.object)
    node = None if lent is None else get(pod.object.node, *lent.source)
    if lent is None or node is None:
        return []
    return pod_claims(replace(pod, path=(*pod.object.path, *lent.source), node=node))
