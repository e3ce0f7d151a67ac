"""operator-counts-zero-gpus: some operators know the number of GPUs from limits only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.rewriting import fixed
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.node import MAP, SCALAR
from dralint.yamltext.operations import Operation, Put, Replace
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, get

_RAY = "num-gpus"


def _fix(subject: Subject, devices: int) -> list[Operation]:
    """Write the number for Ray, as a text; the mapping is made where it is missing."""
    obj, path = subject.anchors["gpu_count"]
    root = obj.file.documents[obj.document].root
    parent: Path = path[:-1]
    node = get(root, *parent)
    if node is not None and (node.kind == MAP or (node.kind == SCALAR and resolve(node) is None)):
        return [Put(obj.document, parent, _RAY, str(devices))]
    if node is None and get(root, *parent[:-1]) is not None:
        return [Put(obj.document, parent[:-1], str(parent[-1]), {_RAY: str(devices)}, before="template")]
    return []


def _auto(subject: Subject, devices: int) -> list[Operation]:
    """Write the number in the place of `auto`."""
    obj, path = subject.anchors["gpu_count"]
    node = get(obj.file.documents[obj.document].root, *path)
    return [Replace(obj.document, path, devices)] if node is not None and node.kind == SCALAR else []


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a pod with claims for GPUs, none in the limits that its operator counts."""
    facts: Any = subject.facts
    if not facts["operator_counts"] or not facts["claims_gpu"]:
        return
    field = str(subject.anchors["gpu_count"][1][-1])
    devices = facts["operator_devices"]
    ray = field == _RAY
    number = f'"{devices}"' if ray else str(devices)
    advice = f"set {field}" + (f": {number}" if devices is not None else " to the number of GPUs")
    hit = Hit("", {"advice": advice})
    yield fixed(
        hit, run, subject.object, lambda: (_fix if ray else _auto)(subject, devices) if devices else None
    )
