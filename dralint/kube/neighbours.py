"""Which files speak of one cluster: a repository can hold the manifests of many."""

from __future__ import annotations

import os
from functools import cache

from dralint.kube.objects import KubeObject, ParsedFile
from dralint.source.git import git_root


def directory(file: ParsedFile) -> str:
    """The directory of a file."""
    return os.path.dirname(os.path.abspath(str(file.file.path or file.file.name)))


@cache
def _project(where: str, here: str) -> str:
    root = git_root(where)
    if root is not None:
        return root
    below = os.path.relpath(where, here)
    return "" if below.startswith(os.curdir) else below.partition(os.sep)[0]


def project(file: ParsedFile) -> str:
    """What a file belongs to: its git work tree, or without one the top directory it stands in."""
    return _project(directory(file), os.path.abspath(os.curdir))


def beside(one: KubeObject, other: KubeObject, *, complete: bool) -> bool:
    """Whether two objects are surely for one cluster: in one directory; with --complete in one project."""
    if complete:
        return project(one.file) == project(other.file)
    return directory(one.file) == directory(other.file)
