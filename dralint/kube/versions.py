"""Kubernetes versions: which API versions they serve and which feature gates they have."""

from __future__ import annotations

import os
import re
from datetime import date
from functools import cache
from typing import Any, Literal, NamedTuple, Self

from dralint.yamltext.load import load_data

# The API group of Dynamic Resource Allocation.
GROUP = "resource.k8s.io"
_VERSION = re.compile(r"v?([0-9]{1,4})\.([0-9]{1,4})(?:[.+-].*)?\Z")


class _Pair(NamedTuple):
    major: int
    minor: int


class Version(_Pair):
    """A Kubernetes release such as Version("1.36") or Version(1, 36); patch level and build are left out.

    Raises ValueError for what is no version.
    """

    __slots__ = ()

    def __new__(cls, major: int | str, minor: int | None = None) -> Self:
        if isinstance(major, str):
            match = _VERSION.match(major.strip())
            if match is None:
                raise ValueError(f"{major!r} is not a version such as 1.36")
            major, minor = int(match[1]), int(match[2])
        return super().__new__(cls, major, minor or 0)

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


@cache
def _data(name: str) -> Any:
    return load_data(os.path.join(os.path.dirname(__file__), "data", name))


@cache
def newest() -> Version:
    """The newest release known, the default of the target."""
    return Version(_data("api_versions.yaml")["newest"]["version"])


@cache
def oldest_stable() -> Version:
    """The first release with resource.k8s.io/v1."""
    return Version(_data("api_versions.yaml")["oldest_stable"]["version"])


State = Literal["served", "opt-in", "not-yet", "removed", "unknown"]


class ApiState(NamedTuple):
    """What a release makes of an API version of a kind.

    state       served: by default; opt-in: only with --runtime-config; not-yet: it comes later;
                removed: it is gone; unknown: no release has it
    deprecated  the release warns
    introduced, deprecated_in, removed_in   the releases; None where not known or never
    """

    state: State
    deprecated: bool = False
    introduced: Version | None = None
    deprecated_in: Version | None = None
    removed_in: Version | None = None


@cache
def _api_versions() -> dict[tuple[str, str], ApiState]:
    """The life of each (apiVersion, kind); the state tells whether it is on by default."""
    found: dict[tuple[str, str], ApiState] = {}
    for entry in _data("api_versions.yaml")["versions"]:
        deprecated, removed = entry.get("deprecated"), entry.get("removed")
        life = ApiState(
            "served" if entry["default"] else "opt-in",
            False,
            Version(entry["introduced"]),
            Version(deprecated) if deprecated else None,
            Version(removed) if removed else None,
        )
        found.update({(entry["api_version"], kind): life for kind in entry["kinds"]})
    return found


def dra_kinds() -> frozenset[str]:
    """The kinds that resource.k8s.io has or had in any release."""
    return frozenset(kind for _, kind in _api_versions())


def api_version_state(api_version: str, kind: str, version: Version) -> ApiState:
    """Whether a release serves a kind of resource.k8s.io in a version; `unknown` for other groups."""
    life = _api_versions().get((api_version, kind))
    if life is None:
        return ApiState("unknown")
    if life.introduced is not None and version < life.introduced:
        return life._replace(state="not-yet")
    if life.removed_in is not None and version >= life.removed_in:
        return life._replace(state="removed")
    return life._replace(deprecated=life.deprecated_in is not None and version >= life.deprecated_in)


def api_versions_of(kind: str, version: Version) -> list[str]:
    """The API versions in which a release has a kind, the one served by default first, then the newest."""
    found = [
        (api_version, api_version_state(api_version, kind, version))
        for api_version, its_kind in _api_versions()
        if its_kind == kind
    ]
    present = [(name, state) for name, state in reversed(found) if state.state in {"served", "opt-in"}]
    return [name for name, _ in sorted(present, key=lambda item: item[1].state != "served")]


@cache
class EndOfLife(NamedTuple):
    """Until when a release gets fixes, as far as is known; over: it surely gets none any more."""

    until: date
    over: bool


def end_of_life(version: Version) -> EndOfLife | None:
    """Until when a release gets fixes; None where that is not settled."""
    for entry in _data("releases.yaml")["end_of_life"]:
        if Version(entry["version"]) == version:
            return EndOfLife(date.fromisoformat(entry["until"]), entry.get("over", False))
    return None


class Gate(NamedTuple):
    """A feature gate: its stages by the release that changed it, oldest first."""

    name: str
    stages: tuple[tuple[Version, str], ...]

    def stage(self, version: Version) -> str | None:
        """alpha, beta, beta-off, ga, locked or removed; None before the gate existed."""
        current = None
        for since, stage in self.stages:
            if since <= version:
                current = stage
        return current


@cache
def gates() -> dict[str, Gate]:
    """All gates of data/gates.yaml by name."""
    return {
        entry["name"]: Gate(
            entry["name"],
            tuple(sorted((Version(since), stage) for since, stage in entry["stages"].items())),
        )
        for entry in _data("gates.yaml")["gates"]
    }


_ON = {"alpha": False, "beta-off": False, "beta": True, "ga": True, "locked": True}


def gate_default(name: str, version: Version) -> bool | None:
    """Whether a gate is on unless somebody sets it; None where the release does not have it."""
    gate = gates().get(name)
    stage = gate.stage(version) if gate else None
    return _ON.get(stage) if stage else None


def gate_locked(name: str, version: Version) -> bool:
    """Whether the release refuses to turn the gate off."""
    gate = gates().get(name)
    return gate is not None and gate.stage(version) == "locked"
