"""Node labels in a pod's own selectors, and what they say about sharing and MIG."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, Literal, NamedTuple

from dralint.convert.inherited import scheduling_fields
from dralint.kube.places import PodSpec
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP, SCALAR, Node, deref
from dralint.yamltext.view import children, entries, get, string

# Labels of a node without such devices; they say as little as no label does.
_NOTHING = {"", "0"}
_DATA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "evidence.yaml")


class LabelSign(NamedTuple):
    """A label value that is evidence: one that holds one of `contains`, else none of `excluded`.

    key  a `*` in it stands for anything
    """

    key: str
    contains: tuple[str, ...]
    excluded: tuple[str, ...]
    says: Literal["sharing", "mig"]

    def about(self, key: str) -> bool:
        """Whether it is about this label."""
        return fnmatchcase(key, self.key) if "*" in self.key else key == self.key

    def shown_by(self, values: Sequence[str]) -> bool:
        """Whether one of the values is evidence; no value at all stands for any value."""
        if self.contains:
            return any(part in value for part in self.contains for value in values)
        return not values or any(value not in self.excluded for value in values)

    def shown_in(self, selector: Selector) -> bool:
        """Whether a demand on the label is evidence; one that keeps values out is when no plain value is left."""
        if not selector.keeps_out:
            return self.shown_by(selector.values)
        plain = set(self.excluded) - _NOTHING
        return bool(plain) and plain <= set(selector.values)


class Selector(NamedTuple):
    """One demand on a node label.

    values     those it may have; empty: any
    node       where the demand stands
    keeps_out  the values are those it may not have
    """

    key: str
    values: tuple[str, ...]
    node: Node
    keeps_out: bool = False


@cache
def data() -> Any:
    """The evidence file."""
    return load_data(_DATA)


def _signs(entries_of_data: Sequence[Any]) -> tuple[LabelSign, ...]:
    return tuple(
        LabelSign(
            each["key"],
            tuple(each.get("contains", ())),
            tuple(each.get("except", ())),
            each.get("says", "mig"),
        )
        for each in entries_of_data
    )


@cache
def signs() -> tuple[LabelSign, ...]:
    """What in a pod's own selectors is evidence."""
    return _signs(data()["labels"])


@cache
def layout_signs() -> tuple[LabelSign, ...]:
    """What anywhere says that cards are cut into MIG devices."""
    return _signs(data()["layout_labels"])


def _values(operator: str | None, values: Sequence[str]) -> tuple[str, ...] | None:
    """The values a match expression lets through, or those that NotIn keeps out; None where it says neither."""
    if operator in ("In", "NotIn"):
        return tuple(values)
    if operator == "Exists":
        return ()
    if operator == "Gt" and len(values) == 1 and values[0].isdecimal() and len(values[0]) < 20:
        return (str(int(values[0]) + 1),)
    return None


def expressions(term: Node) -> Iterator[Selector]:
    """The demands of one mapping with `matchExpressions`."""
    for expression in children(get(term, "matchExpressions")):
        key = string(get(expression, "key"))
        written = [string(value) for value in children(get(expression, "values"))]
        operator = string(get(expression, "operator"))
        values = _values(operator, [value for value in written if value is not None])
        if key is not None and values is not None:
            yield Selector(key, values, expression, operator == "NotIn")


def selectors(pod: PodSpec) -> Iterator[Selector]:
    """The labels a pod asks of its node, required and preferred ones."""
    for node_selector in scheduling_fields(pod, "nodeSelector"):
        for key, entry in entries(node_selector).items() if node_selector.kind == MAP else ():
            value = deref(entry.value)
            if value.kind == SCALAR:
                yield Selector(key, (value.text,), entry.key)
    for affinity in scheduling_fields(pod, "affinity"):
        nodes = get(affinity, "nodeAffinity")
        required = get(nodes, "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
        for term in children(required):
            yield from expressions(term)
        for preferred in children(get(nodes, "preferredDuringSchedulingIgnoredDuringExecution")):
            term_node = get(preferred, "preference")
            if term_node is not None:
                yield from expressions(term_node)
