"""All that stands beside the requests of a run, and the edits that `--companions` asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dralint.convert.beside.companion import Companion
from dralint.convert.beside.kueue import (
    configuration_companions,
    flavor_companions,
    kueue_of,
    queue_companions,
)
from dralint.convert.beside.pods import pod_companions
from dralint.convert.beside.priorities import priority_companions
from dralint.convert.beside.quotas import quota_companions, range_companions
from dralint.convert.beside.variables import unasked_companions, variable_companions
from dralint.convert.claims import device_class
from dralint.convert.kept import kept_with
from dralint.convert.model import Note
from dralint.convert.work import Ground, PodWork
from dralint.kube.objects import ParsedFile
from dralint.yamltext.operations import Refusal

# What is said of a note's subject after its edit was tried, by the note before.
Told = dict[Note, Note]


def _of_objects(file: ParsedFile, ground: Ground) -> Iterator[Companion]:
    """The objects of a file that can be edited, those that somebody wants to keep left out."""
    for obj in file.objects:
        found = [*quota_companions(obj, ground), *configuration_companions(obj, ground)]
        if found and kept_with(obj) is None:
            yield from found


def _mapped(ground: Ground, told: Told) -> set[str]:
    """The classes of claims that Kueue counts after the edits."""
    return {
        device_class(resource)
        for setting in kueue_of(ground.bundle).settings
        for each in configuration_companions(setting.obj, ground)
        if each.note in told and told[each.note].edited
        for resource in kueue_of(ground.bundle).covered
        if resource.base == "gpu"
    }


def companion_edits(
    file: ParsedFile, works: Iterable[PodWork], ground: Ground, told: Told
) -> list[Companion]:
    """The edits to try on a file: of objects beside the workloads, and of the pods that are to be converted.

    told  what was tried before, which is left out
    """
    if not ground.options.companions:
        return []
    every = [*_of_objects(file, ground), *(each for work in works for each in variable_companions(work))]
    return [each for each in every if each.operations and each.note not in told]


def made(companions: Iterable[Companion]) -> Told:
    """The notes on edits that were made."""
    return {
        each.note: each.note._replace(message=each.done, weight="info", edited=True) for each in companions
    }


def refused(each: Companion, refusal: Refusal, file: ParsedFile) -> Told:
    """The note on an edit that was not made."""
    line = file.place(refusal.offset).line
    message = each.note.message.rpartition("; --companions")[0]
    why = f"{message}; it cannot be edited safely: {refusal.what} (line {line})"
    return {each.note: each.note._replace(message=why)}


def beside_notes(
    files: Sequence[ParsedFile], converted: Sequence[PodWork], ground: Ground, told: Told
) -> Iterator[Note]:
    """The notes on what stands beside the requests of converted pods, and on what counts them."""
    mapped = _mapped(ground, told)
    every = [each for file in files for each in _of_objects(file, ground)]
    for file in files:
        for obj in file.objects:
            found = [
                *range_companions(obj, ground),
                *queue_companions(obj, ground, mapped),
                *flavor_companions(obj, ground),
            ]
            if found and kept_with(obj) is None:
                every += found
    for work in converted:
        every += variable_companions(work)
        every += priority_companions(work, ground)
        every += pod_companions(work, ground, mapped)
    every += unasked_companions(files)
    for each in every:
        yield told.get(each.note, each.note)
