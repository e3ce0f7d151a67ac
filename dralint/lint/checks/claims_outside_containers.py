"""claims-outside-containers: claims are listed in the `resources` of containers and init containers only."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.places import Container, containers
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import pod_of
from dralint.yamltext.node import SEQ
from dralint.yamltext.view import get

_ADVICE = "list them in the containers that need the devices"
# Where people put a container's claims: beside `resources`, under the pod's name for them, or among the amounts.
_MISPLACED = (
    ("claims",),
    ("resourceClaims",),
    ("resources", "limits", "claims"),
    ("resources", "requests", "claims"),
)


def _misplaced(container: Container) -> Iterator[Hit]:
    """A hit for each list of claims in a container that is not at resources.claims."""
    for place in _MISPLACED:
        claims = get(container.node, *place)
        is_list = claims is not None and claims.kind == SEQ and bool(claims.items)
        if is_list or (claims is not None and place[0] == "resources"):
            what = f"container {container.name} at {'.'.join(place)}"
            yield Hit((*container.path, *place), {"what": what, "advice": "its place is resources.claims"})


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for claims that are not in the resources of a container or init container."""
    pod = pod_of(subject)
    if pod.schema != "full":
        return
    for container in containers(pod):
        yield from _misplaced(container)
    holders = [("the resources of the pod as a whole", pod.path, pod.node)]
    holders += [
        (f"the ephemeral container {each.name}", each.path, each.node)
        for each in containers(pod)
        if each.group == "ephemeralContainers"
    ]
    for what, path, node in holders:
        claims = get(node, "resources", "claims")
        if claims is not None and claims.kind == SEQ and claims.items:
            yield Hit((*path, "resources", "claims"), {"what": what, "advice": _ADVICE})
