"""What one run of `check` knows: the files, what they can refer to, and what they will run on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from dralint.errors import InputError

from dralint.kube.objects import ParsedFile

if TYPE_CHECKING:
    from dralint.inventory.device import Inventory
    from dralint.kube.bundle import Bundle, Context
    from dralint.lint.rule import Rule
    from dralint.nvidia.target import Target


@dataclass(eq=False)
class Run:
    """The input of the rules.

    files      the named files: findings are reported on these only
    bundle     their objects
    context    the rest of their git root, read when something asks for it
    complete   nothing else will be applied: what resolves nowhere is an error
    migration  migration rules run, too
    fixes      findings carry the text edits of their fixes; each costs a check of its document
    engine     one of `cel.engines.NAMES`; None: the one that is there
    known      all rules there are, for suppressions that name one that does not run; None: those that run
    given      the devices of the cluster, where the command line says them (--inventory)
    """

    files: list[ParsedFile]
    bundle: Bundle
    context: Context
    target: Target
    complete: bool = False
    migration: bool = False
    fixes: bool = False
    engine: str | None = None
    known: Sequence[Rule] | None = None
    given: Inventory | None = None

    @cached_property
    def inventory(self) -> Inventory | None:
        """The devices of the cluster: as given, else those of ResourceSlices and Nodes among the named files.

        None: nobody says what the cluster has.
        """
        if self.given is not None:
            return self.given
        from dralint.inventory.read import inventory_of

        try:
            return inventory_of(self.bundle.objects, self.target)
        except InputError:
            return None
