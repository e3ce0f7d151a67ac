"""Subjects of admission policies that look for GPUs by resource name: `policy`."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.objects import KubeObject
from dralint.lint.facts.common import Surroundings
from dralint.lint.subject import Subject
from dralint.yamltext.node import ALIAS, MAP, SCALAR, Node
from dralint.yamltext.view import Path, Plain, entries

KINDS = frozenset({"policy"})
# Kinds whose rules judge or change other objects. Source: Kyverno, Kubernetes and Gatekeeper APIs.
_KINDS = {
    ("kyverno.io", "ClusterPolicy"),
    ("kyverno.io", "Policy"),
    ("policies.kyverno.io", "ValidatingPolicy"),
    ("policies.kyverno.io", "MutatingPolicy"),
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicy"),
    ("templates.gatekeeper.sh", "ConstraintTemplate"),
}
_NAME = "nvidia.com/gpu"
_CLAIM_WORDS = ("resourceClaims", "resourceClaimTemplate", "resource.k8s.io")


def _first(root: Node, path: Path, word: str) -> Path | None:
    """The first place under a node, in keys or values, that holds a word."""
    waiting: list[tuple[Path, Node]] = [(path, root)]
    while waiting:
        place, node = waiting.pop()
        if node.kind == ALIAS:
            continue
        if node.kind == SCALAR:
            if word in node.text:
                return place
        elif node.kind == MAP:
            named = next((key for key in entries(node) if word in key), None)
            if named is not None:
                return (*place, named)
            waiting.extend(((*place, key), entry.value) for key, entry in reversed(entries(node).items()))
        else:
            waiting.extend(((*place, index), item) for index, item in reversed([*enumerate(node.items)]))
    return None


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """A policy that names nvidia.com/gpu."""
    if (obj.group, obj.ref.kind) not in _KINDS:
        return
    spec = entries(obj.node).get("spec")
    place = _first(spec.value, (*obj.path, "spec"), _NAME) if spec is not None else None
    if place is None or spec is None:
        return
    facts: dict[str, Plain] = {
        "claims": any(_first(spec.value, (), word) is not None for word in _CLAIM_WORDS),
        "uses_dra": around.uses_dra(obj),
    }
    yield around.subject("policy", obj, place, facts)
