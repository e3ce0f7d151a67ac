"""The bounds and names the file finder goes by, from data/limits.yaml."""

from __future__ import annotations

import os
from functools import cache
from typing import Any, NamedTuple

from dralint.yamltext.load import load_data


class Limits(NamedTuple):
    """suffixes in lower case; file_size and dump_size in bytes; context_files a number of files."""

    suffixes: tuple[str, ...]
    skipped_directories: frozenset[str]
    skipped_files: frozenset[str]
    environment_markers: tuple[str, ...]
    file_size: int
    context_files: int
    dump_size: int


@cache
def limits() -> Limits:
    data: Any = load_data(os.path.join(os.path.dirname(__file__), "data", "limits.yaml"))
    return Limits(
        tuple(data["suffixes"]["values"]),
        frozenset(data["skipped_directories"]["values"]),
        frozenset(data["skipped_files"]["values"]),
        tuple(data["environment_markers"]["values"]),
        data["file_size"]["value"] * 1024 * 1024,
        data["context_files"]["value"],
        data["dump_size"]["value"] * 1024 * 1024,
    )
