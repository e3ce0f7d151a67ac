"""From the decided pods of a file to groups of operations: one group for each pod, all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dralint.convert.around import Spot, named_object, namespace_of, outermost, spot_of
from dralint.convert.claims import Claim, Wanted
from dralint.convert.edits import pod_operations
from dralint.convert.names import label, template_name, workload_name
from dralint.convert.options import Options
from dralint.convert.standing import is_json
from dralint.convert.templates import (
    Template,
    TemplateNames,
    insertions,
    ordering_annotations,
    spec_of,
)
from dralint.convert.work import PodWork
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.yamltext.operations import Operation

Requests = tuple[Wanted, ...]


class Plan(NamedTuple):
    """groups: the operations of each pod; templates: for each pod the template of each of its claims."""

    groups: list[list[Operation]]
    templates: list[list[str]]


def _claims(work: PodWork) -> Sequence[Claim]:
    return work.claims.claims if work.claims else ()


def _name(requests: Requests, users: Sequence[PodWork]) -> str:
    """The name of the template for what these pods of one workload need alike."""
    first = users[0]
    parts = {work.pod.part for work in users}
    part = label(first.pod.part) if len(parts) == 1 and first.pod.part else None
    container = None
    if len({claim.requests for claim in _claims(first)}) > 1:
        holder = next(claim.holder for claim in _claims(first) if claim.requests == requests)
        name = first.containers[holder].name if holder is not None else "init"
        container = label(name or "") or "init"
    return template_name(workload_name(named_object(first.pod.object)) or "", part, container)


def _of_workload(works: Sequence[PodWork]) -> list[tuple[Requests, list[PodWork]]]:
    """The different needs of the pods of one object, each with the pods that have it."""
    users: dict[Requests, dict[PodWork, None]] = {}
    for work in works:
        for claim in _claims(work):
            users.setdefault(claim.requests, {})[work] = None
    return [(requests, list(having)) for requests, having in users.items()]


def make_plan(file: ParsedFile, works: Sequence[PodWork], options: Options) -> Plan:
    """The operations that convert the pods, those of a template with its first user."""
    names = TemplateNames(file)
    by_object: dict[KubeObject, list[PodWork]] = {}
    for work in works:
        by_object.setdefault(work.pod.object, []).append(work)
    given: dict[tuple[KubeObject, Requests], str] = {}
    written: dict[Spot, tuple[PodWork, list[Template]]] = {}
    for obj, pods in by_object.items():
        for requests, users in _of_workload(pods):
            template = Template(
                _name(requests, users),
                spec_of(requests),
                namespace_of(obj),
                ordering_annotations(outermost(obj)),
            )
            name, new = names.take(template)
            given[obj, requests] = name
            if new:
                written.setdefault(spot_of(obj), (users[0], []))[1].append(template._replace(name=name))
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
        groups.append([*first.get(work, ()), *pod_operations(work, mine, toleration=options.toleration)])
    return Plan(groups, chosen)
