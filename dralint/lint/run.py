"""What one run of `check` knows: the files, what they can refer to, and what they will run on."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dralint.errors import InputError
from dralint.kube.objects import KubeObject, ParsedFile

if TYPE_CHECKING:
    from dralint.inventory.device import Inventory
    from dralint.kube.bundle import Bundle, Context
    from dralint.lint.rule import AnyRule
    from dralint.nvidia.target import Target

_INVENTORY_KINDS = ("ResourceSlice", "Node")
# Of all fixes of a run, in all rounds: each takes some microseconds for a character. Those that are made, those
# that a report shows, and those that are only counted.
MOST_CHARACTERS = 2_000_000
_MOST_SHOWN = 500_000
_MOST_COUNTED = 100_000


def room(*, made: bool, shown: bool) -> int:
    """How many characters of objects may be parsed and checked anew for fixes that are made, or shown in a report."""
    return MOST_CHARACTERS if made else _MOST_SHOWN if shown else _MOST_COUNTED


@dataclass(eq=False)
class Run:
    """The input of the rules.

    files      the named files: findings are reported on these only
    bundle     their objects
    context    the rest of their git root, read when something asks for it
    complete   nothing else will be applied: what resolves nowhere is an error
    migration  migration rules run, too
    fixes      findings carry the text edits of their fixes; each costs a check of its document
    fixing     they will be made: none is left out because there are too many in a large document
    engine     one of `cel.engines.NAMES`; None: the one that is there
    past       the named files as they were at the revision of --base, None where there is none
    known      all rules there are, for suppressions that name one that does not run; None: those that run
    given      the devices of the cluster, where the command line says them (--inventory)
    room       how many characters of objects may still be parsed and checked anew, fix after fix
    shared     what checks work out once for the whole run, by their own keys
    """

    files: list[ParsedFile]
    bundle: Bundle
    context: Context
    target: Target
    complete: bool = False
    migration: bool = False
    fixes: bool = False
    fixing: bool = False
    engine: str | None = None
    known: Sequence[AnyRule] | None = None
    given: Inventory | None = None
    past: Callable[[], Bundle] | None = None
    room: list[int] = field(default_factory=lambda: [MOST_CHARACTERS], repr=False)
    shared: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def _inventories(self) -> dict[str, list[KubeObject]]:
        """ResourceSlices and Nodes among the named files, by the directory they stand in."""
        found: dict[str, list[KubeObject]] = {}
        for obj in self.bundle.objects:
            if obj.ref.kind in _INVENTORY_KINDS and not obj.template:
                found.setdefault(_directory(obj.file), []).append(obj)
        return found

    def inventory(self, file: ParsedFile) -> Inventory | None:
        """The devices of the cluster that a file is for; None: nobody says what it has.

        As given, else those of ResourceSlices and Nodes among the named files that stand in the file's
        directory or above it: a sample in another corner of a repository says nothing about this file.
        """
        if self.given is not None or not self._inventories:
            return self.given
        here = _directory(file)
        above = tuple(
            sorted(each for each in self._inventories if here == each or here.startswith(f"{each}/"))
        )
        if above not in self._known_inventories:
            objects = [obj for each in above for obj in self._inventories[each]]
            self._known_inventories[above] = _inventory(objects, self.target)
        return self._known_inventories[above]

    @cached_property
    def _known_inventories(self) -> dict[tuple[str, ...], Inventory | None]:
        return {}


def _directory(file: ParsedFile) -> str:
    return os.path.dirname(os.path.abspath(file.file.name)).rstrip("/")


def _inventory(objects: list[KubeObject], target: Target) -> Inventory | None:
    from dralint.inventory.read import inventory_of

    try:
        return inventory_of(objects, target)
    except InputError:
        return None  # an object that is too large to be read
