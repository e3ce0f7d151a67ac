"""extended-and-quota-name-confusion: a class has one name for containers and another for quotas."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.operations import Rename


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a name that is not written as its place wants it; the fix writes it so."""
    right = str(subject.facts["right"])
    if subject.facts["name"] != right:
        yield Hit("", operations=(Rename(subject.object.document, subject.path, right),))
