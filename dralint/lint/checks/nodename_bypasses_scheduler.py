"""nodename-bypasses-scheduler: claims are allocated by the scheduler, which `nodeName` leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.objects import KubeObject
from dralint.lint.rewriting import fixed
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.node import MAP
from dralint.yamltext.operations import Operation, Put, Remove
from dralint.yamltext.view import entries, get

_LABEL = "kubernetes.io/hostname"


def _fix(subject: Subject) -> list[Operation]:
    """Select the node by its label."""
    node_name = subject.facts["node_name"]
    obj, path = subject.object, subject.path
    operations: list[Operation] = [Remove(obj.document, (*path, "nodeName"))]
    selector = get(obj.file.documents[obj.document].root, *path, "nodeSelector")
    if selector is None or selector.kind != MAP:
        operations.append(Put(obj.document, path, "nodeSelector", {_LABEL: node_name}, "nodeName"))
    elif _LABEL not in entries(selector):
        operations.append(Put(obj.document, (*path, "nodeSelector"), _LABEL, node_name))
    return operations


def _was_scheduled(obj: KubeObject) -> bool:
    """Whether this is a Pod as a cluster has it: there the scheduler wrote the node's name."""
    live = get(obj.node, "metadata", "uid") is not None or get(obj.node, "status", "phase") is not None
    return obj.ref.kind == "Pod" and live


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a pod with claims and a node name; the fix selects the node by its label instead."""
    if subject.facts["node_name"] and subject.facts["claims"] and not _was_scheduled(subject.object):
        yield fixed(Hit("nodeName"), run, subject.object, lambda: _fix(subject))
