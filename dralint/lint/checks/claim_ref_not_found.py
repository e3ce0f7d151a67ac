"""claim-ref-not-found: a pod waits for ever for a claim or template that nobody makes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.kube.objects import KubeObject
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.view import get


def _files(number: int) -> str:
    return "1 file" if number == 1 else f"{number} files"


def of_compute_domain(subject: Subject) -> bool:
    """Whether the name is that of a ComputeDomain's template in another namespace."""
    other = subject.anchors.get("elsewhere")
    return other is not None and other[0].ref.kind == "ComputeDomain"


def _is_history(obj: KubeObject) -> bool:
    """Whether this is an old ReplicaSet of a Deployment, as a dump has it: its template may be gone, it starts no pod."""
    owned = get(obj.node, "metadata", "ownerReferences", 0) is not None
    replicas = get(obj.node, "spec", "replicas")
    return obj.ref.kind == "ReplicaSet" and owned and replicas is not None and replicas.text == "0"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a name that resolves nowhere, or in another namespace only.

    Of a ComputeDomain's template in another namespace computedomain-namespace speaks.
    """
    facts: Any = subject.facts
    state = facts["claim"]["state"]
    if state not in ("missing", "elsewhere") or of_compute_domain(subject) or _is_history(subject.object):
        return
    namespace = facts["object"]["namespace"]
    if state == "elsewhere":
        others = ", ".join(facts["elsewhere"])
        where = (
            f"is not in namespace {namespace} but in {others}; a pod can only use one of its own namespace"
        )
    else:
        inside = f" in namespace {namespace}" if namespace else ""
        where = f"is defined nowhere{inside} ({_files(facts['files_read'])} read)"
    yield Hit("@reference", {"where": where})
