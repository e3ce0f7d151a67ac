"""value-not-supported: words such as ExactCount are written exactly so, or refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.nearest import bare, nearest
from dralint.yamltext.operations import Operation, Replace


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a word that is none of the choices; the fix spells it."""
    facts: Any = subject.facts
    if facts["allowed"]:
        return
    meant = nearest(facts["value"], facts["choices"])
    operations: tuple[Operation, ...] = ()
    if meant is not None:
        operations = (Replace(subject.object.document, subject.path, meant),)
    certain = meant is not None and bare(meant) == bare(facts["value"])
    choices = ", ".join(facts["choices"])
    advice = f"did you mean {meant}?" if meant else f"it can be {choices}"
    yield Hit("", {"advice": advice}, operations=operations, applicability="safe" if certain else "unsafe")
