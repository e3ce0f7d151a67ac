"""Resource names of GPUs as the device plugins advertise them, and what DRA calls the same thing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from dralint.yamltext.load import load_data

Base = Literal["gpu", "mig", "pgpu", "gpumem", "gpucores"]
# Those that ask for a part of a GPU.
PARTS: tuple[Base, ...] = ("gpumem", "gpucores")
_DATA = os.path.join(os.path.dirname(__file__), "data", "resources.yaml")


class GpuResource(NamedTuple):
    """What a resource name asks for.

    base     a whole GPU, a MIG device, a GPU passed through to a VM, or a share of memory or cores
    profile  MIG only, as DRA's `profile` attribute writes it: `1g.10gb+me`; None where the name
             holds no profile that the device plugin advertises
    shared   the name says that the device is shared (`nvidia.com/gpu.shared`)
    """

    name: str
    base: Base
    profile: str | None = None
    shared: bool = False


# A team's own names, from its configuration.
_own: dict[str, GpuResource] = {}


def register(entries: Iterable[Mapping[str, Any]]) -> None:
    """Take a team's own resource names from here on, instead of those taken before.

    entries: name and base of each, profile and shared where they apply, as in GpuResource
    """
    _own.clear()
    for entry in entries:
        name = entry["name"]
        _own[name] = GpuResource(name, entry["base"], entry.get("profile"), entry.get("shared", False))
    classify.cache_clear()
    domains.cache_clear()


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    data: Any = load_data(_DATA)
    return dict(data)


@lru_cache(maxsize=1)
def _profiles() -> tuple[re.Pattern[str], dict[str, str]]:
    profiles = _data()["profiles"]
    suffixes = {entry["resource"]: entry["attribute"] for entry in profiles["suffixes"]}
    ends = "|".join(re.escape(suffix) for suffix in sorted(suffixes, key=len, reverse=True))
    return re.compile(f"({profiles['pattern']})({ends})"), suffixes


def _profile(text: str) -> str | None:
    pattern, suffixes = _profiles()
    match = pattern.fullmatch(text)
    return match[1] + suffixes[match[2]] if match else None


def domain() -> str:
    """The domain of NVIDIA's resources."""
    return str(_data()["domain"])


@lru_cache(maxsize=1)
def domains() -> tuple[str, ...]:
    """The domains that a GPU's name may have: NVIDIA's, and those of a team's own names."""
    return tuple(sorted({domain(), *(name.partition("/")[0] for name in _own)}))


def wrong_domains() -> frozenset[str]:
    """What people write for that domain."""
    return frozenset(_data()["wrong_domains"])


def profile_in_name(text: str) -> str | None:
    """The MIG profile that a part of a resource's name means: `1g.10gb.me` is `1g.10gb+me`; None for none."""
    return _profile(text)


def with_domain(name: str) -> str:
    """The name as the device plugin reads it: its domain stands before a name that has none."""
    return name if "/" in name else f"{_data()['domain']}/{name}"


def shared_name(name: str) -> str:
    """What a resource is called where its name says that its devices are shared."""
    return f"{name}{_data()['shared_suffix']}"


def profile_resource(profile: str) -> str | None:
    """The device plugin's resource name for a MIG profile of DRA; None for what is no profile."""
    data = _data()
    pattern, suffixes = _profiles()
    for resource, attribute in suffixes.items():
        stem = profile[: len(profile) - len(attribute)]
        if (
            profile.endswith(attribute)
            and pattern.fullmatch(stem + resource)
            and _profile(stem + resource) == profile
        ):
            prefix = next(entry["prefix"] for entry in data["resources"] if entry["base"] == "mig")
            return f"{data['domain']}/{prefix}{stem}{resource}"
    return None


@lru_cache(maxsize=4096)
def classify(name: str) -> GpuResource | None:
    """The GPU resource that a name means, or None when it is not a GPU's."""
    if name in _own:
        return _own[name]
    data = _data()
    domain, slash, rest = name.partition("/")
    if not slash or domain != data["domain"]:
        return None
    suffix = data["shared_suffix"]
    shared = rest.endswith(suffix)
    if shared:
        rest = rest[: -len(suffix)]
    for entry in data["resources"]:
        if rest == entry.get("name"):
            return GpuResource(name, entry["base"], None, shared)
        prefix = entry.get("prefix")
        if prefix and rest.startswith(prefix) and rest != prefix:
            return GpuResource(name, entry["base"], _profile(rest[len(prefix) :]), shared)
    return None
