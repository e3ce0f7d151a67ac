"""The `transformers` of a kustomization: those that patch, rename, scale or set fields as its own fields do."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from dralint.errors import Place
from dralint.kube.dra import TEMPLATE
from dralint.kube.objects import ParsedFile
from dralint.kube.read import parse_path, parse_string
from dralint.kube.replacements import Reach, Selector, replacements, variables
from dralint.source.kustomization import kustomization_file
from dralint.yamltext.load import load_data
from dralint.yamltext.node import Node
from dralint.yamltext.view import children, get, string

_DATA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "kustomize.yaml")
_BUILTIN = "builtin"
# Source: kustomize kyaml/utils pathsplitter.go.
_SLASH = re.compile(r"(?<!\\)/")
# Directories of transformers may name each other.
_MOST_FILES = 200


class Transformer(NamedTuple):
    """A transformer as it is written: its mapping, and the file it stands in."""

    file: ParsedFile
    root: Node
    kind: str
    api_version: str

    @property
    def builtin(self) -> bool:
        """Whether kustomize has it; any other may do anything."""
        return self.api_version == _BUILTIN

    @property
    def place(self) -> Place:
        return self.file.place(self.root.start)


@cache
def _builtin() -> dict[str, dict[str, Any]]:
    data: Any = load_data(_DATA)
    return {entry["kind"]: entry for entry in data["builtin"]}


def _files(file: ParsedFile, root: Node, directory: str) -> Iterator[ParsedFile]:
    """The files that hold the transformers: some are named, some lie in directories, some stand in strings."""
    waiting = [(file, node, directory) for node in children(get(root, "transformers"))]
    for _ in range(_MOST_FILES):
        if not waiting:
            return
        owner, node, where = waiting.pop(0)
        text = string(node) or ""
        path = os.path.normpath(os.path.join(where, text))
        if "\n" in text:
            inline = parse_string(owner.file.name, text)
            if inline is not None:
                yield inline
        elif os.path.isdir(path):
            below = kustomization_file(path)
            found = parse_path(below) if below is not None else None
            for document in found.documents if found is not None else ():
                named = children(get(document.root, "resources"))
                waiting += ((found, each, path) for each in named if found is not None)
        elif os.path.isfile(path):
            found = parse_path(path)
            if found is not None:
                yield found


def transformers(file: ParsedFile, root: Node, directory: str) -> list[Transformer]:
    """The transformers of a kustomization; those that cannot be read, and those elsewhere, are left out."""
    return [
        Transformer(found, document.root, string(get(document.root, "kind")) or "", version)
        for found in _files(file, root, directory)
        for document in found.documents
        if document.root is not None and (version := string(get(document.root, "apiVersion")))
    ]


class PatchEntry(NamedTuple):
    """A patch that a kustomization names or holds: a path or the text itself, and the objects it is for.

    path, inside  of the entry in the kustomization's list, as in Slot
    options       what it may do besides, by name
    transformer   it is one of the transformers, not of the kustomization's own lists
    """

    file: ParsedFile
    node: Node
    text: str
    inline: bool
    target: Node | None
    path: tuple[str, int]
    inside: str | None
    options: Node | None = None
    transformer: bool = False


def patches_of(found: Transformer) -> Iterator[PatchEntry]:
    fields = _builtin().get(found.kind, {}).get("patch") if found.builtin else None
    if fields is None:
        return
    target, options = get(found.root, "target"), get(found.root, "options")
    paths = [get(found.root, fields["path"])] if "path" in fields else []
    if "paths" in fields:
        paths = [*children(get(found.root, fields["paths"]))]
    for nodes, inline in ((paths, False), ([get(found.root, fields["text"])], True)):
        for node in nodes:
            text = string(node)
            if node is not None and text:
                yield PatchEntry(
                    found.file, node, text, inline, target, ("transformers", 0), None, options, True
                )


class Affixes(NamedTuple):
    """What is put round names, and where that is said."""

    prefix: str
    suffix: str
    place: Place


def renaming(found: Transformer) -> Affixes | None:
    """What is put round the names of templates; None where nothing is."""
    entry = _builtin().get(found.kind, {}) if found.builtin else {}
    for spec in children(get(found.root, "fieldSpecs")):
        if string(get(spec, "path")) == "metadata/name" and string(get(spec, "kind")) in (None, "", TEMPLATE):
            break
    else:
        return None
    nodes = {key: get(found.root, key) for key in entry.get("rename", ())}
    written = (node for node in nodes.values() if node is not None and string(node))
    place = next((found.file.place(node.start) for node in written), None)
    if place is None:
        return None
    return Affixes(string(nodes.get("prefix")) or "", string(nodes.get("suffix")) or "", place)


def scaled(found: Transformer) -> tuple[str | None, Place] | None:
    """What gets a number of replicas; None for other transformers."""
    path = _builtin().get(found.kind, {}).get("scale") if found.builtin else None
    return (string(get(found.root, *path.split("."))), found.place) if path is not None else None


def reaches_of(found: Transformer, directory: str) -> Iterator[Reach]:
    """The fields that it reads and sets across objects."""
    entry = _builtin().get(found.kind, {}) if found.builtin else {}
    if entry.get("replace"):
        yield from replacements(found.file, found.root, directory)
    for target in children(get(found.root, entry["add"])) if "add" in entry else ():
        field = get(target, "fieldPath")
        if field is not None:
            selector = Selector(*(string(get(target, "selector", key)) for key in ("kind", "name")))
            path = tuple(step.replace("\\/", "/") for step in _SLASH.split((string(field) or "").strip("/")))
            place = found.file.place(field.start)
            yield Reach(f"the transformer {found.kind}", True, selector, (), path, place)


def reaches_in(file: ParsedFile, directory: str) -> Iterator[Reach]:
    """The fields that a kustomization reads and sets across objects: by its own fields and by its transformers."""
    for document in file.documents:
        root = document.root
        if root is not None and document.problem is None:
            yield from replacements(file, root, directory)
            yield from variables(file, root)
            for found in transformers(file, root, directory):
                yield from reaches_of(found, directory)
