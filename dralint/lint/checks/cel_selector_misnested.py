"""cel-selector-misnested: the expression of a selector stands under `cel`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.rewriting import fixed
from dralint.lint.run import Run
from dralint.lint.shapes import node_of
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.operations import Operation, Put, Remove
from dralint.yamltext.view import get, plain


def _nest(subject: Subject, field: str) -> list[Operation]:
    """Move the expression from a field of the selector under `cel`, if there is no other."""
    if subject.facts["cel"]:
        return []
    expression = plain(get(node_of(subject), field))
    path, document = subject.path, subject.object.document
    return [Remove(document, (*path, field)), Put(document, path, "cel", {"expression": expression})]


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a selector whose expression stands beside `cel` or in its place, and for one without any."""
    facts: Any = subject.facts
    if facts["misplaced"]:
        hit = Hit("expression", {"what": "has its expression beside `cel`, not in it"})
        moved = [(*subject.path, "expression")]
        yield fixed(hit, run, subject.object, lambda: _nest(subject, "expression"), moved)
    elif facts["bare"] is not None:
        hit = Hit("cel", {"what": "has the text of its expression in the place of `cel`"})
        yield fixed(hit, run, subject.object, lambda: _nest(subject, "cel"), [(*subject.path, "cel")])
    elif facts["expression"] is None and not facts["cel_fields"]:
        yield Hit("cel", {"what": "has no expression"})
