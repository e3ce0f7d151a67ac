"""The objects of the named files, and the context: the GPU-relevant rest of their git roots."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from dralint.errors import InputError
from dralint.kube.namespaced import Namespaced
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.read import parse
from dralint.source.file import SourceFile
from dralint.source.find import STDIN_NAME, walk
from dralint.source.git import git_root
from dralint.source.limits import limits

DRA_GROUP = "resource.k8s.io"
Read = Callable[[SourceFile, Sequence[bytes]], ParsedFile]


def in_order(files: Iterable[ParsedFile]) -> list[ParsedFile]:
    """The files by their names: what is found in them does not depend on the order in which they are named."""
    return sorted(files, key=lambda file: file.file.name)


class Bundle:
    """Objects that references resolve in."""

    def __init__(self, files: Sequence[ParsedFile]) -> None:
        self.files = list(files)

    @cached_property
    def objects(self) -> list[KubeObject]:
        """All objects in the order of the files."""
        return [obj for file in self.files for obj in file.objects]

    @cached_property
    def _by_namespace(self) -> dict[str | None, list[KubeObject]]:
        found: dict[str | None, list[KubeObject]] = {}
        for obj in self.objects:
            found.setdefault(obj.ref.namespace, []).append(obj)
        return found

    def in_namespace(self, name: str | None) -> Sequence[KubeObject]:
        """The objects that say that they are of a namespace; None: those that say none."""
        return self._by_namespace.get(name, ())

    @cached_property
    def _by_name(self) -> dict[tuple[str, str | None, str | None], Namespaced[KubeObject]]:
        found: dict[tuple[str, str | None, str | None], Namespaced[KubeObject]] = {}
        for obj in self.objects:
            named = found.setdefault((obj.group, obj.ref.kind, obj.ref.name), Namespaced())
            named.add(obj.ref.namespace, obj)
        return found

    def find(
        self, kind: str, namespace: str | None, name: str, group: str = DRA_GROUP
    ) -> Sequence[KubeObject]:
        """The objects a reference may mean; an absent namespace, on either side, matches any."""
        found = self._by_name.get((group, kind, name))
        return [] if found is None else found.of(namespace)


class Context:
    """The GPU-relevant rest of the git root of each named file, read once and only when asked for.

    names  the named files as messages show them; a name that is no path (`<stdin>`) has no context
    root   read this directory instead of the git roots

    What cannot be read is passed over and never reported.
    """

    def __init__(
        self, names: Sequence[str], words: Sequence[bytes], read: Read = parse, root: str | None = None
    ) -> None:
        self._names = names
        self._words = words
        self._read = read
        self._root = root

    @classmethod
    def none(cls) -> Context:
        """A context that never holds anything."""
        return cls((), ())

    def _roots(self) -> list[str]:
        if self._root is not None:
            return [os.path.abspath(self._root)]
        named = (name for name in self._names if name != STDIN_NAME)
        directories = {os.path.dirname(os.path.abspath(name)) for name in named}
        roots = {root for directory in directories if (root := git_root(directory)) is not None}
        # A submodule's root inside another root would be read twice.
        return sorted(
            root for root in roots if not any(root.startswith(f"{other}{os.sep}") for other in roots)
        )

    @cached_property
    def bundle(self) -> Bundle:
        """The objects of the context; reading happens here."""
        named = {os.path.abspath(name) for name in self._names}
        most = limits().context_files
        files: list[ParsedFile] = []
        for root in self._roots():
            shown = "" if root == os.getcwd() else os.path.join(os.path.relpath(root), "")
            for found in walk(root, shown, self._words, named, most):
                if isinstance(found, InputError):
                    continue
                with contextlib.suppress(InputError):
                    files.append(self._read(found, self._words))
        return Bundle(files)

    @property
    def files_read(self) -> int:
        """How many GPU-relevant files the context holds; reads them if that has not happened yet."""
        return len(self.bundle.files)
