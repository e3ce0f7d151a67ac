"""Where the git work tree of a file begins. Reads directories only; git itself is not needed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache

# Outside a work tree nothing says where a project begins; overlays lie two or three levels deep.
_LEVELS = 4
_LEVELS_IN_TREE = 64


@cache
def git_root(directory: str) -> str | None:
    """The nearest directory from an absolute path upward that holds `.git`; None where there is none.

    `.git` is a file in work trees and submodules.
    """
    while True:
        if os.path.lexists(os.path.join(directory, ".git")):
            return directory
        parent = os.path.dirname(directory)
        if parent == directory:
            return None
        directory = parent


def directories_above(path: str) -> Iterator[str]:
    """The directory of a file and those above it, as far as its project goes; an absolute path."""
    directory = os.path.dirname(path)
    root = git_root(directory)
    for _ in range(_LEVELS if root is None else _LEVELS_IN_TREE):
        yield directory
        parent = os.path.dirname(directory)
        if directory in (root, parent):
            return
        directory = parent
