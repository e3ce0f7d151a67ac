"""Whom a statement about a cluster counts for: a repository can hold the manifests of many clusters."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

from dralint.kube.neighbours import directory
from dralint.kube.objects import ParsedFile
from dralint.source.git import git_root
from dralint.yamltext.load import load_data

_DATA = os.path.join(os.path.dirname(__file__), "data", "trees.yaml")
Said = TypeVar("Said")
Parts = tuple[str, ...]


class _Names(NamedTuple):
    """The names of directories that divide a tree; see data/trees.yaml."""

    apart: frozenset[str]
    stages: frozenset[str]
    common: frozenset[str]
    samples: frozenset[str]


@cache
def _names() -> _Names:
    data: Any = load_data(_DATA)
    return _Names(
        frozenset(entry["name"] for entry in data["apart"]),
        *(frozenset(data[key]["names"]) for key in ("stages", "common", "samples")),
    )


@cache
def _parts(where: str) -> Parts:
    return tuple(where.split(os.sep))


class _Tree:
    """Statements by the directories that they stand in: of every directory above one, in which branch below it."""

    def __init__(self) -> None:
        self._places: dict[int, Parts] = {}
        self._branches: dict[Parts, dict[str, list[int]]] = {}

    def add(self, number: int, place: Parts) -> None:
        for depth in range(len(place) + 1):
            branch = place[depth] if depth < len(place) else ""
            self._branches.setdefault(place[:depth], {}).setdefault(branch, []).append(number)
        self._places[number] = place

    def _counting(self, here: Parts, fork: int, *, far: bool) -> dict[str, list[int]]:
        """What counts of the statements that have so many directories in common with here, by branch.

        far: nearer ones count, so that of these only what counts for everything below its directory does
        """
        names, branches = _names(), self._branches.get(here[:fork], {})
        own = here[fork] if fork < len(here) else None
        divided = own is not None and fork > 0 and here[fork - 1] in names.apart and own not in names.common
        found = {}
        for branch in ("", *names.common) if far or divided else branches:
            if branch == own or branch not in branches:
                continue
            if own in names.stages and branch in names.stages:
                continue
            able = [each for each in branches[branch] if names.samples.isdisjoint(self._places[each][fork:])]
            if able:
                found[branch] = able
        return found

    def tiers(self, here: Parts) -> list[dict[str, list[int]]]:
        """The statements that count for a directory, the nearest last, each tier by branch."""
        found: list[dict[str, list[int]]] = []
        far = False
        for fork in range(len(here), -1, -1):
            counting = self._counting(here, fork, far=far)
            far = far or any(branch and branch not in _names().common for branch in counting)
            if counting:
                found.insert(0, counting)
        return found


class Reach(Generic[Said]):
    """Statements about clusters, to be asked which of them count for a file.

    where  gives the file that a statement stands in
    """

    def __init__(self, said: Iterable[Said], where: Callable[[Said], ParsedFile]) -> None:
        self._said = list(said)
        self._trees: dict[str | None, _Tree] = defaultdict(_Tree)
        self._tiers: dict[str, list[dict[str, list[int]]]] = {}
        for number, each in enumerate(self._said):
            place = directory(where(each))
            self._trees[git_root(place)].add(number, _parts(place))

    def _of(self, file: ParsedFile) -> list[dict[str, list[int]]]:
        place = directory(file)
        if place not in self._tiers:
            tree = self._trees.get(git_root(place)) if self._trees else None
            self._tiers[place] = tree.tiers(_parts(place)) if tree is not None else []
        return self._tiers[place]

    def tiers(self, file: ParsedFile) -> list[list[Said]]:
        """The statements that count for a file, the nearest last; those of one tier are as near as each other.

        Those in the directories above a file count, and of those elsewhere in its git work tree the nearest. None
        counts from another cluster's directory, or from samples and tests.
        """
        return [
            [self._said[number] for number in sorted(chain.from_iterable(tier.values()))]
            for tier in self._of(file)
        ]

    def sure(self, file: ParsedFile) -> list[Said]:
        """Of the nearest statements that count for a file those that surely do: all in one branch of the tree."""
        nearest = [*(self._of(file) or [{}])[-1].values()]
        return [self._said[number] for number in nearest[0]] if len(nearest) == 1 else []
