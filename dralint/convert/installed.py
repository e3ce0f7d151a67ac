"""Who installs the DRA driver, read from the files where nobody said it.

Only what stands outside the workloads may follow it: DeviceClasses, notes, steps. A workload's own bytes are the same
whatever stands in the files beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dralint.kube.bundle import Bundle, Context
from dralint.kube.objects import ParsedFile
from dralint.nvidia.drivers import Drivers, Tiers, title_of
from dralint.nvidia.installs import Install
from dralint.nvidia.target import Target, learned


def _nearest_first(tiers: Tiers) -> list[Install]:
    return [each for tier in reversed(tiers) for each in tier]


def _place(install: Install) -> str:
    return str(install.object.file.place(install.object.node.start))


def _means(install: Install) -> str:
    return f"{install.kind.title} at {_place(install)} means {install.stack}"


class Installed:
    """The target of a run, with who installs the driver: one for each cluster that the files are for."""

    def __init__(self, target: Target, bundle: Bundle, context: Context) -> None:
        self.said = target
        self._named = Drivers(bundle.files, target.stack)
        self._context = context
        self._around: Drivers | None = None
        self._targets: dict[tuple[int, ...], Target] = {}

    def target(self, file: ParsedFile) -> Target:
        """The target of a file's cluster.

        The stack is that of the installations among the named files that count for the file, so far as all agree.
        """
        found = _nearest_first(self._named.of(file))
        key = tuple(map(id, found))
        if key not in self._targets:
            self._targets[key] = self._learned(found)
        return self._targets[key]

    def _learned(self, found: Sequence[Install]) -> Target:
        stacks = {each.stack for each in found}
        if self.said.stack != "unknown" or len(stacks) != 1:
            return self.said
        versions = {each.dra_driver for each in found} - {None}
        (stack,) = stacks
        source = " and ".join([title_of(found[0]), *([f"{len(found) - 1} more"] if found[1:] else [])])
        version = versions.pop() if len(versions) == 1 else None
        with_version = learned(self.said, stack, {}, version, source)
        # The version counts for the classes alone: what stands in a claim is made for the one that was assumed.
        shown = learned(self.said, stack, {}, None, source)
        return replace(with_version, assumed=shown.assumed)

    def hint(self, file: ParsedFile) -> str:
        """What the files say of the stack where they leave it open, with a place for each; "" for nothing."""
        found = {each.stack: each for each in sorted(_nearest_first(self._named.of(file)), key=_place)}
        if found:
            return " and ".join(_means(found[stack]) for stack in sorted(found, key=str))
        if self._around is None:
            self._around = Drivers(self._context.bundle.files, self.said.stack)
        beside = _nearest_first(self._around.of(file))
        if not beside or len({each.stack for each in beside}) > 1:
            return ""
        return _means(beside[0])

    def shown(self, files: Sequence[ParsedFile]) -> Target:
        """The target to tell of, for files that may be for several clusters."""
        several = list({id(each): each for each in map(self.target, files)}.values())
        if not several:
            return self.said
        stacks = {each.stack for each in several}
        assumed = dict.fromkeys(sentence for each in several for sentence in each.assumed)
        stack = several[0].stack if len(stacks) == 1 else "unknown"
        return replace(self.said, stack=stack, assumed=tuple(assumed))
