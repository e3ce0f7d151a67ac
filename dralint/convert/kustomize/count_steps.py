"""JSON patches (RFC 6902) with steps that set the GPU count of one container: which steps they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from dralint.convert.counts import MAX_DEVICES
from dralint.convert.kustomize.applied import Patch
from dralint.convert.kustomize.patches import every_touch, pointed
from dralint.convert.occurrences import Found
from dralint.convert.work import PodWork
from dralint.kube.objects import ParsedFile
from dralint.kube.places import GROUPS
from dralint.kube.quantity import Count, parse_count
from dralint.yamltext.node import ALIAS, MAP, SEQ, Node, deref
from dralint.yamltext.view import children, entries, get, string

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


def _may_move(step: Node, groups: Iterable[tuple[str, ...]]) -> bool:
    """Whether a step of a JSON patch may give the containers of a pod other indexes."""
    op = string(get(step, "op"))
    for key in ("path", "from"):
        node = get(step, key)
        path = pointed(string(node) or "")
        if node is None or op == _TESTING or (op == "copy" and key == "from"):
            continue
        for group in groups:
            at_end = op == "add" and path == (*group, "-")
            if path == group[: len(path)] or (path[:-1] == group and not at_end):
                return True
    return False


def indexes_stand(base: PodWork, patches: Iterable[tuple[Patch, Node]]) -> bool:
    """Whether the containers of a pod keep their indexes whatever the patches for it do.

    A strategic merge puts a new container before the others. Source: kyaml merge2, MergeOptionsListPrepend.
    """
    start = len(base.pod.object.path)
    pod = base.pod.path[start:]
    groups = [tuple(map(str, (*pod, group))) for group in GROUPS]
    names = {(each.group, each.name) for each in base.containers}
    for _, written in patches:
        body = deref(written)
        if body.kind == SEQ:
            if any(_may_move(step, groups) for step in children(body)):
                return False
            continue
        spec = get(body, *pod)
        if spec is not None and spec.kind == MAP and any(key.startswith("$set") for key in entries(spec)):
            return False
        for group in GROUPS:
            for each in children(get(spec, group)):
                name = string(get(each, "name"))
                if get(each, "$patch") is not None or (group, name) not in names:
                    return False
    return True


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
    if len(counts) != 1 or any(not set_[side] for side in sides):
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
