"""What the files of a run install, and which of it belongs to one cluster."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property

from dralint.kube.objects import KubeObject, ParsedFile
from dralint.lint.run import Run
from dralint.nvidia.installs import Install, installs, words


def _of_files(files: Iterable[ParsedFile]) -> list[Install]:
    """The installations in some files; most files hold none of the words."""
    return [
        install
        for file in files
        if any(word in file.file.data for word in [*words(), b"nvidia.com"])
        for obj in file.objects
        if not obj.template
        for install in installs(obj)
    ]


def directory(obj: KubeObject) -> str:
    """The directory of the object's file."""
    return os.path.dirname(os.path.abspath(str(obj.file.file.path or obj.file.file.name)))


class Installations:
    """The installations among the named files and in their context."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def named(self) -> list[Install]:
        """Those of the named files."""
        return _of_files(self._run.bundle.files)

    @cached_property
    def context(self) -> list[Install]:
        """Those of the context; reads it."""
        return _of_files(self._run.context.bundle.files)

    def beside(self, obj: KubeObject) -> list[Install]:
        """Other objects' installations that are surely for the same cluster.

        A repository can hold the manifests of many clusters: those of one directory are one cluster's,
        and with --complete all named files are.
        """
        where = directory(obj)
        return [
            each
            for each in self.named
            if each.object is not obj and (self._run.complete or directory(each.object) == where)
        ]
