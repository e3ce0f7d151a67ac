"""Files that a kustomization names as patches: what they lack stands in the object that they change."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from dralint.errors import DralintError
from dralint.kube.neighbours import directory
from dralint.kube.objects import KubeObject
from dralint.source.git import git_root
from dralint.source.kustomization import kustomization_file
from dralint.yamltext.load import load_data

_LISTS = ("patches", "patchesStrategicMerge", "patchesJson6902")
# Patches stand beside their kustomization, or in a directory below it.
_MOST_ABOVE = 8


def _listed(where: str) -> Iterator[str]:
    path = kustomization_file(where)
    data: Any = None
    if path is not None:
        with contextlib.suppress(DralintError):
            data = load_data(path)
    for key in _LISTS if isinstance(data, dict) else ():
        listed = data.get(key)
        for entry in listed if isinstance(listed, list) else ():
            name = entry.get("path") if isinstance(entry, dict) else entry
            if isinstance(name, str) and "\n" not in name and "\0" not in name:
                yield os.path.normpath(os.path.join(where, name))


@lru_cache(maxsize=256)
def _named(where: str) -> frozenset[str]:
    """The absolute paths of the patches of a directory's kustomization."""
    return frozenset(_listed(where))


def _above(where: str) -> Iterator[str]:
    """A directory and those above it, up to the root of its git work tree."""
    root = git_root(where) or where
    for _ in range(_MOST_ABOVE):
        yield where
        if where in (root, os.path.dirname(where)):
            return
        where = os.path.dirname(where)


@lru_cache(maxsize=16)
def _patches(where: str) -> frozenset[str]:
    """The patches that kustomizations in a directory and above it name."""
    return frozenset().union(*map(_named, _above(where)))


def is_patch(obj: KubeObject) -> bool:
    """Whether the object stands in a file that a kustomization in its directory, or above it, names as a patch."""
    path = obj.file.file.path
    return path is not None and os.path.abspath(path) in _patches(directory(obj.file))
