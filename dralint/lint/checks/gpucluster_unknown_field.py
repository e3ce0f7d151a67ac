"""gpucluster-unknown-field: what the API server drops of a GPUCluster."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.gpucluster import problems
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.nearest import did_you_mean
from dralint.yamltext.view import plain


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each field that a GPUCluster does not have."""
    if subject.facts["what"] != "GPUCluster":
        return
    for problem in problems(plain(subject.object.node)):
        if not problem.name:
            continue
        known = ", ".join(problem.known)
        advice = (
            did_you_mean(problem.name, problem.known) or f"known here: {known}"
            if problem.known
            else "a GPUCluster deploys the DRA driver, DCGM and its exporter only"
        )
        yield Hit((*subject.path, *problem.path), {"name": problem.name, "advice": advice})
