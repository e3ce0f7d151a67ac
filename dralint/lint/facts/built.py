"""Names and namespaces as kustomize builds them: a claim in a base gets its final ones from an overlay."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from dralint.errors import DralintError
from dralint.kube.neighbours import directory
from dralint.kube.objects import KubeObject
from dralint.source.git import git_root
from dralint.source.kustomization import NAMES, kustomization_file
from dralint.yamltext.load import load_data

_LISTS = ("resources", "bases", "components")
# More than a repository of manifests has, than one build reaches, and than names come of one.
_MOST_DIRECTORIES, _MOST_DIRECTORIES_OF_A_BUILD, _MOST_NAMES = 5_000, 200, 20


class Build(NamedTuple):
    """What one kustomization does to the names of its resources.

    files  the absolute paths of the resources it reaches, through other kustomizations, too
    """

    prefix: str
    suffix: str
    namespace: str | None
    files: frozenset[str]


def _read(where: str) -> dict[str, Any]:
    path = kustomization_file(where)
    if path is not None:
        with contextlib.suppress(DralintError):
            data: Any = load_data(path)
            return data if isinstance(data, dict) else {}
    return {}


def _reached(where: str, data: dict[str, Any], seen: set[str]) -> Iterator[str]:
    """The paths of resources; each directory is looked into once, as they can name each other in a circle."""
    seen.add(where)
    for key in _LISTS:
        listed = data.get(key)
        for entry in listed if isinstance(listed, list) else ():
            if not isinstance(entry, str) or ":" in entry or "\0" in entry:
                continue
            path = os.path.normpath(os.path.join(where, entry))
            if not os.path.isdir(path):
                yield path
            elif path not in seen and len(seen) < _MOST_DIRECTORIES_OF_A_BUILD:
                yield from _reached(path, _read(path), seen)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


@cache
def builds(root: str) -> tuple[Build, ...]:
    """The kustomizations below a directory that rename or move what they reach."""
    found = []
    for number, (where, below, files) in enumerate(os.walk(root)):
        if number == _MOST_DIRECTORIES:
            break
        below[:] = sorted(each for each in below if not each.startswith(".") and each != "node_modules")
        if not any(name in files for name in NAMES):
            continue
        data = _read(where)
        prefix, suffix, space = (_text(data.get(key)) for key in ("namePrefix", "nameSuffix", "namespace"))
        if prefix or suffix or space:
            reached = frozenset(_reached(where, data, set()))
            found.append(Build(prefix, suffix, space or None, reached))
    return tuple(found)


def _of(obj: KubeObject, root: str) -> list[Build]:
    path = os.path.abspath(str(obj.file.file.path or obj.file.file.name))
    return [build for build in builds(root) if path in build.files]


def is_built(name: str, user: KubeObject, candidates: Iterable[KubeObject]) -> bool:
    """Whether one of the candidates gets that name, in a namespace that the user can have, in some build."""
    root = git_root(directory(user.file)) or os.path.abspath(os.curdir)
    if not builds(root):
        return False
    spaces = {user.ref.namespace} | {build.namespace for build in _of(user, root) if build.namespace}
    for candidate in candidates:
        written = candidate.ref.name
        # A build adds to a name, and takes nothing away.
        if not written or written not in name:
            continue
        own = _of(candidate, root)
        names = {written}
        for build in own * 2:
            names |= {f"{build.prefix}{each}{build.suffix}" for each in tuple(names)[:_MOST_NAMES]}
        there = {candidate.ref.namespace} | {build.namespace for build in own if build.namespace}
        if name in names and (None in spaces | there or spaces & there):
            return True
    return False
