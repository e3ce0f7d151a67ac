"""Whom a statement about a cluster counts for: a repository can hold the manifests of many clusters."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

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


def _fork(one: Parts, other: Parts) -> int:
    """The number of directories that two paths have in common."""
    pairs = zip(one, other, strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _elsewhere(here: Parts, there: Parts, fork: int) -> bool:
    """Whether what stands there is for another cluster than what stands here, or for none."""
    names = _names()
    if not names.samples.isdisjoint(there[fork:]):
        return True
    if fork == len(here) or fork == len(there):
        return False
    if here[fork] in names.common or there[fork] in names.common:
        return False
    divided = fork > 0 and here[fork - 1] in names.apart
    return divided or {here[fork], there[fork]} <= names.stages


class Counting(NamedTuple):
    """How near a statement is to a file: `fork` directories in common; `branch`: where it stands below them."""

    fork: int
    branch: str


def _near(here: Parts, there: Sequence[Parts]) -> list[Counting | None]:
    """For each place how near it is to here; None for one that does not count."""
    found: list[Counting | None] = []
    for parts in there:
        fork = _fork(here, parts)
        below = parts[fork] if fork < len(parts) else ""
        found.append(None if _elsewhere(here, parts, fork) else Counting(fork, below))
    beside = {each.fork for each in found if each and each.branch and each.branch not in _names().common}
    nearest = max(beside, default=0)
    return [
        each if each and (not each.branch or each.branch in _names().common or each.fork == nearest) else None
        for each in found
    ]


def tiers(file: ParsedFile, said: Sequence[Said], where: Callable[[Said], ParsedFile]) -> list[list[Said]]:
    """The statements that count for a file, the nearest last; those of one tier are as near as each other.

    Those in the directories above a file count, and of those elsewhere in its git work tree the nearest. None counts
    from another cluster's directory, or from samples and tests.
    """
    root = git_root(directory(file))
    able = [each for each in said if git_root(directory(where(each))) == root]
    near = _near(_parts(directory(file)), [_parts(directory(where(each))) for each in able])
    found: dict[int, list[Said]] = defaultdict(list)
    for each, counting in zip(able, near, strict=True):
        if counting is not None:
            found[counting.fork].append(each)
    return [found[fork] for fork in sorted(found)]


def sure(file: ParsedFile, said: Sequence[Said], where: Callable[[Said], ParsedFile]) -> list[Said]:
    """Of the nearest statements that count for a file those that surely do: all in one branch of the tree."""
    nearest = (tiers(file, said, where) or [[]])[-1]
    here = _parts(directory(file))
    branches = set()
    for each in nearest:
        there = _parts(directory(where(each)))
        fork = _fork(here, there)
        branches.add(there[fork] if fork < len(there) else "")
    return nearest if len(branches) == 1 else []
