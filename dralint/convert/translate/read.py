"""The demands on labels that a pod spec makes of its node, each with where it stands."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.convert.inherited import scheduling_field
from dralint.convert.translate.demands import OPERATORS, Constraints, Demand, Preference, Term
from dralint.kube.places import PodSpec
from dralint.yamltext.node import MAP, SCALAR, SEQ, Node, deref
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, Plain, TooLarge, entries, get, plain, string

SELECTOR, AFFINITY = "nodeSelector", "affinity"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_INHERITED = "other pods of the object take it from the same place"
_NO_TEXT = "its value is no text, which the API server refuses"
# Far above what stands in any pod; an alias bomb is no affinity.
_MAX_NODES, _MAX_TERMS = 1_000, 1_000
# How many values an operator takes: at least and at most. Source: kubernetes, pkg/apis/core/validation.
_TAKES = {
    "In": (1, None),
    "NotIn": (1, None),
    "Exists": (0, 0),
    "DoesNotExist": (0, 0),
    "Gt": (1, 1),
    "Lt": (1, 1),
}


def _selector(node: Node | None, path: Path, held: str) -> Iterator[Demand]:
    if node is None or node.kind != MAP:
        return
    for key, entry in entries(node).items():
        value = deref(entry.value)
        text = string(value)
        if text is not None:
            yield Demand(key, "In", (text,), (*path, key), entry.key.start, held)
        elif value.kind == SCALAR:
            yield Demand(key, "In", (value.text,), (*path, key), entry.key.start, held or _NO_TEXT)


def _expression(node: Node, path: Path, held: str) -> Demand | None:
    """A match expression; None for what the API server refuses."""
    if node.kind != MAP or not entries(node).keys() <= {"key", "operator", "values"}:
        return None
    key, operator = string(get(node, "key")), string(get(node, "operator"))
    written = get(node, "values")
    items = written.items if written is not None and written.kind == SEQ else ()
    values = [text for item in items if (text := string(item)) is not None]
    if key is None or operator not in OPERATORS or len(values) != len(items):
        return None
    least, most = _TAKES[operator]
    if len(values) < least or (most is not None and len(values) > most):
        return None
    return Demand(key, operator, tuple(values), path, node.start, held)


def _plain(node: Node) -> Plain:
    """What stands there as data; what is too large for that is like nothing else."""
    try:
        return plain(node, _MAX_NODES)
    except TooLarge:
        return [node.start, node.end]


def _term(node: Node, path: Path, held: str) -> Term:
    demands: list[Demand] = []
    others: list[Plain] = []
    for key, entry in entries(node).items() if node.kind == MAP else ():
        value = deref(entry.value)
        if key != "matchExpressions" or value.kind != SEQ:
            if value.items or (value.kind == SCALAR and resolve(value) is not None):
                others.append({key: _plain(value)})
            continue
        for index, item in enumerate(value.items):
            demand = _expression(deref(item), (*path, key, index), held)
            if demand is None:
                others.append(_plain(item))
            else:
                demands.append(demand)
    return Term(tuple(demands), tuple(others), path)


def _preference(node: Node, path: Path, held: str) -> Preference | None:
    term, weight = get(node, "preference"), get(node, "weight")
    value = resolve(weight) if weight is not None and weight.kind == SCALAR else None
    if term is None or not isinstance(value, int):
        return None
    return Preference(value, _term(term, (*path, "preference"), held), path)


def _items(node: Node | None) -> list[Node]:
    found = node.items if node is not None and node.kind == SEQ else ()
    return [deref(item) for item in found] if len(found) <= _MAX_TERMS else []


def constraints_of(pod: PodSpec) -> Constraints:
    """What a pod demands of its node, in its own fields or in those that it takes from its object."""
    selector, inherited = scheduling_field(pod, SELECTOR)
    demands = tuple(_selector(selector, (*pod.path, SELECTOR), _INHERITED if inherited else ""))
    affinity, inherited = scheduling_field(pod, AFFINITY)
    held = _INHERITED if inherited else ""
    path: Path = (*pod.path, AFFINITY, "nodeAffinity", REQUIRED, "nodeSelectorTerms")
    node_affinity = get(affinity, "nodeAffinity")
    required = _items(get(node_affinity, REQUIRED, "nodeSelectorTerms"))
    terms = tuple(_term(node, (*path, index), held) for index, node in enumerate(required))
    path = (*pod.path, AFFINITY, "nodeAffinity", PREFERRED)
    found = enumerate(_items(get(node_affinity, PREFERRED)))
    preferred = tuple(each for index, node in found if (each := _preference(node, (*path, index), held)))
    return Constraints(demands, terms or None, preferred)
