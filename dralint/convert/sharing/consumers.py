"""How many pods of a workload run at once, where one ResourceClaim is to serve all of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from dralint.convert.around import may_share_namespace, with_holders
from dralint.convert.inherited import scheduling_field
from dralint.convert.work import Ground, PodWork
from dralint.kube.bundle import Bundle
from dralint.kube.objects import KubeObject
from dralint.kube.paths import steps
from dralint.kube.quantity import parse_count
from dralint.kube.scalers import scaled
from dralint.yamltext.load import load_data
from dralint.yamltext.node import SCALAR
from dralint.yamltext.view import children, get, string

_DATA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "consumers.yaml")


class Consumers(NamedTuple):
    """usual: the pods that run at once; most: those of a roll-out besides."""

    usual: int
    most: int


@cache
def _data() -> Any:
    return load_data(_DATA)


def most_consumers() -> int:
    """How many pods can use one claim."""
    return int(_data()["most"]["consumers"])


def _surge(obj: KubeObject, known: Mapping[str, Any], usual: int) -> int | None:
    """What a roll-out may add to the pods; None where it cannot be read."""
    surge = known.get("surge")
    if surge is None:
        return 0
    without = surge["without"]
    if string(get(obj.node, *steps(without["path"]))) == without["value"]:
        return 0
    node = get(obj.node, *steps(surge["path"]))
    text = str(surge["default"]) if node is None else node.text if node.kind == SCALAR else ""
    if text.endswith("%") and text[:-1].isdecimal() and len(text) < 5:
        return -(-usual * int(text[:-1]) // 100)
    return int(text) if text.isdecimal() and len(text) < 10 else None


# A conversion asks for each pod.
@lru_cache(maxsize=4)
def _scaled(bundle: Bundle) -> Mapping[tuple[str, str], list[KubeObject]]:
    """The objects that scale others, by the kind and name of what they scale."""
    found: dict[tuple[str, str], list[KubeObject]] = {}
    for obj in bundle.objects:
        target = scaled(obj)
        if target is not None and target.sets == "pods":
            found.setdefault((target.kind, target.name or ""), []).append(obj)
    return found


def _scaler(obj: KubeObject, ground: Ground) -> KubeObject | None:
    """What sets the number of an object's pods."""
    for bundle in (ground.bundle, ground.context.bundle):
        for each in _scaled(bundle).get((obj.ref.kind or "", obj.ref.name or ""), ()):
            if may_share_namespace(each, obj):
                return each
    return None


def _spreads(work: PodWork) -> Iterator[str]:
    """What keeps the pods of a workload from running on one node."""
    affinity, _ = scheduling_field(work.pod, "affinity")
    required = get(affinity, "podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    if children(required):
        yield "its podAntiAffinity keeps pods apart"
    for each in children(get(work.pod.node, "topologySpreadConstraints")):
        if string(get(each, "whenUnsatisfiable")) != "ScheduleAnyway":
            yield "its topologySpreadConstraints spread the pods over nodes"


def consumers(work: PodWork, ground: Ground) -> Consumers | str:
    """The pods of the workload that may use one claim at once, else why that is wrong or open, without a full stop."""
    obj = work.pod.object
    known = next(
        (each for each in _data()["kinds"] if (each["group"], each["kind"]) == (obj.group, obj.ref.kind)),
        None,
    )
    if known is None or len(list(with_holders(obj))) > 1:
        return f"how many pods of {obj.ref.kind or 'the object'} run at once, and on which nodes, is not told by it"
    if obj.ref.name is None:
        return "each object that is made of its generateName would have the same claim"
    only = known.get("only")
    if only is not None and string(get(obj.node, *steps(only["path"]))) not in only["values"]:
        return f"{only['path']} is not {' or '.join(only['values'])}, so that several of its jobs may run at once"
    usual = 1
    if "pods" in known:
        node = get(obj.node, *steps(known["pods"]))
        count = parse_count(node)
        usual = int(known["default"]) if node is None else count.value if count.exact and count.value else 0
        if not usual:
            return f"{known['pods']} does not tell how many pods there are"
        patched = ground.kustomizations.scaled_by(obj)
        if patched is not None:
            return f"a kustomization may set how many pods there are ({patched})"
        scaler = _scaler(obj, ground)
        if scaler is not None:
            place = scaler.file.place(scaler.node.start)
            return f"the {scaler.ref.kind} {scaler.ref.name} sets how many pods there are ({place})"
    spread = next(_spreads(work), "") if usual > 1 else ""
    if spread:
        return f"one claim pins all pods to one node, and {spread}"
    more = _surge(obj, known, usual)
    return (
        Consumers(usual, usual + more)
        if more is not None
        else "maxSurge does not tell how many pods there are"
    )
