"""The target as the files show it: GPUClusters, chart values and releases among them set stack and gates."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from dralint.kube.objects import ParsedFile
from dralint.nvidia.drivers import Drivers, title_of

if TYPE_CHECKING:
    from dralint.nvidia.installs import Install
    from dralint.nvidia.target import Target

# Of so many clusters the summary says what their files tell.
_SHOWN = 3
Groups = list[tuple["Target", list[ParsedFile]]]


def _gates(tiers: Iterable[Sequence[Install]]) -> tuple[dict[str, bool], set[str]]:
    """The gates that installations set, the nearest last, and those of them that are in doubt.

    Of several as near that disagree the one that has a gate on counts: better silent than wrong.
    """
    gates: dict[str, bool] = {}
    doubted: set[str] = set()
    for tier in tiers:
        each_on = [{gate.name for gate in install.gates if gate.value} for install in tier]
        named = {gate.name for install in tier for gate in install.gates if gate.value is not None}
        some, every = set().union(*each_on), set.intersection(*each_on)
        gates.update({name: name in some for name in named})
        doubted = (doubted - named) | (some - every)
    return gates, doubted


def _with(target: Target, tiers: Sequence[Sequence[Install]]) -> Target:
    """The target with what installations say, the nearest last."""
    from dralint.nvidia.target import learned as with_installation

    stacks = {each.stack for each in tiers[-1]}
    told = (
        {version for each in tier if (version := each.dra_driver) is not None} for tier in reversed(tiers)
    )
    versions = next((found for found in told if found), set())
    sources = list(dict.fromkeys(title_of(each) for tier in reversed(tiers) for each in tier))
    source = sources[0] if len(sources) == 1 else f"{sources[0]} and {len(sources) - 1} more"
    gates, doubted = _gates(tiers)
    return with_installation(
        target,
        stacks.pop() if len(stacks) == 1 else None,
        gates,
        versions.pop() if len(versions) == 1 else None,
        source,
        doubted,
    )


def learned(
    target: Target,
    files: Sequence[ParsedFile],
    named: Iterable[ParsedFile],
    context: Callable[[], Iterable[ParsedFile]] | None,
) -> Groups:
    """The target with what the files say about the DRA driver, where nobody said it otherwise.

    One target for each of the clusters that the files are for, with their files: `reach` tells which installation
    counts for which file.

    named    the files that can tell
    context  gives those that can tell where none of the named ones does; None: not asked for
    """
    found = Drivers(named, target.stack)
    if not found and context is None:
        return [(target, list(files))]
    more: Drivers | None = None
    targets: dict[tuple[int, ...], Target] = {(): target}
    groups: dict[int, tuple[Target, list[ParsedFile]]] = {}
    for file in files:
        counting = found.of(file)
        if not counting and context is not None:
            more = Drivers(context(), target.stack) if more is None else more
            counting = more.of(file)
        key = tuple(id(each) for tier in counting for each in tier)
        if key not in targets:
            targets[key] = _with(target, counting)
        own = targets[key]
        groups.setdefault(id(own), (own, []))[1].append(file)
    return list(groups.values()) or [(target, [])]


def joined(target: Target, several: Sequence[Target]) -> Target:
    """The target to show for files of several clusters: what nobody said is said once for each, of the first few."""
    if len(several) == 1:
        return several[0]
    assumed = [*dict.fromkeys(each for one in several for each in one.assumed)]
    own = [each for each in assumed if each not in target.assumed]
    left = own[_SHOWN:]
    more = [f"as their own files say for {len(left)} more clusters"] if left else []
    kept = [each for each in assumed if each not in left]
    return dataclasses.replace(target, assumed=(*kept, *more))
