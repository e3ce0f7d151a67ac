"""Notes on pods that go on asking by a resource name: what a release lacks, and what the class may be."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.convert.by_name import implicit_name
from dralint.convert.model import Note
from dralint.convert.modes import data
from dralint.convert.occurrences import Found
from dralint.convert.requests import is_zero
from dralint.convert.tolerations import TOLERATION, adds_toleration, tolerated
from dralint.convert.work import Ground, PodWork
from dralint.yamltext.node import deref


def _at(work: PodWork, found: Found, topic: str, message: str) -> Note:
    line, column = work.file.text.position(deref(found.counts[0]).start)
    return Note(work.file.file.name, line, column, topic, message, work.pod.object.ref)


def name_notes(work: PodWork, ground: Ground) -> Iterator[Note]:
    """The notes on the requests of a pod that have a name which DRA serves."""
    moved = [each for each in work.found if each.verdict is not None and each.verdict.way == work.way]
    moved = [each for each in moved if not is_zero(each)]
    if not moved or work.way == "claims":
        return
    for found in moved:
        doubt = ground.classes.doubt(found) if work.way == "extended-resource" else None
        if doubt is not None:
            yield _at(work, found, "classes", doubt.reason)
    if work.way != "implicit":
        return
    known, version = data()["implicit"], str(ground.options.target.kubernetes)
    if version in known["releases"]:
        name = implicit_name(moved[0])
        yield _at(work, moved[0], "gate", known["message"].format(version=version, name=name))
    if ground.options.toleration and not adds_toleration(work) and not tolerated(work.pod):
        kind = work.pod.object.ref.kind
        yield _at(
            work,
            moved[0],
            "toleration",
            f"nobody adds the toleration of the taint {TOLERATION['key']} for this name, and {kind} may take none: "
            "add it where your nodes have the taint",
        )
