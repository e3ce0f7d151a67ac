"""Notes on the pods of patches that stand in strings of a kustomization, each where its request stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dralint.convert.beside.edits import beside_notes
from dralint.convert.kustomize.string_requests import StringRequests
from dralint.convert.model import Note
from dralint.convert.notes.joint_notes import joint_notes, object_notes
from dralint.convert.notes.pod_notes import pod_notes, with_devices
from dralint.convert.work import Ground, PodWork
from dralint.kube.objects import ParsedFile


def _notes(work: PodWork, ground: Ground) -> Iterator[Note]:
    """The notes on one pod; places are those in its text."""
    if with_devices(work):
        yield from joint_notes((), [work], ground)
        yield from beside_notes((), [work], ground, {})
        yield from pod_notes(work, ground)


def string_notes(files: Sequence[ParsedFile], strings: StringRequests, ground: Ground) -> Iterator[Note]:
    """The notes on all of them."""
    yield from object_notes(files, strings.works)
    for work in strings.works:
        place = strings.places.get(strings.asked[next(work.found)])
        for note in _notes(work, ground) if place is not None else ():
            assert place is not None
            # No companion is edited in a string.
            message = note.message.partition("; --companions")[0]
            path, line, column = place if note.path == work.file.file.name else note[:3]
            yield note._replace(path=path, line=line, column=column, message=message)
