"""The advice on workloads whose GPUs come from strings of a kustomization, each where its request stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dralint.convert.advice.advice import judged, workloads
from dralint.convert.kustomize.count_told import Spot
from dralint.convert.kustomize.string_requests import StringRequests
from dralint.convert.model import Occurrence, Outcome, Workload, is_open
from dralint.convert.occurrences import Found
from dralint.convert.work import Ground
from dralint.kube.objects import ObjectRef


def _true(occurrence: Occurrence) -> Mapping[str, Mapping[str, str]]:
    if is_open(occurrence):
        return {"open": {"why": occurrence.reason}}
    if occurrence.outcome is Outcome.KEPT and occurrence.mode is None:
        return {"kept": {"why": occurrence.reason}}
    return {"mapped": {"resource": occurrence.resource}}


def string_workloads(strings: StringRequests, ground: Ground) -> Iterator[Workload]:
    """The advice on each object that a string is a patch for."""
    by_spot: dict[Spot, list[Found]] = {}
    for found, spot in strings.asked.items():
        by_spot.setdefault(spot, []).append(found)
    for spot, every in by_spot.items():
        place = strings.places.get(spot)
        mine = [work for work in strings.works if strings.asked[next(work.found)] == spot]
        for each in workloads(every, mine, ground) if place is not None else ():
            assert place is not None
            yield each._replace(path=place.path, line=place.line or 1)
    groups: dict[tuple[str, ObjectRef | None], list[Occurrence]] = {}
    for one in strings.others:
        groups.setdefault((one.path, one.object), []).append(one)
    for (path, ref), left in groups.items():
        first = next(filter(is_open, left), left[0])
        outcomes = tuple(one.outcome for one in left)
        yield Workload(path, left[0].line, ref, *judged(_true(first)), outcomes)
