"""The labels that a pod asks of its node, with their places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dralint.convert.inherited import scheduling_field
from dralint.kube.devices import mappings
from dralint.kube.places import PodSpec
from dralint.yamltext.node import MAP, Node
from dralint.yamltext.view import Path, entries, get, string

# With the other operators a node without the label will do.
_ASKING = ("In", "Exists", "Gt", "Lt")
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


class Demand(NamedTuple):
    """A label that a node must have, or should (required: False)."""

    key: str
    path: Path
    required: bool


def _expressions(term: Node | None, path: Path, *, required: bool) -> Iterator[Demand]:
    for place, each in mappings(get(term, "matchExpressions"), (*path, "matchExpressions")):
        key = string(get(each, "key"))
        if key is not None and string(get(each, "operator")) in _ASKING:
            yield Demand(key, (*place, "key"), required)


def demands(pod: PodSpec) -> Iterator[Demand]:
    """The labels, first those of the node selector; what the kind inherits has the pod's own place."""
    selector, inherited = scheduling_field(pod, "nodeSelector")
    if selector is not None and selector.kind == MAP:
        for key in entries(selector):
            yield Demand(key, pod.path if inherited else (*pod.path, "nodeSelector", key), required=True)
    affinity, inherited = scheduling_field(pod, "affinity")
    node_affinity = get(affinity, "nodeAffinity")
    if node_affinity is None:
        return
    base: Path = (*pod.path, "affinity", "nodeAffinity")
    terms: Path = (*base, _REQUIRED, "nodeSelectorTerms")
    found = [
        each
        for place, term in mappings(get(node_affinity, _REQUIRED, "nodeSelectorTerms"), terms)
        for each in _expressions(term, place, required=True)
    ]
    for place, preferred in mappings(get(node_affinity, _PREFERRED), (*base, _PREFERRED)):
        found += _expressions(get(preferred, "preference"), (*place, "preference"), required=False)
    for demand in found:
        yield demand._replace(path=pod.path) if inherited else demand
