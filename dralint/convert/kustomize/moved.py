"""Objects that kustomize moves to another namespace by themselves: a pod finds templates only in its own."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.convert.around import applied, named_object
from dralint.convert.kustomize.name_configuration import name_fields
from dralint.convert.names import template_name, workload_name
from dralint.convert.occurrences import Verdict
from dralint.convert.verdicts import needs_decision
from dralint.convert.work import Ground, PodWork
from dralint.errors import Place
from dralint.kube.dra import TEMPLATE
from dralint.kube.replacements import Selector
from dralint.yamltext.node import SEQ
from dralint.yamltext.view import children, get, string

_NAMESPACE = ("metadata", "namespace")
_POINTER = "/metadata/namespace"
_NEXT = (
    "let the kustomization set `namespace`, or what moves the object move the kind ResourceClaimTemplate as well, "
    "or convert what it renders"
)


def _moves(work: PodWork, ground: Ground) -> Iterator[tuple[Selector, str, Place]]:
    """What writes the namespace of the pod's object: which objects are meant, who does it, and where."""
    obj = applied(work.pod.object)
    for patch, body in ground.kustomizations.patches(obj):
        text = patch.text()
        for step in children(body) if body.kind == SEQ and text is not None else ():
            node = get(step, "path")
            writes = string(node) == _POINTER and string(get(step, "op")) != "test"
            if node is not None and text is not None and writes:
                place = patch.place if patch.inline else text.place(node.start)
                yield patch.selector, "a patch", place
    for reach in ground.kustomizations.reaches(obj):
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
    for selector, who, place in _moves(work, ground):
        if not selector.means(TEMPLATE, [template]):
            return needs_decision(
                f"{who} moves the object to another namespace ({place}), and not its template", _NEXT
            )
    return None
