"""Autoscalers: what they scale, and how many pods they always keep; data/scalers.yaml names their kinds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

from dralint.kube.objects import KubeObject
from dralint.kube.paths import steps
from dralint.yamltext.load import load_data
from dralint.yamltext.node import Node
from dralint.yamltext.view import get, string

_DATA = os.path.join(os.path.dirname(__file__), "data", "scalers.yaml")


class Scaled(NamedTuple):
    """What an autoscaler scales.

    node   the reference to it
    group  None where the reference has no apiVersion, as people often leave it out
    sets   the number of pods, or the resources of each
    least  the node of the least number of pods, if there is one
    """

    node: Node
    group: str | None
    kind: str
    name: str | None
    sets: Literal["pods", "resources"]
    least: Node | None


@cache
def _data() -> Any:
    return load_data(_DATA)


@cache
def _scalers() -> Mapping[tuple[str, str], Any]:
    return {(entry["group"], entry["kind"]): entry for entry in _data()["scalers"]}


def usual_group() -> str:
    """The group of what a reference without an apiVersion means."""
    return str(_data()["without_kind"]["api_version"]).rpartition("/")[0]


def scaled(obj: KubeObject) -> Scaled | None:
    """What the object scales; None where it scales nothing."""
    entry = _scalers().get((obj.group, obj.ref.kind or ""))
    target = get(obj.node, *steps(entry["target"])) if entry is not None else None
    if entry is None or target is None:
        return None
    version = string(get(target, "apiVersion"))
    return Scaled(
        target,
        version.rpartition("/")[0] if version else None,
        string(get(target, "kind")) or _data()["without_kind"]["kind"],
        string(get(target, "name")),
        entry["sets"],
        get(obj.node, *steps(entry["least"])) if "least" in entry else None,
    )
