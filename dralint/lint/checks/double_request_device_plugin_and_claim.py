"""double-request-device-plugin-and-claim: one container, two GPUs by two ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.facts.device_plugin import gpu_requests
from dralint.lint.rewriting import fixed
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import container_of
from dralint.yamltext.node import deref
from dralint.yamltext.operations import Operation, Remove
from dralint.yamltext.view import Path, entries, get


def _fix(subject: Subject) -> list[Operation]:
    """Take the device plugin's resources away, and a mapping that holds nothing else."""
    obj = subject.object
    places: dict[Path, list[Path]] = {}
    for request in gpu_requests(container_of(subject)):
        for path in request.paths:
            places.setdefault(path[:-1], []).append(path)
    root = obj.file.documents[obj.document].root
    operations: list[Operation] = []
    for parent, paths in places.items():
        node = get(root, *parent)
        whole = node is not None and len(entries(deref(node))) == len(paths)
        operations += [Remove(obj.document, path) for path in ([parent] if whole else paths)]
    return operations


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a container that asks the device plugin for a GPU and lists a claim that takes one."""
    facts: Any = subject.facts
    if not facts["gpu_claims"] or "device_plugin" not in subject.anchors:
        return
    path = subject.anchors["device_plugin"][1]
    values = {"resource": str(path[-1]), "claim": str(facts["gpu_claims"][0])}
    yield fixed(Hit("@device_plugin", values), run, subject.object, lambda: _fix(subject))
