"""Fields that kustomize reads or sets across objects: does one of them meet what a conversion changes?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dralint.convert.around import applied
from dralint.convert.kustomize.patches import Places, places_of
from dralint.convert.kustomize.transformers import Transformer
from dralint.convert.model import Note
from dralint.convert.notes.pod_notes import note_at, with_devices
from dralint.convert.occurrences import Verdict
from dralint.convert.verdicts import needs_decision
from dralint.convert.work import Ground, PodWork
from dralint.errors import Place
from dralint.kube.replacements import Reach
from dralint.nvidia.resources import classify
from dralint.yamltext.view import Path

_LABEL, _CLAIM = "nvidia.com/", "resourceClaim"
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


def meets(reach: Reach, work: PodWork, *, labels: bool) -> bool:
    """Whether a field that is read or set meets what the conversion of a pod changes.

    labels: whether node labels become selectors
    """
    steps, places = reach.path, places_of(work, labels=labels)
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


def _plugins(work: PodWork, ground: Ground) -> Iterator[Transformer]:
    return ground.kustomizations.plugins(applied(work.pod.object))


def speaks_of_gpus(plugin: Transformer) -> bool:
    """Whether the configuration of a transformer that may do anything is about GPUs or claims."""
    text = plugin.file.text.text[plugin.root.start : plugin.root.end]
    return any(word in text for word in (_LABEL, _CLAIM))


def _plugin_verdict(plugin: Transformer) -> Verdict:
    return needs_decision(
        f"the transformer {plugin.kind} ({plugin.place}) is not kustomize's own, and what it says is about GPUs",
        "convert what the kustomization renders",
    )


def plugin_notes(works: Sequence[PodWork], ground: Ground) -> Iterator[Note]:
    """Transformers that may do anything to what was converted, each at the first workload that it is for."""
    told: set[Place] = set()
    for work in works:
        converted = with_devices(work) and work.way != "extended-resource"
        for plugin in _plugins(work, ground) if converted else ():
            if plugin.place not in told:
                told.add(plugin.place)
                message = (
                    f"the transformer {plugin.kind} ({plugin.place}) is not kustomize's own, and may do anything: "
                    "look at what it renders"
                )
                yield note_at(work, work.pod.object.node, "kustomize", message)


def reached_verdict(work: PodWork, ground: Ground) -> Verdict | None:
    """The verdict on a pod of which something is read, or set, that its conversion changes."""
    labels = ground.options.node_labels != "keep"
    for reach in ground.kustomizations.reaches(applied(work.pod.object)):
        if meets(reach, work, labels=labels):
            return needs_decision(
                f"{reach.what} {reach.does} ({reach.place}), which the conversion changes", _NEXT
            )
    return next((_plugin_verdict(each) for each in _plugins(work, ground) if speaks_of_gpus(each)), None)
