"""shared-count-is-not-gpus: two units of a shared resource may be one GPU."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.above_one import above_one
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each request for more than one unit of a resource that a configuration shares."""
    for each in above_one(subject, fails=False):
        yield Hit(each.anchor, {**each.values, "replicas": str(each.config["replicas"])})
