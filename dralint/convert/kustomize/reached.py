"""Fields that kustomize reads or sets across objects: does one of them meet what a conversion changes?"""

from __future__ import annotations

from collections.abc import Sequence

from dralint.convert.around import applied
from dralint.convert.kustomize.patches import Places, places_of
from dralint.convert.occurrences import Verdict
from dralint.convert.verdicts import needs_decision
from dralint.convert.work import Ground, PodWork
from dralint.kube.replacements import Reach
from dralint.nvidia.resources import classify
from dralint.yamltext.view import Path

_LABEL = "nvidia.com/"
_NEXT = "convert what the kustomization renders, or change both by hand"


def _may_be(step: str, at: Path, places: Places) -> bool:
    """Whether a step of a field's path may lead to where the last step of a path leads."""
    there = at[-1]
    if step in ("*", str(there)):
        return True
    if isinstance(there, str) or not step.startswith("["):
        return False
    key, _, value = step[1:-1].partition("=")
    name = places.names.get(at)
    return key != "name" or name is None or value == name


def _along(steps: Sequence[str], path: Path, places: Places) -> bool:
    """Whether a field's path and a path lead to the same place, or one through the other's."""
    common = min(len(steps), len(path))
    return all(_may_be(steps[index], path[: index + 1], places) for index in range(common))


def _meets(reach: Reach, places: Places, *, labels: bool) -> bool:
    steps = reach.path
    if any(_along(steps, path, places) for path in places.changed):
        return True
    if any(len(steps) >= len(path) and _along(steps, path, places) for path in places.removed):
        return True
    if not reach.sets:
        return False
    in_pod = len(steps) > len(places.pod) and _along(steps, places.pod, places)
    return in_pod and any(
        classify(step) is not None or (labels and step.startswith(_LABEL)) for step in steps
    )


def reached_verdict(work: PodWork, ground: Ground) -> Verdict | None:
    """The verdict on a pod of which something is read, or set, that its conversion changes."""
    places: Places | None = None
    labels = ground.options.node_labels != "keep"
    for reach in ground.kustomizations.reaches(applied(work.pod.object)):
        places = places or places_of(work, labels=labels)
        if _meets(reach, places, labels=labels):
            does = "sets" if reach.sets else "reads"
            return needs_decision(
                f"{reach.what} {does} {'.'.join(reach.path)} ({reach.place}), which the conversion changes",
                _NEXT,
            )
    return None
