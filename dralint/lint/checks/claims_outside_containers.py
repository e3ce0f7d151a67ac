"""claims-outside-containers: only containers and init containers can list claims."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.places import containers
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import pod_of
from dralint.yamltext.node import SEQ
from dralint.yamltext.view import get


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for claims in the pod's own resources, and in those of an ephemeral container."""
    pod = pod_of(subject)
    if pod.schema != "full":
        return
    holders = [("the resources of the pod as a whole", pod.path, pod.node)]
    holders += [
        (f"the ephemeral container {each.name}", each.path, each.node)
        for each in containers(pod)
        if each.group == "ephemeralContainers"
    ]
    for what, path, node in holders:
        claims = get(node, "resources", "claims")
        if claims is not None and claims.kind == SEQ and claims.items:
            yield Hit((*path, "resources", "claims"), {"what": what})
