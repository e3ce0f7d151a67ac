"""Notes on operators: they write GPU resources themselves, or join two objects that ask for GPUs to one pod."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dralint.convert.joined import pairs_of
from dralint.convert.model import Note
from dralint.convert.notes.pod_notes import data, with_claims
from dralint.convert.occurrences import Found
from dralint.convert.work import PodWork
from dralint.kube.objects import ParsedFile
from dralint.kube.paths import follow, steps
from dralint.nvidia.resources import classify
from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import entries, get


def _stands(node: Node | None) -> bool:
    return node is not None and (bool(node.items) or (node.kind == SCALAR and resolve(node) is not None))


def _names_gpu(node: Node | None) -> bool:
    return node is not None and node.kind == MAP and any(classify(name) is not None for name in entries(node))


def _implied_notes(files: Sequence[ParsedFile]) -> Iterator[Note]:
    """Workloads that get GPUs without naming them."""
    for file in files:
        for obj in file.objects:
            for known in data()["implied"]:
                if (known["group"], known["kind"]) != (obj.group, obj.ref.kind):
                    continue
                for match in follow(obj.node, steps(known["holder"])):
                    if match.node.kind != MAP:
                        continue
                    said = get(match.node, *steps(known["field"]))
                    if (
                        said is None
                        or not _stands(said)
                        or any(_stands(get(match.node, *steps(each))) for each in known.get("unless", ()))
                        or any(_names_gpu(get(match.node, *steps(each))) for each in known.get("keys", ()))
                    ):
                        continue
                    line, column = file.text.position(said.start)
                    yield Note(file.file.name, line, column, "operator", known["message"], obj.ref)


def _joined_notes(found: Sequence[Found], works: Sequence[PodWork]) -> Iterator[Note]:
    """Of two objects that become one pod, and may ask for GPUs both, one is converted, or both."""
    claimed = {each for work in works for each in with_claims(work)}
    for pair in pairs_of(found) if claimed else ():
        if not pair.hold and (pair.user in claimed or pair.used in claimed):
            place = pair.used.file.place(pair.used.offset)
            line, column = pair.user.file.text.position(pair.user.offset)
            message = f"{pair.reason}: see that only one of them asks for GPUs ({place})"
            ref = pair.user.object.ref if pair.user.object is not None else None
            yield Note(pair.user.file.file.name, line, column, "operator", message, ref)


def operator_notes(
    files: Sequence[ParsedFile], found: Sequence[Found], works: Sequence[PodWork]
) -> Iterator[Note]:
    """The notes on what operators make of the objects of a run; found: all its requests."""
    yield from _implied_notes(files)
    yield from _joined_notes(found, works)
