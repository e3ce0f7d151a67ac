"""shared-request-above-one: the device plugin refuses more than one unit of some shared resources."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.above_one import above_one
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each request for more than one unit where the configuration lets that fail."""
    for each in above_one(subject, fails=True):
        yield Hit(
            each.anchor, {**each.values, "way": "MPS" if each.config["way"] == "mps" else "time-slicing"}
        )
