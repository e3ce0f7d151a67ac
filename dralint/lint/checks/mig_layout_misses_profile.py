"""mig-layout-misses-profile: static MIG devices are those of the layouts, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for profiles that claims ask for and no layout of the configuration has."""
    facts: Any = subject.facts
    if facts["missing"] and facts["dynamic_mig"] is not True:
        related = tuple(
            (*subject.anchors[f"asked{index}"], f"{name} is asked for here")
            for index, name in enumerate(facts["missing"])
        )
        yield Hit("", related=related)
