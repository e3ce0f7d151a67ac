"""Field paths of data files, with wildcards: `spec.replicatedJobs[].template`, `spec.services.*.resources`.

`[]` stands for every item of a list, `*` for every value of a mapping.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from dralint.yamltext.node import MAP, SEQ, Node, deref
from dralint.yamltext.view import Path, entries, get

ITEMS, VALUES = "[]", "*"


@cache
def steps(text: str) -> tuple[str, ...]:
    """The steps of a path as data writes it; "" is the object itself."""
    found: list[str] = []
    for part in text.split(".") if text else ():
        name, wildcard, _ = part.partition(ITEMS)
        found.extend(step for step in (name, wildcard) if step)
    return tuple(found)


class Match(NamedTuple):
    """A node a path leads to.

    path      from the node the path was followed from
    bound     the indexes and keys that stand for the wildcards, in order
    node      aliases followed
    """

    path: Path
    bound: Path
    node: Node


def follow(node: Node, path: Sequence[str]) -> Iterator[Match]:
    """Every node the path leads to, in file order; each use of an alias is its own."""
    found = [Match((), (), deref(node))]
    for step in path:
        found = [deeper for match in found for deeper in _step(match, step)]
        if not found:
            return
    yield from found


def _step(match: Match, step: str) -> Iterator[Match]:
    path, bound, node = match
    if step == ITEMS:
        if node.kind == SEQ:
            for index, item in enumerate(node.items):
                yield Match((*path, index), (*bound, index), deref(item))
    elif node.kind == MAP:
        if step == VALUES:
            for key, entry in entries(node).items():
                yield Match((*path, key), (*bound, key), deref(entry.value))
        else:
            entry_of_step = entries(node).get(step)
            if entry_of_step is not None:
                yield Match((*path, step), bound, deref(entry_of_step.value))


def bind(path: Sequence[str], bound: Path) -> Path | None:
    """The path with its wildcards replaced; None when it has more of them than `bound` gives."""
    waiting = list(bound)
    found: list[str | int] = []
    for step in path:
        if step in (ITEMS, VALUES):
            if not waiting:
                return None
            found.append(waiting.pop(0))
        else:
            found.append(step)
    return tuple(found)


def bound_node(node: Node, path: Sequence[str], bound: Path) -> Node | None:
    """The node at a path whose wildcards are bound; None where there is none."""
    exact = bind(path, bound)
    return None if exact is None else get(node, *exact)
