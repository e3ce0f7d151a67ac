"""Numbers with their nouns, as all reports say them."""

from __future__ import annotations

NO_FILES = "no manifest was read (wanted: YAML or JSON that mentions GPUs or DRA)"


def counted(number: int, thing: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
