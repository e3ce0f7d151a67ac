"""Requests in strings of kustomizations whose names stay: the verdicts that they would have in a pod."""

from __future__ import annotations

import json
from collections.abc import Iterable

from dralint.convert.kustomize.gpu_whole import without_line
from dralint.convert.model import Outcome
from dralint.convert.occurrences import Found, Verdict, occurrences
from dralint.convert.outside import decide_outside
from dralint.convert.pods import decide_pod
from dralint.convert.work import Ground, PodWork, pods_with_requests
from dralint.kube.objects import ParsedFile
from dralint.kube.read import parse_string


def decided_merge(text: ParsedFile, ground: Ground) -> tuple[list[PodWork], list[Found]]:
    """The pods of a strategic merge, and its requests in no pod, decided as those of a patch file are."""
    works, outside = pods_with_requests(occurrences(text))
    for work in works:
        decide_pod(work, ground)
    decide_outside(outside, ground)
    for found in (*(each for work in works for each in work.found), *outside):
        # Lines of the text are none of the file that it stands in.
        found.verdict = without_line(found.verdict) if found.verdict is not None else None
    return works, outside


def decided_step(home: ParsedFile, resource: str, quantity: str, ground: Ground) -> Found | None:
    """What a step of a JSON patch asks for, decided as in a pod that holds nothing else; None for no such name."""
    limits = {"limits": {resource: quantity}}
    spec = {"containers": [{"name": "patched", "resources": limits}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "patched"}, "spec": spec}
    text = parse_string(home.file.name, json.dumps(pod))
    works = pods_with_requests(occurrences(text))[0] if text is not None else []
    for work in works:
        decide_pod(work, ground)
        for found in work.found:
            found.verdict = without_line(found.verdict) if found.verdict is not None else None
            return found
    return None


def by_resource(found: Iterable[Found]) -> dict[str, Verdict]:
    """The verdicts on requests by resource name; where they differ, one that leaves it to a person."""
    verdicts: dict[str, Verdict] = {}
    for each in found:
        said = verdicts.get(each.resource.name)
        if each.verdict is not None and (said is None or said.outcome is Outcome.KEPT):
            verdicts[each.resource.name] = each.verdict
    return verdicts
