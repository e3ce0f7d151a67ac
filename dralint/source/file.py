"""A source file: bytes with the name a person knows them by."""

from __future__ import annotations

from typing import NamedTuple


class SourceFile(NamedTuple):
    """A file's bytes.

    name  as shown in messages: the path as given, "<stdin>" or --stdin-filename
    path  where it lies on disk, None for stdin
    """

    name: str
    path: str | None
    data: bytes


class Origin(NamedTuple):
    """Where a rendered document came from, by Helm's last `# Source: chart/templates/x.yaml` line.

    chart: the chart's name ("demo"); template: the whole path after "Source: ".
    """

    chart: str
    template: str
