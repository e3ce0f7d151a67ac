"""claim-not-consumed: a device that no container lists is reserved and reaches nobody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.kube.places import containers
from dralint.lint.rewriting import fixed
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import pod_of
from dralint.yamltext.node import MAP, SEQ
from dralint.yamltext.operations import Append, Operation, Put
from dralint.yamltext.view import Path, Plain, get


def _fix(subject: Subject, name: str) -> list[Operation]:
    """List the claim in the pod's only container."""
    obj, found = subject.object, containers(pod_of(subject))
    if len(found) != 1:
        return []
    item: Plain = {"name": name}
    node, place = found[0].node, found[0].path
    resources, claims = get(node, "resources"), get(node, "resources", "claims")
    path: Path = (*place, "resources")
    if resources is None or resources.kind != MAP:
        return [Put(obj.document, place, "resources", {"claims": [item]})]
    if claims is not None and claims.kind == SEQ:
        return [Append(obj.document, (*path, "claims"), item)]
    return [Put(obj.document, path, "claims", [item])]


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a pod claim that no container lists.

    Claims of other vendors' devices are left alone: network drivers act on the pod as a whole.
    """
    facts: Any = subject.facts
    name = facts["name"]
    if facts["consumed"] or facts["pod"]["partial"] or facts["claim"]["nvidia"] is False or name is None:
        return
    yield fixed(Hit(), run, subject.object, lambda: _fix(subject, name))
