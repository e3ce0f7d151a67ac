"""nodename-bypasses-scheduler: claims are allocated by the scheduler, which `nodeName` leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.node import MAP
from dralint.yamltext.operations import Operation, Put, Remove
from dralint.yamltext.view import Path, entries, get

_LABEL = "kubernetes.io/hostname"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a pod with claims and a node name; the fix selects the node by its label instead."""
    node_name = subject.facts["node_name"]
    if not node_name or not subject.facts["claims"]:
        return
    obj, path = subject.object, subject.path
    name_path: Path = (*path, "nodeName")
    operations: list[Operation] = [Remove(obj.document, name_path)]
    selector = get(obj.file.documents[obj.document].root, *path, "nodeSelector")
    if selector is None or selector.kind != MAP:
        operations.append(Put(obj.document, path, "nodeSelector", {_LABEL: node_name}, "nodeName"))
    elif _LABEL not in entries(selector):
        operations.append(Put(obj.document, (*path, "nodeSelector"), _LABEL, node_name))
    yield Hit("nodeName", {}, None, (), tuple(operations), "unsafe")
