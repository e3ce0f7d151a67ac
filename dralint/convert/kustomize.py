"""What the kustomizations round a file do with it: apply it as a patch, or rename what it holds."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from dralint.errors import InputError, Place
from dralint.kube.bundle import Context
from dralint.kube.objects import ParsedFile
from dralint.kube.read import parse
from dralint.source.find import read
from dralint.source.git import git_root
from dralint.yamltext.node import SCALAR, Node, deref
from dralint.yamltext.view import children, get, string

_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_RENAMING = ("namePrefix", "nameSuffix")
# Outside a git work tree nothing says where a project begins; overlays lie two or three levels deep.
_LEVELS = 4


@dataclass(frozen=True)
class Kustomization:
    """patches: absolute path of each patch file, and where it is named; renames: where, None if it does not."""

    directory: str
    patches: Mapping[str, Place] = field(default_factory=dict)
    renames: Place | None = None


def _patch_paths(root: Node) -> Iterator[tuple[str, Node]]:
    for key in ("patches", "patchesJson6902"):
        for entry in children(get(root, key)):
            node = get(entry, "path")
            path = string(node)
            if node is not None and path is not None:
                yield path, node
    for node in children(get(root, "patchesStrategicMerge")):
        path = string(node)
        if path is not None and "\n" not in path:
            yield path, node


def _view(file: ParsedFile, directory: str) -> Kustomization:
    patches: dict[str, Place] = {}
    renames: Place | None = None
    for document in file.documents:
        root = document.root
        if root is None or document.problem is not None:
            continue
        for path, node in _patch_paths(root):
            patches.setdefault(os.path.normpath(os.path.join(directory, path)), file.place(node.start))
        for key in _RENAMING:
            node_of_key = get(root, key)
            if node_of_key is not None and deref(node_of_key).kind == SCALAR and node_of_key.text:
                renames = renames or file.place(node_of_key.start)
    return Kustomization(directory, patches, renames)


def _read(directory: str) -> Kustomization | None:
    for name in _NAMES:
        path = os.path.join(directory, name)
        if os.path.isfile(path):
            found = read(path, os.path.relpath(path))
            if isinstance(found, InputError):
                return None
            try:
                return _view(parse(found), directory)
            except InputError:
                return None
    return None


def _directories(path: str) -> Iterator[str]:
    """The file's directory and those above it, as far as its project goes."""
    directory = os.path.dirname(path)
    root = git_root(directory)
    for _ in range(_LEVELS if root is None else 64):
        yield directory
        parent = os.path.dirname(directory)
        if directory in (root, parent):
            return
        directory = parent


class Kustomizations:
    """The kustomizations above the files, and those elsewhere in their git work trees.

    Whether a file is a patch must not depend on what else is named, so without a work tree only the
    directories above it count.
    """

    def __init__(self, files: Sequence[ParsedFile], context: Context) -> None:
        self._read = cache(_read)
        self._patched: dict[ParsedFile, Place | None] = {}
        self._elsewhere: dict[str, Place] = {}
        for file in [*files, *context.bundle.files]:
            if file.file.path is not None and os.path.basename(file.file.path) in _NAMES:
                self._look_into(os.path.dirname(os.path.abspath(file.file.path)))

    def _look_into(self, directory: str) -> None:
        root, found = git_root(directory), self._read(directory)
        for path, place in found.patches.items() if found is not None else ():
            if root is not None and git_root(os.path.dirname(path)) == root:
                self._elsewhere.setdefault(path, place)

    def _above(self, file: ParsedFile) -> Iterator[Kustomization]:
        if file.file.path is not None:
            for directory in _directories(os.path.abspath(file.file.path)):
                found = self._read(directory)
                if found is not None:
                    yield found

    def patched_by(self, file: ParsedFile) -> Place | None:
        """Where a kustomization names the file as a patch."""
        if file not in self._patched:
            self._patched[file] = self._find_patched(file)
        return self._patched[file]

    def _find_patched(self, file: ParsedFile) -> Place | None:
        if file.file.path is None:
            return None
        path = os.path.abspath(file.file.path)
        above = (each.patches[path] for each in self._above(file) if path in each.patches)
        return next(above, self._elsewhere.get(path))

    def renamed_by(self, file: ParsedFile) -> Place | None:
        """Where a kustomization above the file gives names a prefix or suffix."""
        return next((each.renames for each in self._above(file) if each.renames is not None), None)
