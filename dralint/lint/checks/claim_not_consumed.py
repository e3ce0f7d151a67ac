"""claim-not-consumed: a device that no container lists is reserved and reaches nobody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.kube.places import containers, pod_specs
from dralint.lint.finding import Severity
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.node import MAP, SEQ
from dralint.yamltext.operations import Append, Operation, Put
from dralint.yamltext.view import Path, Plain, get


def _severity(facts: dict[str, Any]) -> Severity:
    """An error only where it is certain: one container, and NVIDIA's devices in the claim."""
    claim = facts["claim"]
    if claim["nvidia"] is None:
        return "info" if claim["state"] == "found" else "warning"
    return "error" if facts["pod"]["main_containers"] == 1 else "warning"


def _fix(subject: Subject, name: str) -> tuple[Operation, ...]:
    """List the claim in the pod's only container."""
    obj = subject.object
    pod = next(each for each in pod_specs(obj) if subject.path[: len(each.path)] == each.path)
    (container,) = containers(pod) or (None,) if len(containers(pod)) == 1 else (None,)
    if container is None:
        return ()
    item: Plain = {"name": name}
    resources, claims = get(container.node, "resources"), get(container.node, "resources", "claims")
    path: Path = (*container.path, "resources")
    if resources is None or resources.kind != MAP:
        return (Put(obj.document, container.path, "resources", {"claims": [item]}),)
    if claims is not None and claims.kind == SEQ and claims.items:
        return (Append(obj.document, (*path, "claims"), item),)
    return (Put(obj.document, path, "claims", [item]),)


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a pod claim that no container lists.

    Claims of other vendors' devices are left alone: network drivers act on the pod as a whole.
    """
    facts: Any = subject.facts
    pod, claim = facts["pod"], facts["claim"]
    if facts["consumed"] or pod["partial"] or claim["nvidia"] is False or facts["name"] is None:
        return
    operations = _fix(subject, facts["name"])
    yield Hit("", {}, _severity(facts), (), operations, "unsafe")
