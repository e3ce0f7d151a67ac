"""A source file to Kubernetes objects: lists and the kinds that hold whole objects give one object each."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from dralint.errors import InputError
from dralint.kube.objects import KubeObject, ObjectRef, ParsedFile
from dralint.kube.paths import follow, steps
from dralint.source.charts import chart_template
from dralint.source.file import Origin, SourceFile
from dralint.source.find import read
from dralint.source.prefilter import document_filter
from dralint.source.rendered import origins
from dralint.yamltext.compose import compose
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP, SEQ, Node, deref
from dralint.yamltext.text import SourceText, decode
from dralint.yamltext.view import Path, get, string

_LIST = "List"


@cache
def _holders() -> dict[tuple[str, str], tuple[str, ...]]:
    """The path of the held objects by group and kind."""
    data: Any = load_data(os.path.join(os.path.dirname(__file__), "data", "holders.yaml"))
    return {(entry["group"], entry["kind"]): steps(entry["path"]) for entry in data["holders"]}


def _reference(node: Node, inferred: ObjectRef | None) -> ObjectRef:
    """What the object calls itself; items of a typed list may leave out apiVersion and kind."""
    api_version, kind = string(get(node, "apiVersion")), string(get(node, "kind"))
    if inferred is not None and kind is None:
        api_version, kind = api_version or inferred.api_version, inferred.kind
    # To Kubernetes an empty namespace is an absent one.
    namespace = string(get(node, "metadata", "namespace")) or None
    return ObjectRef(api_version, kind, namespace, string(get(node, "metadata", "name")))


def _item_reference(ref: ObjectRef) -> ObjectRef | None:
    """What an item of a list is when it does not say so: a Deployment in a DeploymentList."""
    kind = (ref.kind or "").removesuffix(_LIST)
    return ObjectRef(ref.api_version, kind, None, None) if kind else None


def _objects(
    file: ParsedFile,
    index: int,
    node: Node,
    path: Path,
    origin: Origin | None,
    template: bool,
    inferred: ObjectRef | None = None,
) -> Iterator[KubeObject]:
    """The object at a node and those it holds; of a list only its items."""
    ref = _reference(node, inferred)
    items = get(node, "items")
    if ref.kind is not None and ref.kind.endswith(_LIST) and items is not None and items.kind == SEQ:
        for number, item in enumerate(items.items):
            if deref(item).kind == MAP:
                place: Path = (*path, "items", number)
                yield from _objects(file, index, deref(item), place, origin, template, _item_reference(ref))
        return
    found = KubeObject(
        file, index, path, node, ref, string(get(node, "metadata", "generateName")), origin, template
    )
    yield found
    held = _holders().get((found.group, ref.kind or ""))
    for match in follow(node, held) if held else ():
        if match.node.kind == MAP and get(match.node, "kind") is not None:
            yield from _objects(file, index, match.node, (*path, *match.path), origin, template)


def parse(file: SourceFile, words: Sequence[bytes] | None = None) -> ParsedFile:
    """The file's documents and objects.

    words: documents that hold none of them, and definitions of custom resources, are not parsed;
    None parses all. A document that cannot be read is in `problems` and has no objects; a template
    (of Helm, Argo or Jinja) is no problem but its objects, if its nodes show any, have `template`
    set, as have all objects of a chart's raw templates. Raises InputError when the file is not text.
    """
    return parse_text(file, decode(file.data, file.name), words)


def parse_text(file: SourceFile, text: SourceText, words: Sequence[bytes] | None = None) -> ParsedFile:
    """The same of a text that is decoded already, or a part of one."""
    documents = compose(text.text, document_filter(words) if words is not None else None)
    parsed = ParsedFile(file, text, documents)
    in_chart = chart_template(file.path) is not None
    came_from = origins(text, documents)
    for index, document in enumerate(documents):
        if document.problem is not None:
            if not (document.template or in_chart):
                what, offset = document.problem
                parsed.problems.append(InputError(what, parsed.place(offset), "this document was skipped"))
        elif document.root is not None and document.root.kind == MAP:
            template = document.template or in_chart
            parsed.objects.extend(_objects(parsed, index, document.root, (), came_from[index], template))
    return parsed


def parse_path(path: str) -> ParsedFile | None:
    """The file at a path, parsed; None where it cannot be read."""
    found = read(path, os.path.relpath(path))
    try:
        return parse(found) if isinstance(found, SourceFile) else None
    except InputError:
        return None


def parse_string(name: str, text: str) -> ParsedFile | None:
    """A text that stands in a file of that name, as a file of its own; None where it cannot be read."""
    try:
        return parse(SourceFile(name, None, text.encode("utf-8", "surrogatepass")))
    except InputError:
        return None
