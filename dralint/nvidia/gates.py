"""Releases and feature gates of NVIDIA's DRA driver."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from dralint.errors import UsageError
from dralint.yamltext.load import load_data

_DATA = os.path.join(os.path.dirname(__file__), "data", "driver.yaml")
_VERSION = re.compile(r"v?(\d+)\.(\d+)(?:\.(\d+))?(?:[-+][0-9A-Za-z.+-]*)?")

# (major, minor, patch) on the semantic line: 25.12.0 is (0, 3, 0).
Release = tuple[int, int, int]


class DriverGate(NamedTuple):
    """A feature gate of the driver.

    since       the release that brought it
    enables     what it is for
    kubernetes  the gate of Kubernetes without which it does nothing
    """

    name: str
    since: Release
    stage: Literal["alpha", "beta"]
    enables: str
    kubernetes: str | None = None


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    data: Any = load_data(_DATA)
    return dict(data)


def _numbers(version: str) -> Release | None:
    match = _VERSION.fullmatch(version)
    return (int(match[1]), int(match[2]), int(match[3] or 0)) if match else None


def newest_release() -> str:
    """The newest driver release known: "0.5.1"."""
    return str(_data()["releases"][-1]["version"])


@lru_cache(maxsize=64)
def release(version: str) -> Release:
    """A driver version ("0.5.1", "v0.4", the older "25.12.0") as a point on the semantic line.

    Raises UsageError for what is no version, or a calendar version that never was.
    """
    numbers = _numbers(version)
    if numbers is None:
        raise UsageError(
            f"{version!r} is no version of the DRA driver", advice=f"write it like {newest_release()}"
        )
    for entry in _data()["releases"]:
        calendar = _numbers(entry.get("calendar", ""))
        semantic = _numbers(entry["version"])
        if calendar is not None and semantic is not None and calendar[:2] == numbers[:2]:
            return (semantic[0], semantic[1], numbers[2])
    if numbers[0] >= 25:
        lines = ", ".join(entry["calendar"] for entry in _data()["releases"] if "calendar" in entry)
        raise UsageError(
            f"the DRA driver has no release {version}", advice=f"its calendar versions were {lines}"
        )
    return numbers


@lru_cache(maxsize=1)
def driver_gates() -> Mapping[str, DriverGate]:
    """All gates of the driver by name."""
    gates = (
        DriverGate(
            entry["name"],
            release(entry["since"]),
            entry["stage"],
            entry["enables"],
            entry.get("kubernetes"),
        )
        for entry in _data()["gates"]
    )
    return {gate.name: gate for gate in gates}


def exclusions(version: str) -> list[tuple[str, str]]:
    """Pairs of gates with which a driver version does not start."""
    return [
        (first, second)
        for entry in _data()["exclusions"]
        for first, second in [entry["gates"]]
        if release(entry["since"]) <= release(version)
    ]


def doubtful_pairs() -> list[tuple[str, str]]:
    """Pairs of gates that the documentation calls exclusive, and the code does not."""
    return [(first, second) for entry in _data()["doubtful"] for first, second in [entry["gates"]]]


def requirements(version: str) -> list[tuple[str, str]]:
    """Gates that a driver version refuses while another one, the second of the pair, is off."""
    return [
        (entry["gate"], entry["needs"])
        for entry in _data()["requirements"]
        if release(entry["since"]) <= release(version)
    ]


def gate_default(name: str, version: str) -> bool | None:
    """Whether a gate is on by default in a driver version; None where that version has no such gate."""
    gate = driver_gates().get(name)
    if gate is None or release(version) < gate.since:
        return None
    return gate.stage == "beta"


def release_text(point: Release) -> str:
    """A point on the semantic line as people write it: "0.5.0", with the older name where it had one."""
    text = ".".join(map(str, point))
    for entry in _data()["releases"]:
        if "calendar" in entry and _numbers(entry["version"]) == (*point[:2], 0):
            return f"{text} ({entry['calendar']})"
    return text
