"""Operators that derive numbers from GPU limits, and the field that says the number once no limit does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from dralint.convert.claims import CLAIMED
from dralint.convert.requests import count_of
from dralint.convert.work import PodWork
from dralint.kube.paths import steps
from dralint.yamltext.load import load_data
from dralint.yamltext.node import SCALAR, Node
from dralint.yamltext.operations import Operation, Put, Replace
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, get

_DATA = os.path.join(os.path.dirname(__file__), "data", "kinds.yaml")


class _Counting(NamedTuple):
    """See `counting` in the data file."""

    part: str
    holder: tuple[str, ...]
    field: str
    automatic: tuple[str, ...]


@cache
def _counting() -> dict[tuple[str, str], _Counting]:
    data: Any = load_data(_DATA)
    return {
        (entry["group"], kind): _Counting(
            entry["part"], steps(entry["holder"]), entry["field"], tuple(entry["automatic"])
        )
        for entry in data["counting"]
        for kind in entry["kinds"]
    }


def operator_count(work: PodWork) -> int:
    """The number of GPUs that the operator saw: the first GPU resource of the first container."""
    for index, requests in work.asked.items():
        container = work.containers[index]
        if container.group == "containers" and container.index == 0:
            for found in sorted(requests, key=lambda each: each.resource.name):
                devices = count_of(found).value or 0
                if found.resource.base in CLAIMED and devices:
                    return devices
    return 0


def _stands(node: Node | None) -> bool:
    return node is not None and (node.kind != SCALAR or resolve(node) is not None)


def count_operation(work: PodWork) -> Operation | None:
    """The operation that says the number of GPUs which the operator would count; None where it counts none."""
    obj, devices = work.pod.object, operator_count(work)
    entry = _counting().get((obj.group, obj.ref.kind or ""))
    if entry is None or work.pod.part != entry.part or not devices or work.way != "claims":
        return None
    holder = get(obj.node, *entry.holder)
    if holder is None or not _stands(holder):
        return None
    path = (*obj.path, *entry.holder)
    written = get(holder, entry.field)
    if written is None or not _stands(written):
        return Put(obj.document, path, entry.field, devices)
    # In quotes the number would be a text, which the operator does not take for one.
    if written.text in entry.automatic and not written.style:
        return Replace(obj.document, (*path, entry.field), devices)
    return None


def count_operations(work: PodWork) -> Iterator[Operation]:
    """The same, as those that a conversion is made of."""
    operation = count_operation(work)
    if operation is not None:
        yield operation


def count_paths(work: PodWork) -> Iterator[Path]:
    """Where those operations write."""
    for operation in count_operations(work):
        if isinstance(operation, Put):
            yield (*operation.path, operation.key)
        elif isinstance(operation, Replace):
            yield operation.path
