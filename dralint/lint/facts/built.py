"""What kustomize builds: claims get names and namespaces from overlays, references theirs from elsewhere."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from dralint.convert.kustomize.transformers import reaches_in
from dralint.errors import DralintError
from dralint.kube.neighbours import directory
from dralint.kube.objects import KubeObject
from dralint.kube.read import parse_path
from dralint.kube.replacements import Reach
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
def _kustomizations(root: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    """The directories below one that have a kustomization, each with what it says."""
    found = []
    for number, (where, below, files) in enumerate(os.walk(root)):
        if number == _MOST_DIRECTORIES:
            break
        below[:] = sorted(each for each in below if not each.startswith(".") and each != "node_modules")
        if any(name in files for name in NAMES):
            found.append((where, _read(where)))
    return tuple(found)


@cache
def builds(root: str) -> tuple[Build, ...]:
    """The kustomizations below a directory that rename or move what they reach."""
    found = []
    for where, data in _kustomizations(root):
        prefix, suffix, space = (_text(data.get(key)) for key in ("namePrefix", "nameSuffix", "namespace"))
        if prefix or suffix or space:
            reached = frozenset(_reached(where, data, set()))
            found.append(Build(prefix, suffix, space or None, reached))
    return tuple(found)


class _Setting(NamedTuple):
    """A kustomization that sets fields of other objects; files: as in a build."""

    reaches: tuple[Reach, ...]
    files: frozenset[str]


@cache
def _setting(root: str) -> tuple[_Setting, ...]:
    found = []
    for where, data in _kustomizations(root):
        path = kustomization_file(where) if data.get("replacements") or data.get("transformers") else None
        file = parse_path(path) if path is not None else None
        reaches = [] if file is None else [*reaches_in(file, where)]
        if reaches:
            found.append(_Setting(tuple(reaches), frozenset(_reached(where, data, set()))))
    return tuple(found)


def _path(obj: KubeObject) -> str:
    return os.path.abspath(str(obj.file.file.path or obj.file.file.name))


def _root(obj: KubeObject) -> str:
    return git_root(directory(obj.file)) or os.path.abspath(os.curdir)


@cache
def _by_path(root: str) -> Mapping[str, Sequence[Build]]:
    found: dict[str, list[Build]] = {}
    for build in builds(root):
        for path in build.files:
            found.setdefault(path, []).append(build)
    return found


def _of(obj: KubeObject, root: str) -> Sequence[Build]:
    return _by_path(root).get(_path(obj), ())


def reached(obj: KubeObject) -> Iterator[Reach]:
    """The fields of the object that kustomizations read or set from other objects."""
    root, path = _root(obj), _path(obj)
    for setting in _setting(root):
        if path in setting.files:
            name = obj.ref.name or ""
            names = {name, *(f"{each.prefix}{name}{each.suffix}" for each in _of(obj, root))}
            yield from (each for each in setting.reaches if each.is_for(obj.ref.kind or "", names))


class BuiltNames:
    """The names that objects have in builds, their own included, each with the namespaces in which they then are."""

    def __init__(self, objects: Sequence[KubeObject]) -> None:
        self._objects = objects
        self._spaces: dict[str, dict[str, set[str | None]]] = {}

    def _in(self, root: str) -> Mapping[str, set[str | None]]:
        """Those of the builds below a directory."""
        if root not in self._spaces:
            found = self._spaces[root] = {}
            for obj in self._objects:
                own = _of(obj, root)
                names = dict.fromkeys([obj.ref.name] if obj.ref.name else [])
                for build in (*own, *own):
                    first = [*names][:_MOST_NAMES]  # Its own name is the first, so that no build is left out.
                    names |= dict.fromkeys(f"{build.prefix}{each}{build.suffix}" for each in first)
                spaces = {obj.ref.namespace, *(build.namespace for build in own if build.namespace)}
                for name in names:
                    found.setdefault(name, set()).update(spaces)
        return self._spaces[root]

    def has(self, name: str, user: KubeObject) -> bool:
        """Whether an object gets that name, in a namespace that the user can have, in some build."""
        root = _root(user)
        if not builds(root):
            return False
        there = self._in(root).get(name, set())
        spaces = {user.ref.namespace} | {build.namespace for build in _of(user, root) if build.namespace}
        return bool(there) and (None in spaces | there or not spaces.isdisjoint(there))
