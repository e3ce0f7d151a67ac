"""Is a file a raw template of a Helm chart?"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path


@cache
def _chart_of(directory: str) -> str | None:
    parent = os.path.dirname(directory)
    if parent == directory:
        return None
    if os.path.basename(directory) == "templates" and os.path.isfile(os.path.join(parent, "Chart.yaml")):
        return parent
    return _chart_of(parent)


def chart_template(path: str | Path | None) -> str | None:
    """The directory of the chart whose templates/ the file lies in; None for other files and for stdin.

    Such a file is linted if it parses and never edited: what Helm makes of it is not known here.
    """
    return None if path is None else _chart_of(os.path.dirname(os.path.abspath(path)))
