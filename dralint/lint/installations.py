"""What the files of a run install, and which of it belongs to one cluster."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from dralint.kube.neighbours import beside
from dralint.kube.objects import ParsedFile
from dralint.kube.reach import Reach
from dralint.lint.run import Run
from dralint.nvidia.installs import Install, installs, words


def _of_files(files: Iterable[ParsedFile]) -> list[Install]:
    """The installations in some files; most files hold none of the words."""
    return [
        install
        for file in files
        if any(file.holds(word) for word in [*words(), b"nvidia.com"])
        for obj in file.objects
        if not obj.template
        for install in installs(obj)
    ]


def _file_of(install: Install) -> ParsedFile:
    return install.object.file


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

    def beside(self, install: Install) -> list[Install]:
        """Other objects' installations that are surely for the same cluster.

        See `neighbours`. Files of values are parts: one counts beside another installation only in its own
        directory. Two installations in one file of values are parts of one chart, whose own business they are.
        """
        return [
            each
            for each in self.named
            if each.object is not install.object
            and beside(
                each.object,
                install.object,
                complete=self._run.complete and not (each.partial or install.partial),
            )
        ]

    @cached_property
    def _named_reach(self) -> Reach[Install]:
        return Reach(self.named, _file_of)

    @cached_property
    def _context_reach(self) -> Reach[Install]:
        return Reach(self.context, _file_of)

    def of(self, file: ParsedFile) -> list[Install]:
        """Those that count for the cluster that a file is for, of the context where no named one does."""
        tiers = self._named_reach.tiers(file) or self._context_reach.tiers(file)
        return [each for tier in tiers for each in tier]
