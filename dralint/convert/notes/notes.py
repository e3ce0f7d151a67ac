"""Notes beside the occurrences: what a person should know, each with its file and line."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence

from dralint.convert.around import location
from dralint.convert.beside.companion import beside_data
from dralint.convert.beside.edits import Told, beside_notes
from dralint.convert.elsewhere import rendering
from dralint.convert.kustomize.count_told import Spot
from dralint.convert.kustomize.kustomization import MADE
from dralint.convert.model import Note
from dralint.convert.notes.joint_notes import joint_notes
from dralint.convert.notes.misspelt_notes import misspelt_notes
from dralint.convert.notes.operator_notes import operator_notes
from dralint.convert.notes.pod_notes import data, pod_notes, with_devices
from dralint.convert.notes.strings import request_in, setting_step
from dralint.convert.occurrences import Found
from dralint.convert.work import Ground, PodWork
from dralint.kube.kinds import note_fields
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.paths import follow
from dralint.nvidia.resources import classify
from dralint.source.charts import chart_template
from dralint.yamltext.node import ALIAS, MAP, SCALAR, Node, pairs
from dralint.yamltext.view import entries

_SIDE = re.compile(r"(?:requests|limits)\.")


def _at(file: ParsedFile, node: Node, topic: str, message: str, obj: KubeObject | None = None) -> Note:
    line, column = file.text.position(node.start)
    return Note(file.file.name, line, column, topic, message, obj.ref if obj is not None else None)


def _template_notes(files: Iterable[ParsedFile]) -> Iterator[Note]:
    """One note for each file that is a template, and for each chart whose templates are among the files."""
    charts: set[str] = set()
    for file in files:
        if "nvidia.com" not in file.text.text:
            continue
        chart = chart_template(location(file))
        if chart is not None:
            if chart not in charts:
                charts.add(chart)
                message = (
                    f"templates of the chart {os.path.basename(chart)} are read and never edited: "
                    f"convert what it renders to by {rendering(file, chart)}"
                )
                yield Note(file.file.name, None, None, "template", message)
            continue
        for document in file.documents:
            if document.template:
                offset = document.root.start if document.root is not None else document.start
                line, column = file.text.position(offset)
                message = "the document is a template: it is read and never edited"
                yield Note(file.file.name, line, column, "template", message)
                break


def _resource_in(text: str) -> str | None:
    """A GPU's resource name that a quota or inventory field names, `requests.nvidia.com/gpu` too."""
    name = _SIDE.sub("", text, count=1)
    return name if classify(name) is not None else None


def _named(node: Node) -> Iterator[tuple[str, Node]]:
    """GPU resource names among the keys of a mapping, or in a scalar, with their nodes."""
    if node.kind == MAP:
        for key, entry in entries(node).items():
            name = _resource_in(key)
            if name is not None:
                yield name, entry.key
    elif node.kind == SCALAR:
        name = _resource_in(node.text)
        if name is not None:
            yield name, node


def _quota_notes(files: Iterable[ParsedFile], ground: Ground) -> Iterator[Note]:
    """Quotas and inventories that nothing else is said about; quotas follow by themselves where names stay."""
    stay = ground.options.mode == "extended-resource"
    data = beside_data()
    told = {(each["group"], each["kind"]) for each in [*data["quotas"], *data["queues"]]}
    fields = {key: field for key, field in note_fields().items() if key not in (*told, ("", "LimitRange"))}
    for file in files:
        for obj in file.objects:
            field = fields.get((obj.group, obj.ref.kind or ""))
            if field is None or (stay and field.topic == "quota"):
                continue
            named = [
                found
                for path in field.paths
                for match in follow(obj.node, path)
                for found in _named(match.node)
            ]
            if named:
                names = ", ".join(dict.fromkeys(name for name, _ in named))
                yield _at(file, named[0][1], field.topic, f"{obj.ref.kind} names {names}: {field.next}", obj)


def _string_notes(files: Iterable[ParsedFile], known: Container[Spot]) -> Iterator[Note]:
    """Requests inside strings: pod specs in annotations, templates in a ConfigMap. Linear in the text.

    known: patches of kustomizations, whose requests are accounted for
    """
    records = {entry["key"] for entry in [*data()["records"], *beside_data()["gangs"]]}
    for file in files:
        if file.file.data.startswith(MADE.encode()):
            continue
        for document in file.documents:
            if document.root is None or document.template or document.problem is not None:
                continue
            waiting = [document.root]
            while waiting:
                node = waiting.pop()
                if node.kind == ALIAS:
                    continue  # Its anchor is looked at where it stands.
                if node.kind == SCALAR:
                    found = request_in(node.text)
                    if found is not None and (id(file.file), node.start) not in known:
                        message = f"{found.name} stands inside a string, which is not edited: see whether it must change, too"
                        yield _at(file, node, "string", message)
                elif node.kind == MAP:
                    step = setting_step(node)
                    if step is not None and (id(file.file), step[1].start) not in known:
                        message = f"a step sets it to a mapping with {step[0]}, which is not edited: see whether it must follow"
                        yield _at(file, step[1], "string", message)
                    waiting.extend(
                        value for key, value in reversed(list(pairs(node))) if key.text not in records
                    )
                else:
                    waiting.extend(reversed(node.items))


def notes(
    files: Sequence[ParsedFile],
    requests: Sequence[Found],
    works: Sequence[PodWork],
    ground: Ground,
    told: Told,
    patches: Container[Spot],
    more: Iterable[Note],
) -> list[Note]:
    """All notes of a run, each once, in the order of the files and lines.

    requests: all of the run; told: the notes on edits that were tried; patches: strings that are patches of kustomizations;
    more: the notes on these
    """
    found: list[Note] = [
        *_template_notes(files),
        *_quota_notes(files, ground),
        *_string_notes(files, patches),
        *misspelt_notes(obj for file in files for obj in file.objects if not obj.template),
        *joint_notes(files, works, ground),
        *operator_notes(files, requests, works),
        *beside_notes(files, [work for work in works if with_devices(work)], ground, told),
    ]
    for work in works:
        if with_devices(work):
            found.extend(pod_notes(work, ground))
    found += more
    warnings = {entry["topic"] for entry in data()["warnings"]}
    found = [
        note._replace(weight="warning") if note.topic in warnings and not note.edited else note
        for note in found
    ]
    order = {file.file.name: index for index, file in enumerate(files)}
    unique = dict.fromkeys(found)
    return sorted(
        unique, key=lambda note: (order.get(note.path, len(order)), note.line or 0, note.column or 0)
    )
