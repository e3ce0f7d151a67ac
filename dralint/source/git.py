"""Where the git work tree of a file begins. Reads the directory only; git itself is not needed."""

from __future__ import annotations

import os
from functools import cache


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
