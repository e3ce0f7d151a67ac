"""request-name-not-dns-label: names of requests, alternatives and pod claims are DNS labels."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dralint.kube.dra import ClaimSpec, claim_spec, container_claims, pod_claims
from dralint.kube.names import is_dns_label
from dralint.kube.objects import KubeObject
from dralint.kube.places import containers, pod_specs
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.operations import Operation, Replace
from dralint.yamltext.view import Path, children, get, string


def as_label(name: str) -> str | None:
    """The name with what a DNS label cannot hold replaced by dashes; None if nothing is left of it."""
    label = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return label if is_dns_label(label) else None


def _references(spec: ClaimSpec) -> Iterator[tuple[Path, str]]:
    """The names that configs and constraints give, with their paths."""
    users = [(each.path, each.node) for each in spec.configs]
    users += [(each.path, each.node) for each in spec.constraints]
    for path, node in users:
        for index, item in enumerate(children(get(node, "requests"))):
            name = string(item)
            if name is not None:
                yield (*path, "requests", index), name


def _in_claim(obj: KubeObject, what: str, path: Path, old: str, new: str) -> list[Operation] | None:
    """Rename a request or an alternative and what refers to it; None if the new name is taken."""
    spec = claim_spec(obj)
    assert spec is not None
    request = next(each for each in spec.requests if path[: len(each.path)] == each.path)
    if what == "request":
        taken = {each.name for each in spec.requests}
        renamed = {old: new} | {f"{old}/{ask.name}": f"{new}/{ask.name}" for ask in request.subrequests}
    else:
        taken = {ask.name for ask in request.subrequests}
        renamed = {f"{request.name}/{old}": f"{request.name}/{new}"}
    if new in taken:
        return None
    places = [(path, new)]
    places += [(place, renamed[name]) for place, name in _references(spec) if name in renamed]
    return [Replace(obj.document, place, value) for place, value in places]


def _in_pod(obj: KubeObject, path: Path, old: str, new: str) -> list[Operation] | None:
    """Rename a pod's claim and its containers' references; None if the new name is taken."""
    pod = next(each for each in pod_specs(obj) if path[: len(each.path)] == each.path)
    if new in {claim.name for claim in pod_claims(pod)}:
        return None
    places = [path]
    places += [
        (*claim.path, "name")
        for container in containers(pod)
        for claim in container_claims(container)
        if claim.name == old
    ]
    return [Replace(obj.document, place, new) for place in places]


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a name that is no DNS label; the fix renames it and what refers to it in the same object.

    No reference elsewhere can be lost: a container's `request` has to be a DNS label itself.
    """
    facts = subject.facts
    if facts["dns_label"] or facts["templated"]:
        return
    name, what, obj = str(facts["value"]), str(facts["what"]), subject.object
    new = as_label(name)
    operations: list[Operation] | None = []
    advice = "lower-case letters, digits and dashes, at most 63"
    if new is not None:
        advice = f"write {new}"
        in_pod = what == "pod claim"
        operations = (
            _in_pod(obj, subject.path, name, new) if in_pod else _in_claim(obj, what, subject.path, name, new)
        )
    yield Hit("", {"advice": advice}, None, (), tuple(operations or ()))
