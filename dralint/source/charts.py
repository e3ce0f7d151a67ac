"""Is a file a raw template of a Helm chart?"""

from __future__ import annotations

import os
from functools import cache


@cache
def _chart_of(directory: str) -> str | None:
    parent = os.path.dirname(directory)
    if parent == directory:
        return None
    if os.path.basename(directory) == "templates" and os.path.isfile(os.path.join(parent, "Chart.yaml")):
        return parent
    return _chart_of(parent)


def shown_chart(chart: str, name: str) -> str:
    """A chart's directory as it is shown: absolute only where the person's name for its file is.

    Otherwise it counts from the current directory, so that reports do not differ from machine to machine.
    """
    return chart if os.path.isabs(name) else os.path.relpath(chart)


def chart_template(path: str | os.PathLike[str] | None) -> str | None:
    """The directory of the chart whose templates/ the file lies in; None for other files and for stdin.

    Such a file is linted if it parses and never edited: what Helm makes of it is not known here.
    """
    return None if path is None else _chart_of(os.path.dirname(os.path.abspath(path)))
