"""Patterns of a configuration: those of .gitignore, counted from the directory of the file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from dralint.cli.config import Config
from dralint.errors import ConfigError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def _spec(config: Config, key: tuple[str | int, ...], lines: Sequence[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError as error:
        raise ConfigError(f"a pattern cannot be read: {error}", config.where(key)) from None


class Patterns:
    """What the configuration says of some files."""

    def __init__(self, config: Config) -> None:
        self._config = config

    def _relative(self, path: str, is_directory: bool) -> str | None:
        """The path from the configuration's directory; None for what does not lie in it."""
        relative = os.path.relpath(os.path.abspath(path), self._config.directory).replace(os.sep, "/")
        if relative == ".." or relative.startswith("../"):
            return None
        return relative + "/" * is_directory

    @cached_property
    def _excluded(self) -> GitIgnoreSpec:
        return _spec(self._config, ("exclude",), self._config.words("exclude"))

    def excluded(self, path: str, is_directory: bool) -> bool:
        """Whether `exclude` names a file, or a directory with all that is in it."""
        relative = self._relative(path, is_directory)
        return relative is not None and bool(self._excluded.match_file(relative))

    @cached_property
    def _paths(self) -> list[tuple[str, GitIgnoreSpec]]:
        return [
            (pattern, _spec(self._config, ("paths", pattern), [pattern]))
            for pattern in self._config.data.get("paths", {})
        ]

    def of(self, path: str) -> tuple[str, ...]:
        """The keys of `paths` that match a file, in their order."""
        relative = self._relative(path, False)
        if relative is None:
            return ()
        return tuple(pattern for pattern, spec in self._paths if spec.match_file(relative))
