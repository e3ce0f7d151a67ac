"""Numbers with their nouns, as all reports say them."""

from __future__ import annotations

from collections.abc import Iterable

NO_FILES = "no manifest was read (wanted: YAML or JSON that mentions GPUs or DRA)"


def in_runs(names: Iterable[str]) -> str:
    """Names that end in a number, those of a run by the first and the last: `DRA101 to DRA149, DRA201`."""
    runs: list[list[str]] = []
    for name in names:
        if runs and _next(runs[-1][-1]) == name:
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def _next(name: str) -> str:
    text = name.rstrip("0123456789")
    digits = name[len(text) :]
    return f"{text}{int(digits) + 1:0{len(digits)}}" if digits else ""


def counted(number: int, thing: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
