"""JSON patches (RFC 6902) that give GPUs to a workload without any: the same steps, with a claim in their place."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dralint.convert.emptied import goes_with
from dralint.convert.kustomize.gpu_sites import Hold, Site
from dralint.convert.kustomize.indexes import movers
from dralint.convert.kustomize.json_patch import Step, steps
from dralint.convert.kustomize.overlays import Kustomizations
from dralint.convert.kustomize.patches import pointed
from dralint.convert.work import PodWork
from dralint.kube.objects import ParsedFile
from dralint.nvidia.resources import classify
from dralint.yamltext.node import MAP, SEQ, Node, deref
from dralint.yamltext.operations import Append, Operation, Remove
from dralint.yamltext.view import Path, Plain, children, entries, get, plain, string

_SIDES = ("limits", "requests")
_SETTING = ("add", "replace")
# What the steps write beside the container's own fields: no other patch may do so, too.
_POD = ("nodeSelector", "affinity", "tolerations", "resourceClaims")


class Unappliable(Exception):
    """The steps do not go with the object, or are none that are foreseen here."""


def _into(item: Plain, path: tuple[str, ...]) -> dict[str, Plain] | list[Plain]:
    node = item
    for step in path:
        if isinstance(node, dict) and step in node:
            node = node[step]
        elif isinstance(node, list) and step.isdigit() and int(step) < len(node):
            node = node[int(step)]
        else:
            raise Unappliable
    if not isinstance(node, dict | list):
        raise Unappliable
    return node


def _index(last: str, items: Sequence[Plain], *, end: bool) -> int:
    if end and last == "-":
        return len(items)
    if not last.isdigit() or int(last) >= len(items) + (1 if end else 0):
        raise Unappliable
    return int(last)


def _tested(parent: dict[str, Plain] | list[Plain], last: str, value: Plain) -> None:
    found = parent.get(last) if isinstance(parent, dict) else parent[_index(last, parent, end=False)]
    if found != value:
        raise Unappliable


def applied_steps(patch: Sequence[Plain], item: Plain) -> Plain:
    """The object after the steps; raises Unappliable, also for steps that copy or move."""
    after = copy.deepcopy(item)
    for step in patch:
        if not isinstance(step, dict):
            raise Unappliable
        op, path, value = step.get("op"), step.get("path"), copy.deepcopy(step.get("value"))
        if not isinstance(path, str) or not path.startswith("/"):
            raise Unappliable
        *above, last = pointed(path)
        parent = _into(after, tuple(above))
        if op == "test":
            _tested(parent, last, value)
        elif isinstance(parent, dict):
            if op in _SETTING and (op == "add" or last in parent):
                parent[last] = value
            elif op == "remove" and last in parent:
                del parent[last]
            else:
                raise Unappliable
        elif op == "add":
            parent.insert(_index(last, parent, end=True), value)
        elif op == "replace":
            parent[_index(last, parent, end=False)] = value
        elif op == "remove":
            del parent[_index(last, parent, end=False)]
        else:
            raise Unappliable
    return after


def _asking(node: Node, path: Path, key: str) -> Iterator[Path]:
    """The entries of limits and requests in a value that ask for GPUs; key: that it stands under."""
    if node.kind == MAP:
        for name, entry in entries(node).items():
            if key in _SIDES and classify(name) is not None:
                yield (*path, name)
            else:
                yield from _asking(deref(entry.value), (*path, name), name)
    elif node.kind == SEQ:
        for index, item in enumerate(children(node)):
            yield from _asking(item, (*path, index), "")


class Rest(NamedTuple):
    """What is left of a patch without the GPUs: the operations that take them out, and the steps that stay."""

    operations: list[Operation]
    steps: list[Plain]


def without_gpus(body: Node) -> Rest | None:
    """A patch without what asks for GPUs; None where something may ask for them that is not seen."""
    whole: list[int] = []
    inside: set[Path] = set()
    for index, step in enumerate(children(body)):
        at, value = pointed(string(get(step, "path")) or ""), get(step, "value")
        setting = string(get(step, "op")) in _SETTING
        if setting and len(at) > 1 and at[-2] in _SIDES and classify(at[-1]) is not None:
            whole.append(index)
        elif setting and value is not None:
            inside |= set(_asking(value, (index, "value"), at[-1] if at else ""))
    gone = set(inside)
    paths = {goes_with(body, path, gone, 2) for path in sorted(inside, key=str)}
    outermost = [path for path in paths if not any(path[:length] in paths for length in range(len(path)))]
    left: list[Plain] = []
    for index, step in enumerate(children(body)):
        item = plain(step)
        for path in (each for each in outermost if each[0] == index):
            parent = _into(item, tuple(map(str, path[1:-1])))
            if not isinstance(parent, dict):
                return None
            parent.pop(str(path[-1]), None)
        if index not in whole:
            left.append(item)
    operations: list[Operation] = [Remove(0, path) for path in sorted(outermost, key=str)]
    operations += [Remove(0, (index,)) for index in whole]
    return Rest(operations, left) if operations else None


def added(before: Plain, after: Plain) -> tuple[list[Step], list[Operation]]:
    """The steps that come at the end of the patch, and the operations that write them."""
    found = list(steps(before, after))
    return found, [Append(0, (), step) for step in found]


def _touched(body: Node, whole: PodWork) -> str | None:
    """What a strategic merge writes where the steps test that nothing stands."""
    pod = whole.pod.path
    for key in _POD:
        if get(body, *pod, key) is not None:
            return key
    names = {whole.containers[index].name for index in whole.asked}
    for group in ("containers", "initContainers"):
        for each in children(get(body, *pod, group)):
            if string(get(each, "name")) in names and get(each, "resources") is not None:
                return "resources"
    return None


def met(site: Site, whole: PodWork, known: Kustomizations) -> Hold | None:
    """Another patch that the steps, which test what they change, would not go together with."""
    names = known.names_of(site.base)
    others = [
        (patch, body)
        for each in site.beside(known)
        for patch in known.may_be_for(each, names)
        if patch.slot != site.patch.slot
        for body in patch.bodies(site.base, names)
    ]
    if movers(whole, others):
        return Hold("another patch may give its containers other indexes")
    for patch, body in others:
        field = None if deref(body).kind == SEQ else _touched(deref(body), whole)
        if field is not None:
            return Hold(f"another patch changes {field} ({patch.place})")
    return None


def steps_of(text: ParsedFile) -> Node | None:
    """The list of steps that a text is, if it is one."""
    root = text.documents[0].root if len(text.documents) == 1 else None
    return root if root is not None and root.kind == SEQ and text.documents[0].problem is None else None
