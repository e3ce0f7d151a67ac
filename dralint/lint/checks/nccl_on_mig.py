"""nccl-on-mig: NCCL between MIG devices is experimental."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for two MIG devices or more, in a container or its group of pods, with a sign of NCCL."""
    facts: Any = subject.facts
    signs = facts["collectives"]
    if facts["group_mig_devices"] < 2 or not signs:
        return
    where = "this container" if facts["mig_devices"] > 1 else "the group of pods"
    number = facts["mig_devices"] if facts["mig_devices"] > 1 else facts["group_mig_devices"]
    related = [
        (*subject.anchors[f"collective{index}"], f"{sign['text']}: {sign['says']}")
        for index, sign in enumerate(signs)
    ]
    if "mig_claim" in subject.anchors:
        related.append((*subject.anchors["mig_claim"], "the MIG devices are claimed here"))
    values = {"where": where, "number": str(number), "evidence": signs[0]["text"], "says": signs[0]["says"]}
    yield Hit("@collective0", values, None, tuple(related[1:]))
