"""toleration-lost: nobody adds the toleration of GPU nodes to a pod with claims."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.convert.tolerations import TOLERATION, added_tolerations
from dralint.lint.rewriting import fixed
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import pod_of
from dralint.yamltext.node import SEQ
from dralint.yamltext.operations import Append, Operation, Put
from dralint.yamltext.view import get


def _fix(subject: Subject) -> list[Operation]:
    """Add the toleration to the pod's own list, with those that it would no longer inherit."""
    pod, document = pod_of(subject), subject.object.document
    own = get(pod.node, "tolerations")
    if own is not None and own.kind == SEQ and own.items:
        return [Append(document, (*pod.path, "tolerations"), dict(TOLERATION))]
    return [Put(document, pod.path, "tolerations", added_tolerations(pod))]


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a pod that claims GPUs only, and has no toleration that may be meant for their nodes."""
    facts: Any = subject.facts
    moved = facts["claims_gpu"] and not facts["device_plugin"]
    if moved and not facts["tolerates"] and not facts["partial"]:
        yield fixed(Hit("@claims"), run, subject.object, lambda: _fix(subject))
