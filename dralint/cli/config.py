"""The configuration of a run: looked for upward from the current directory, or named; empty without a file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import click

from dralint.errors import ConfigError, Place
from dralint.source.git import git_root

OWN_FILES = (".dralint.yaml", ".dralint.yml")
PROJECT_FILE = "pyproject.toml"
ENVIRONMENT = "DRALINT_CONFIG"
_META = "dralint.configuration"
# A look at the bytes first: most projects have a pyproject.toml that says nothing of dralint.
_OUR_TABLE = rb"""\btool["'\s]*[.=][{"'\s]*dralint|^\s*\[\s*["']?tool["']?\s*\]"""
Path = tuple[str | int, ...]


def _nowhere(path: Path) -> Place:  # noqa: ARG001
    return Place("dralint")


class Config(NamedTuple):
    """What a configuration file says; schemas/config.schema.json has the keys.

    file       its name for messages, None where there is none
    directory  absolute; relative paths and patterns of the file count from it
    data       what stands in it, valid
    where      the place of a key in it, by its path
    """

    file: str | None = None
    directory: str = ""
    data: Mapping[str, Any] = {}  # nobody changes it
    where: Callable[[Path], Place] = _nowhere

    def words(self, key: str) -> Sequence[str]:
        """A list of strings of the file."""
        found: Sequence[str] = self.data.get(key, ())
        return found

    @property
    def rules(self) -> list[str]:
        """The directories of a team's own rules."""
        return [self.path(each) for each in self.words("rules")]

    @property
    def context(self) -> str | None:
        """Where references may resolve: a directory, "none", or None where the file does not say.

        Raises ConfigError for what is no directory.
        """
        setting: str | None = self.data.get("context")
        if setting is None or setting == "none":
            return setting
        directory = self.path(setting)
        if not os.path.isdir(directory):
            advice = "name a directory, or none"
            raise ConfigError(f"{directory} is no directory", self.where(("context",)), advice)
        return directory

    @property
    def excluded(self) -> Callable[[str, bool], bool] | None:
        """What `exclude` says of absolute paths, for `source.find`; None where it says nothing."""
        if not self.words("exclude"):
            return None
        from dralint.cli.patterns import Patterns

        return Patterns(self).excluded

    def path(self, name: str) -> str:
        """A path of the file, as messages show it: relative to the current directory if it is below."""
        absolute = os.path.join(self.directory, name)
        relative = os.path.relpath(absolute)
        return os.path.normpath(absolute) if relative.startswith(os.pardir + os.sep) else relative


def _says_something(path: str) -> bool:
    """Whether a pyproject.toml seems to have our table."""
    try:
        with open(path, "rb") as file:
            return re.search(_OUR_TABLE, file.read(), re.MULTILINE) is not None
    except OSError:
        return False


def _load(name: str, path: str) -> Config | None:
    from dralint.cli.config_file import read

    return read(name, path)


def find(directory: str) -> Config:
    """The nearest configuration from an absolute directory up to its git root; outside git only there."""
    top = git_root(directory) or directory
    shown = ""
    while True:
        for name in OWN_FILES:
            path = os.path.join(directory, name)
            if os.path.isfile(path):
                return _load(shown + name, path) or Config()
        path = os.path.join(directory, PROJECT_FILE)
        if os.path.isfile(path) and _says_something(path):
            found = _load(shown + PROJECT_FILE, path)
            if found is not None:
                return found
        if directory == top:
            return Config()
        directory, shown = os.path.dirname(directory), os.path.join(os.pardir, shown)


def _chosen(named: str | None, no_config: bool) -> Config:
    if no_config:
        return Config()
    name = named or os.environ.get(ENVIRONMENT)
    if name:
        return _load(name, os.path.abspath(name)) or Config()
    return find(os.getcwd())


_registered = False


def _register(config: Config) -> None:
    """Tell the rooms below of the team's kinds and resource names; take back those of an earlier run."""
    global _registered  # noqa: PLW0603
    kinds, resources = config.data.get("kinds", ()), config.data.get("resources", ())
    if not (kinds or resources or _registered):
        return
    from dralint.convert.words import words
    from dralint.kube import kinds as known_kinds
    from dralint.kube import words as known_words
    from dralint.nvidia import resources as known_resources

    known_resources.register(resources)
    known_kinds.register(kinds)
    known_words.register(sorted({entry["name"].partition("/")[0] for entry in resources}))
    words.cache_clear()
    _registered = bool(kinds or resources)


def configuration() -> Config:
    """The configuration of the command that runs; read once.

    Raises ConfigError with file, line and column for a file that is not valid.
    """
    context = click.get_current_context(silent=True)
    if context is None:
        return Config()
    if _META not in context.meta:
        config = _chosen(context.params.get("config"), bool(context.params.get("no_config")))
        _register(config)
        context.meta[_META] = config
    found: Config = context.meta[_META]
    return found
