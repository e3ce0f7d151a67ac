"""Numbers with their nouns, as all reports say them."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
