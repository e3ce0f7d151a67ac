"""Objects that kustomize moves to another namespace by themselves: a pod finds templates only in its own."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.convert.around import applied, named_object
from dralint.convert.kustomize.name_configuration import name_fields
from dralint.convert.kustomize.overlays import Kustomizations
from dralint.convert.names import template_name, workload_name
from dralint.convert.occurrences import Verdict
from dralint.convert.verdicts import needs_decision
from dralint.convert.work import Ground, PodWork
from dralint.errors import Place
from dralint.kube.dra import TEMPLATE
from dralint.kube.objects import KubeObject
from dralint.kube.replacements import Selector
from dralint.yamltext.node import SEQ, Node
from dralint.yamltext.view import children, get, string

_NAMESPACE = ("metadata", "namespace")
_METADATA, _POINTER = "/metadata", "/metadata/namespace"
_NEXT = (
    "let the kustomization set `namespace`, or what moves the object move the kind ResourceClaimTemplate as well, "
    "or convert what it renders"
)


def _writes(step: Node) -> bool:
    """Whether a step of a JSON patch gives a namespace, alone or with all of the metadata."""
    pointer = string(get(step, "path"))
    return string(get(step, "op")) != "test" and (
        pointer == _POINTER or (pointer == _METADATA and get(step, "value", "namespace") is not None)
    )


def moves(obj: KubeObject, known: Kustomizations) -> Iterator[tuple[Selector, str, Place]]:
    """What writes the namespace of an object: which objects are meant, who does it, and where."""
    for patch, body in known.patches(obj):
        text = patch.text()
        for step in children(body) if body.kind == SEQ and text is not None else ():
            node = get(step, "path")
            if node is not None and text is not None and _writes(step):
                place = patch.place if patch.inline else text.place(node.start)
                yield patch.selector, "a patch", place
    for reach in known.reaches(obj):
        if reach.sets and reach.path == _NAMESPACE:
            yield reach.selector, reach.what, reach.place


def moved_verdict(work: PodWork, ground: Ground) -> Verdict | None:
    """The verdict on a pod whose object gets a namespace that its templates would not get."""
    if (
        work.way != "claims"
        or ground.options.overlay is not None
        or not name_fields(work, ["resourceClaimName"])
    ):
        return None
    template = template_name(workload_name(named_object(work.pod.object)) or "", None, None)
    for selector, who, place in moves(applied(work.pod.object), ground.kustomizations):
        if not selector.means(TEMPLATE, [template]):
            return needs_decision(
                f"{who} moves the object to another namespace ({place}), and not its template", _NEXT
            )
    return None
