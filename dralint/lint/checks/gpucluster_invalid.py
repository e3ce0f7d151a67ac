"""gpucluster-invalid: what the API server refuses of a GPUCluster."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.facts.patched import is_patch
from dralint.lint.gpucluster import problems
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.view import plain


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each violation of the schema other than a field that is dropped.

    What a patch lacks the object has that it changes.
    """
    if subject.facts["what"] != "GPUCluster":
        return
    for problem in problems(plain(subject.object.node)):
        if not problem.name and not (problem.missing and is_patch(subject.object)):
            yield Hit((*subject.path, *problem.path), {"says": problem.says})
