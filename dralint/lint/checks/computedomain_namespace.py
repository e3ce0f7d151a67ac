"""computedomain-namespace: a ComputeDomain's template is where the ComputeDomain is."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.checks.claim_ref_not_found import of_compute_domain
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a reference whose template a ComputeDomain makes in another namespace."""
    if of_compute_domain(subject):
        other = subject.anchors["elsewhere"][0].ref
        values = {"domain": str(other.name), "other": str(other.namespace)}
        yield Hit("@reference", values)
