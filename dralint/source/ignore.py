"""What .gitignore files leave out of a walk: those of each directory, and of its parents up to the git root."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from dralint.source.git import git_root

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def _load(directory: str) -> GitIgnoreSpec | None:
    """The patterns of a directory's .gitignore; one that cannot be read is as if it were not there."""
    try:
        with open(os.path.join(directory, ".gitignore"), encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError:
        return None
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines(line for line in lines if _valid(line))


def _valid(line: str) -> bool:
    """Git passes over a pattern it cannot read; pathspec raises."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


class Ignores:
    """The patterns that hold in the directories of one walk.

    A walk must `enter` a directory before it asks about what lies in it, parents before children.
    """

    def __init__(self, root: str) -> None:
        self._specs: dict[str, tuple[tuple[str, GitIgnoreSpec], ...]] = {}
        self._parents = self._above(os.path.abspath(root))

    def _above(self, root: str) -> tuple[tuple[str, GitIgnoreSpec], ...]:
        """The patterns from above the root of the walk, nearest first.

        A directory that a person names is walked even if it is ignored; then its parents'
        patterns, which would take everything in it, do not count.
        """
        top = git_root(root)
        if top is None or top == root:
            return ()
        specs: list[tuple[str, GitIgnoreSpec]] = []
        directory = root
        while directory != top:
            directory = os.path.dirname(directory)
            spec = _load(directory)
            if spec is not None:
                specs.append((directory, spec))
        return () if self._taken(tuple(specs), root + "/") else tuple(specs)

    @staticmethod
    def _taken(specs: tuple[tuple[str, GitIgnoreSpec], ...], path: str) -> bool:
        for base, spec in specs:
            decision = spec.check_file(
                os.path.relpath(path, base).replace(os.sep, "/") + path[len(path.rstrip("/")) :]
            )
            if decision.include is not None:
                return decision.include
        return False

    def enter(self, directory: str, has_file: bool) -> None:
        inherited = self._specs.get(os.path.dirname(directory), self._parents)
        spec = _load(directory) if has_file else None
        self._specs[directory] = inherited if spec is None else ((directory, spec), *inherited)

    def file(self, directory: str, name: str) -> bool:
        """Whether a file of a directory that was entered is left out."""
        specs = self._specs[directory]
        return bool(specs) and self._taken(specs, os.path.join(directory, name))

    def directory(self, directory: str, name: str) -> bool:
        """Whether a directory in a directory that was entered is left out."""
        specs = self._specs[directory]
        return bool(specs) and self._taken(specs, os.path.join(directory, name) + "/")
