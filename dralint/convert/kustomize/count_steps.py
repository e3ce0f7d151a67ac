"""JSON patches (RFC 6902) with steps that set the GPU count of one container: which steps they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dralint.convert.counts import MAX_DEVICES
from dralint.convert.kustomize.patches import every_touch, pointed
from dralint.convert.occurrences import Found
from dralint.convert.work import PodWork
from dralint.kube.objects import ParsedFile
from dralint.kube.quantity import Count, parse_count
from dralint.yamltext.node import ALIAS, MAP, SEQ, Node, deref
from dralint.yamltext.view import entries, get, string

_SIDES = ("limits", "requests")
_SETTING, _TESTING = ("add", "replace"), "test"
_FIELDS = {"op", "path", "value"}


class CountStep(NamedTuple):
    """A step that sets or tests the count: its operation, and the number of devices."""

    op: str
    devices: int


class StepCount(NamedTuple):
    """The steps of a JSON patch that set or test a count.

    document  their list's index in the text
    steps     by index those on one side, limits where both are set
    others    the indexes of those that say the same of the other side
    alone     the patch has no other steps
    devices   the count that is set
    """

    document: int
    steps: Mapping[int, CountStep]
    others: tuple[int, ...]
    alone: bool
    devices: int


def _counted(step: Node, paths: Mapping[tuple[str, ...], str]) -> tuple[str, CountStep] | None:
    """The side that a step sets or tests the count of, and what it says; None for other steps."""
    if step.kind != MAP or not entries(step).keys() <= _FIELDS:
        return None
    side = paths.get(pointed(string(get(step, "path")) or ""))
    op, value = string(get(step, "op")), get(step, "value")
    if side is None or value is None or op not in (*_SETTING, _TESTING):
        return None
    count: Count = parse_count(value)
    if not count.exact or not 0 < (count.value or 0) <= MAX_DEVICES:
        return None
    return side, CountStep(op, count.value or 0)


def step_count(
    base: PodWork, container: int, mine: Found, text: ParsedFile, body: Node, *, labels: bool
) -> StepCount | None:
    """The steps of a JSON patch that set the count of a request, if it changes nothing else of the pod's GPUs."""
    place = base.containers[container].path[len(base.pod.object.path) :]
    paths = {tuple(map(str, (*place, "resources", side, mine.resource.name))): side for side in _SIDES}
    found: dict[str, dict[int, CountStep]] = {side: {} for side in _SIDES}
    rest: list[Node] = []
    for index, step in enumerate(body.items):
        counted = _counted(step, paths) if step.kind != ALIAS else None
        if counted is None:
            rest.append(step)
        else:
            found[counted[0]][index] = counted[1]
    set_ = {
        side: {each.devices for each in steps.values() if each.op in _SETTING}
        for side, steps in found.items()
    }
    sides = {str(path[-2]) for path in mine.entries}
    counts = set.union(*set_.values())
    # Where a patch sets one side alone, the other goes on asking for another number.
    if len(counts) != 1 or {side for side in _SIDES if set_[side]} != sides:
        return None
    for step in rest:
        alone = Node(SEQ, "", [step], step.start, step.end, "[")
        if every_touch(base, text, alone, labels=labels):
            return None
    main = next(side for side in _SIDES if found[side])
    others = tuple(index for side in _SIDES if side != main for index in found[side])
    document = next(
        index
        for index, each in enumerate(text.documents)
        if each.root is not None and deref(each.root).start == body.start
    )
    return StepCount(document, found[main], others, not rest, counts.pop())
