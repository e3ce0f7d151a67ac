"""Operators that derive numbers from GPU limits, and the field that says the number once no limit does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from dralint.convert.claims import CLAIMED
from dralint.convert.replaced import is_meant, replaced_in
from dralint.convert.requests import count_of
from dralint.convert.work import PodWork
from dralint.kube.paths import steps
from dralint.kube.places import PodSpec
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


def is_counted(pod: PodSpec, part: str) -> bool:
    """Whether the operator counts in this pod: by its label where the kind has one, else by the part's name."""
    entry = replaced_in(pod.object)
    return pod.part == part if entry is None else is_meant(pod, entry)


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


def _counted(work: PodWork, entry: _Counting | None) -> int:
    """The number of GPUs that the operator would count; 0 where it counts none, or still sees them."""
    obj = work.pod.object
    if entry is None or work.way != "claims" or not is_counted(work.pod, entry.part):
        return 0
    return operator_count(work) if _stands(get(obj.node, *entry.holder)) else 0


def counted(work: PodWork) -> int:
    """The number of GPUs that the operator would count in the pod where a field leaves it to that; 0: none."""
    obj = work.pod.object
    return _counted(work, _counting().get((obj.group, obj.ref.kind or "")))


def becomes_number(written: Node) -> bool:
    """Whether a number can be written in the place of a scalar; a tag or a block scalar is not edited."""
    return written.tag is None and written.style not in ("|", ">")


def count_operation(work: PodWork) -> Operation | None:
    """The operation that says the number of GPUs which the operator would count; None where it counts none."""
    obj = work.pod.object
    entry = _counting().get((obj.group, obj.ref.kind or ""))
    devices = _counted(work, entry)
    holder = get(obj.node, *entry.holder) if entry is not None else None
    if entry is None or holder is None or not devices:
        return None
    path = (*obj.path, *entry.holder)
    written = get(holder, entry.field)
    if written is None or not _stands(written):
        return Put(obj.document, path, entry.field, devices)
    if written.text in entry.automatic and becomes_number(written):
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
