"""Whether JSON patches mean the containers that they seem to: patches may give containers other indexes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dralint.convert.around import applied
from dralint.convert.kustomize.applied import Patch
from dralint.convert.kustomize.patches import pointed
from dralint.convert.work import PodWork
from dralint.kube.places import GROUPS
from dralint.yamltext.node import MAP, SEQ, Node, deref
from dralint.yamltext.view import Path, children, entries, get, string


class Mover(NamedTuple):
    """A patch that may give containers of a pod other indexes; last: only its last step does."""

    body: Node
    last: bool


def _may_move(step: Node, groups: Iterable[tuple[str, ...]]) -> bool:
    """Whether a step of a JSON patch may give the containers of a pod other indexes."""
    op = string(get(step, "op"))
    for key in ("path", "from"):
        node = get(step, key)
        path = pointed(string(node) or "")
        if node is None or op == "test" or (op == "copy" and key == "from"):
            continue
        for group in groups:
            at_end = op == "add" and path == (*group, "-")
            if path == group[: len(path)] or (path[:-1] == group and not at_end):
                return True
    return False


def _merge_moves(body: Node, work: PodWork, pod: Path) -> bool:
    """Whether a strategic merge does: it puts the containers that it lists before the others.

    Source: kyaml merge2, MergeOptionsListPrepend.
    """
    spec = get(body, *pod)
    if spec is not None and spec.kind == MAP and any(key.startswith("$set") for key in entries(spec)):
        return True
    for group in GROUPS:
        items = children(get(spec, group))
        there = sorted((each for each in work.containers if each.group == group), key=lambda each: each.index)
        listed = [string(get(each, "name")) for each in items]
        if any(get(each, "$patch") is not None for each in items):
            return True
        if listed != [each.name for each in there][: len(listed)]:
            return True
    return False


def movers(work: PodWork, patches: Iterable[tuple[Patch, Node]]) -> list[Mover]:
    """The patches for a pod that may give its containers other indexes."""
    pod = work.pod.path[len(applied(work.pod.object).path) :]
    groups = [tuple(map(str, (*pod, group))) for group in GROUPS]
    found: list[Mover] = []
    for _, written in patches:
        body = deref(written)
        if body.kind == SEQ:
            moving = [_may_move(step, groups) for step in children(body)]
            if any(moving):
                found.append(Mover(body, not any(moving[:-1])))
        elif _merge_moves(body, work, pod):
            found.append(Mover(body, False))
    return found


def stand_for(body: Node, moving: Sequence[Mover]) -> bool:
    """Whether the indexes in a patch are those of the containers in the object."""
    return all(each.body is deref(body) and each.last for each in moving)
