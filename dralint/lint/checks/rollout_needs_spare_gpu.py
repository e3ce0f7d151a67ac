"""rollout-needs-spare-gpu: a rolling update needs one pod's devices more than the replicas hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.rewriting import fixed
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.node import MAP
from dralint.yamltext.operations import Operation, Put, Remove, Replace
from dralint.yamltext.view import entries, get

_RECREATE = "Recreate"


def _fix(subject: Subject) -> list[Operation]:
    """End the old pod before the new one starts."""
    obj, path = subject.anchors["strategy"]
    node = get(obj.file.documents[obj.document].root, *path)
    if node is None:
        return [Put(obj.document, path[:-1], str(path[-1]), {"type": _RECREATE}, before="template")]
    if node.kind != MAP:
        return []
    keys = entries(node)
    operations: list[Operation] = [
        Replace(obj.document, (*path, "type"), _RECREATE)
        if "type" in keys
        else Put(obj.document, path, "type", _RECREATE)
    ]
    if "rollingUpdate" in keys:
        operations.append(Remove(obj.document, (*path, "rollingUpdate")))
    return operations


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a Deployment whose replicas fit into the inventory, and one more of which does not."""
    facts: Any = subject.facts
    devices, replicas, pool = facts["devices"], facts["replicas"], facts["pool"]
    if (
        facts["partial"]
        or facts["rollout"] != "surge"
        or not facts["from_templates"]
        or None in (devices, replicas, pool)
    ):
        return
    if replicas > 0 and devices * replicas <= pool < devices * (replicas + 1):
        yield fixed(Hit("@strategy"), run, subject.object, lambda: _fix(subject))
