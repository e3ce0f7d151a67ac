"""Files that patches may be for, each read once however many patches ask."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

from dralint.convert.occurrences import occurrences
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.read import parse_path
from dralint.source.file import SourceFile
from dralint.source.find import read


def _source(path: str) -> SourceFile | None:
    found = read(path, os.path.relpath(path)) if os.path.isfile(path) else None
    return found if isinstance(found, SourceFile) else None


def _objects(path: str) -> Mapping[str | None, list[KubeObject]]:
    found = parse_path(path)
    by_name: dict[str | None, list[KubeObject]] = {}
    for each in found.objects if found is not None else ():
        by_name.setdefault(each.ref.name, []).append(each)
    return by_name


def _asking(file: ParsedFile) -> frozenset[int]:
    """The ids of the nodes of a file's objects that ask for GPUs."""
    return frozenset(id(each.object.node) for each in occurrences(file) if each.object is not None)


class Bases:
    """What stands in files, remembered."""

    def __init__(self) -> None:
        self._source = cache(_source)
        self._objects = cache(_objects)
        self._asking = cache(_asking)

    def named(self, path: str, name: str) -> list[KubeObject]:
        """The objects of a file that have the name, of any kind."""
        source = self._source(path)
        if source is None or name.encode() not in source.data:
            return []
        return self._objects(path).get(name, [])

    def holds(self, path: str, word: str) -> bool:
        """Whether a word stands in a file."""
        source = self._source(path)
        return source is not None and word.encode() in source.data

    def objects(self, path: str) -> list[KubeObject]:
        """All objects of a file."""
        return [each for found in self._objects(path).values() for each in found]

    def asks(self, obj: KubeObject) -> bool:
        """Whether an object asks for GPUs."""
        return id(obj.node) in self._asking(obj.file)
