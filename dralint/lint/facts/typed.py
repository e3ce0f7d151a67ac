"""Subjects whose fields Kubernetes knows by name and type: DRA objects, and what pods say of claims (`typed`)."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import GROUP
from dralint.kube.objects import KubeObject
from dralint.kube.places import containers
from dralint.kube.schemas import definition_of, schema_version
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.parts import claiming_pods
from dralint.lint.subject import Subject
from dralint.yamltext.node import MAP
from dralint.yamltext.view import Path, Plain, children, get

KINDS = frozenset({"typed"})
POD_CLAIM = "io.k8s.api.core.v1.PodResourceClaim"
RESOURCES = "io.k8s.api.core.v1.ResourceRequirements"


def _places(obj: KubeObject, around: Surroundings) -> Iterator[tuple[str, Path]]:
    """The name of a definition and where what it describes stands."""
    if obj.group == GROUP:
        name = definition_of(obj.ref.api_version or "", obj.ref.kind or "", around.run.target.kubernetes)
        if name is not None:
            yield name, obj.path
        return
    for pod in claiming_pods(obj):
        for index, item in enumerate(children(get(pod.node, "resourceClaims"))):
            if item.kind == MAP:
                yield POD_CLAIM, (*pod.path, "resourceClaims", index)
        for container in containers(pod):
            if get(container.node, "resources") is not None:
                yield RESOURCES, (*container.path, "resources")


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """A DRA object as a whole; of a pod with claims its claims and its containers' resources."""
    if schema_version(around.run.target.kubernetes) is None:
        return
    for definition, path in _places(obj, around):
        facts: dict[str, Plain] = {"definition": definition}
        yield around.subject("typed", obj, path, facts)
