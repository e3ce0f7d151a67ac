"""Notes on templates of one name in different files that request different things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dralint.convert.around import may_share_namespace, namespace_of
from dralint.convert.claims import Wanted
from dralint.convert.model import Note
from dralint.convert.notes.pod_notes import note_at, with_claims
from dralint.convert.templates import spec_of, written_spec
from dralint.convert.work import Ground, PodWork
from dralint.kube.dra import TEMPLATE

_Requests = tuple[Wanted, ...]
# By the requests of templates of one name the files that get one, by the namespace as it is written.
_Made = dict[_Requests, dict[object, set[str]]]


def _made_by(work: PodWork) -> dict[str, _Requests]:
    """The templates that are made for a pod."""
    if work.claims is None or work.shared is not None:
        return {}
    wanted = {claim.name: claim.requests for claim in work.claims.claims}
    made = [each.verdict.claim for each in with_claims(work) if each.verdict and each.verdict.claim]
    return {claim.template: wanted[claim.name] for claim in made}


def _others_made(work: PodWork, requests: _Requests, made: _Made) -> Iterator[str]:
    """The other files that get a template of the name with other requests."""
    if len(made) == 1:
        return
    namespace = namespace_of(work.pod.object)
    for each, places in made.items():
        if each == requests:
            continue
        for there, names in places.items():
            if namespace is None or there is None or there == namespace:
                yield min(names - {work.file.file.name}, default="")


def _other_place(work: PodWork, name: str, requests: _Requests, ground: Ground) -> str | None:
    """Where another file has a template of the name that requests something else."""
    spec = spec_of(requests)
    for bundle in (ground.bundle, ground.context.bundle):
        places = [
            (obj.file.file.name, obj.node.start, str(obj.file.place(obj.node.start)))
            for obj in bundle.find(TEMPLATE, None, name)
            if not obj.file.is_with(work.file)
            and may_share_namespace(obj, work.pod.object)
            and written_spec(obj) != spec
        ]
        if places:
            return min(places)[-1]
    return None


def template_notes(works: Sequence[PodWork], ground: Ground) -> Iterator[Note]:
    """Templates of one name and different needs: whichever is applied last would count.

    Each of them is told, with the first of the others in the order of file names.
    """
    made: dict[str, _Made] = {}
    of_work: list[tuple[PodWork, Mapping[str, _Requests]]] = [(work, _made_by(work)) for work in works]
    for work, templates in of_work:
        namespace = namespace_of(work.pod.object) if templates else None
        for name, requests in templates.items():
            places = made.setdefault(name, {}).setdefault(requests, {})
            places.setdefault(namespace, set()).add(work.file.file.name)
    for work, templates in of_work:
        for name, requests in templates.items():
            others = filter(None, _others_made(work, requests, made[name]))
            other = min(others, default="") or _other_place(work, name, requests, ground)
            if other:
                message = f"a template of the same name, {name}, requests something else in {other}: never apply both to one namespace; --suffix-hash gives them different names"
                yield note_at(work, work.pod.object.node, "names", message)
