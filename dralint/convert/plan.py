"""From the decided pods of a file to groups of operations: one group for each pod, all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dralint.convert.around import Spot, named_object, namespace_of, outermost, spot_of
from dralint.convert.claims import Claim, Wanted
from dralint.convert.dump.live import live_operations
from dralint.convert.edits import pod_operations
from dralint.convert.names import label, template_name, with_hash, workload_name
from dralint.convert.options import Options
from dralint.convert.sharing.shared_claims import together
from dralint.convert.standing import is_json
from dralint.convert.templates import (
    Template,
    TemplateNames,
    insertions,
    ordering_annotations,
    spec_of,
    template_names,
)
from dralint.convert.work import PodWork
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.yamltext.operations import Operation

Requests = tuple[Wanted, ...]


class Plan(NamedTuple):
    """What a file's conversion does.

    groups     the operations of each pod
    templates  for each pod the template of each of its claims
    names      to be kept once the operations are carried out
    """

    groups: list[list[Operation]]
    templates: list[list[str]]
    names: TemplateNames


def _claims(work: PodWork) -> Sequence[Claim]:
    return work.claims.claims if work.claims else ()


class _Need(NamedTuple):
    """What pods of one object need alike.

    users      the pods that need it
    container  the container of the first one that needs it, where others there need something else
    """

    requests: Requests
    users: Sequence[PodWork]
    container: str | None


def _name(need: _Need) -> str:
    """The name of the need's template."""
    first = need.users[0]
    parts = {work.pod.part for work in need.users}
    part = label(first.pod.part) if len(parts) == 1 and first.pod.part else None
    return template_name(workload_name(named_object(first.pod.object)) or "", part, need.container)


def _container_names(work: PodWork) -> dict[Requests, str | None]:
    """The different needs of a pod, each with the container it was first met in, where there are several."""
    holders: dict[Requests, int | None] = {}
    for claim in _claims(work):
        holders.setdefault(claim.requests, claim.holder)
    if len(holders) == 1:
        return dict.fromkeys(holders)
    names = {
        requests: work.containers[holder].name if holder is not None else None
        for requests, holder in holders.items()
    }
    return {requests: label(name or "") or "init" for requests, name in names.items()}


def _needs(works: Sequence[PodWork]) -> list[_Need]:
    """The different needs of the pods of one object."""
    needs: dict[Requests, tuple[str | None, list[PodWork]]] = {}
    for work in works:
        for requests, container in _container_names(work).items():
            needs.setdefault(requests, (container, []))[1].append(work)
    return [_Need(requests, users, container) for requests, (container, users) in needs.items()]


def _template(need: _Need, options: Options) -> Template:
    """What a need asks for, by the name that it would like to have."""
    first = need.users[0]
    obj, apart = first.pod.object, first.apart
    template = Template(
        _name(need),
        spec_of(need.requests),
        apart.namespace if apart is not None else first.namespace or namespace_of(obj),
        apart.annotations if apart is not None else ordering_annotations(outermost(obj)),
    )
    if first.shared is not None:
        template = together(template, need.requests[0], first.shared)
    if options.suffix_hash:
        template = template._replace(name=with_hash(template.name, template.spec))
    return template


def make_plan(file: ParsedFile, works: Sequence[PodWork], options: Options) -> Plan:
    """The operations that convert the pods, those of a template with its first user."""
    names = template_names(file)
    by_object: dict[KubeObject, list[PodWork]] = {}
    for work in works:
        if work.apart is not None:
            work.apart.templates.clear()
        by_object.setdefault(work.pod.object, []).append(work)
    given: dict[tuple[KubeObject, Requests], str] = {}
    written: dict[Spot, tuple[PodWork, list[Template]]] = {}
    for obj, pods in by_object.items():
        for need in _needs(pods):
            apart = need.users[0].apart
            template = _template(need, options)
            name, new = names.take(template)
            given[obj, need.requests] = name
            if apart is not None:
                apart.templates.append(template._replace(name=name))
            elif new:
                written.setdefault(spot_of(obj), (need.users[0], []))[1].append(template._replace(name=name))
    json = is_json(file)
    first = {
        user: insertions(spot, templates, outermost(user.pod.object), json)
        for spot, (user, templates) in written.items()
    }
    groups: list[list[Operation]] = []
    chosen: list[list[str]] = []
    for work in works:
        mine = [given[work.pod.object, claim.requests] for claim in _claims(work)]
        chosen.append(mine)
        toleration = options.toleration and not (work.apart is not None and work.apart.tolerated)
        edits = pod_operations(work, mine, toleration=toleration)
        if edits and work is by_object[work.pod.object][0]:
            edits = [*live_operations(work), *edits]
        groups.append([*first.get(work, ()), *edits])
    return Plan(groups, chosen, names)
