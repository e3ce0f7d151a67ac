"""Where the rule files and schemas lie: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def directory(name: str) -> str:
    """The path of the directory "rules" or "schemas"."""
    installed = os.path.join(_PACKAGE, "_data", name)
    return installed if os.path.isdir(installed) else os.path.join(os.path.dirname(_PACKAGE), name)
