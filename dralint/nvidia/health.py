"""What a target needs to be sound: the least GPU driver, and until when its releases get fixes."""

from __future__ import annotations

import os
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from dralint.yamltext.load import load_data

_DATA = os.path.join(os.path.dirname(__file__), "data", "driver.yaml")


class Least(NamedTuple):
    """The least GPU driver that something needs; says: what needs it."""

    version: str
    says: str


@cache
def _data() -> Any:
    return load_data(_DATA)


def numbers(version: str) -> tuple[int, ...] | None:
    """A version of digits and dots as numbers; None for anything else."""
    parts = version.split(".")
    return tuple(map(int, parts)) if all(part.isascii() and part.isdigit() for part in parts) else None


def older(version: str, least: str) -> bool:
    """Whether a GPU driver is older than another; a branch ("580") stands for its newest version."""
    mine, theirs = numbers(version), numbers(least)
    return mine is not None and theirs is not None and mine < theirs[: max(len(mine), 1)]


def least_gpu_driver(what: str) -> Least | None:
    """The least GPU driver for a stack (operator, standalone) or compute-domain."""
    for entry in _data()["gpu_driver"]:
        if entry["for"] == what:
            return Least(entry["version"], entry["says"])
    return None


def fault(version: str, text: bytes) -> str | None:
    """What a GPU driver lacks for a card that a text names."""
    for entry in _data()["gpu_driver_faults"]:
        card = entry["card"]
        if entry["version"] == version and any(
            name.encode() in text for name in (card, card.replace(" ", "-"))
        ):
            return str(entry["says"])
    return None


def branch_end(version: str) -> date | None:
    """Until when the branch of a GPU driver gets fixes; None where that is not known."""
    for entry in _data()["gpu_driver_branches"]:
        if entry["branch"] == version.partition(".")[0]:
            return date.fromisoformat(entry["until"])
    return None


def known_on() -> date:
    """The day that the data is of. Ends of support are measured from it, so that a run gives the same every day."""
    return date.fromisoformat(_data()["known_on"])


def least_kubernetes() -> tuple[int, ...]:
    """The least Kubernetes for the DRA driver: (1, 34, 2)."""
    return numbers(_data()["kubernetes"]["version"]) or ()
