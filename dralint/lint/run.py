"""What one run of `check` knows: the files, what they can refer to, and what they will run on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dralint.kube.objects import ParsedFile

if TYPE_CHECKING:
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
