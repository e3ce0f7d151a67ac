"""request-name-not-dns-label: names of requests, alternatives and pod claims are DNS labels."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dralint.kube.dra import container_claims, pod_claims
from dralint.kube.names import is_dns_label
from dralint.kube.objects import KubeObject
from dralint.kube.places import containers
from dralint.lint.rewriting import fixed
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import pod_of, request_of, spec_of
from dralint.yamltext.operations import Replace
from dralint.yamltext.view import Path, children, get, string


def as_label(name: str) -> str | None:
    """The name with what a DNS label cannot hold replaced by dashes; None if nothing is left of it."""
    label = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return label if is_dns_label(label) else None


def _references(obj: KubeObject) -> Iterator[tuple[Path, str]]:
    """The names that configs and constraints give, with their paths."""
    spec = spec_of(obj)
    users = [(each.path, each.node) for each in spec.configs] if spec else []
    users += [(each.path, each.node) for each in spec.constraints] if spec else []
    for path, node in users:
        for index, item in enumerate(children(get(node, "requests"))):
            name = string(item)
            if name is not None:
                yield (*path, "requests", index), name


def _in_claim(subject: Subject, old: str, new: str) -> list[tuple[Path, str]]:
    """A request or an alternative and what refers to it; nothing if the new name is taken."""
    obj, request, spec = subject.object, request_of(subject), spec_of(subject.object)
    taken = {ask.name for ask in request.subrequests}
    renamed = {f"{request.name}/{old}": f"{request.name}/{new}"}
    if subject.facts["what"] == "request":
        taken = {each.name for each in spec.requests} if spec else set()
        renamed = {old: new} | {f"{old}/{ask.name}": f"{new}/{ask.name}" for ask in request.subrequests}
    if new in taken:
        return []
    references = [(path, renamed[name]) for path, name in _references(obj) if name in renamed]
    return [(subject.path, new), *references]


def _in_pod(subject: Subject, old: str, new: str) -> list[tuple[Path, str]]:
    """A pod's claim and its containers' references; nothing if the new name is taken."""
    pod = pod_of(subject)
    if new in {claim.name for claim in pod_claims(pod)}:
        return []
    used = [claim for container in containers(pod) for claim in container_claims(container)]
    return [(subject.path, new), *(((*claim.path, "name"), new) for claim in used if claim.name == old)]


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a name that is no DNS label; the fix renames it and what refers to it in the same object.

    No reference elsewhere can be lost: a container's `request` has to be a DNS label itself.
    """
    facts, obj = subject.facts, subject.object
    if facts["dns_label"] or facts["templated"]:
        return
    old = str(facts["value"])
    new = as_label(old)
    if new is None:
        yield Hit("", {"advice": "it takes lower-case letters, digits and dashes, at most 63"})
        return
    rename = _in_pod if facts["what"] == "pod claim" else _in_claim
    hit = Hit("", {"advice": f"write {new}"})
    yield fixed(hit, run, obj, lambda: [Replace(obj.document, *each) for each in rename(subject, old, new)])
