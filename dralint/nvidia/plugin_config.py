"""Configurations of the device plugin: which resources they share, and the MIG strategy."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, cast

from dralint.kube.quantity import parse_count
from dralint.nvidia.resources import shared_name, with_domain
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP, SCALAR, SEQ, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import children, entries, get, string

_DATA = os.path.join(os.path.dirname(__file__), "data", "plugin_config.yaml")

Way = Literal["timeSlicing", "mps"]
MigStrategy = Literal["none", "single", "mixed"]


class Replicated(NamedTuple):
    """A resource that a configuration shares.

    resource    its name, with the plugin's domain
    way         time-slicing or MPS
    replicas    how many units a device gives; None where it is no whole number
    advertised  the name that pods ask for: the plugin ignores `rename`, and knows `renameByDefault` only
    fails       requests for more than one unit are refused
    number      of the item of `resources`, from 0
    node        that item
    both        the configuration has both ways
    """

    resource: str
    way: Way
    replicas: int | None
    advertised: str
    fails: bool
    number: int
    node: Node
    both: bool


class Mistake(NamedTuple):
    """Why the plugin does not take a configuration, without a full stop, what to do, and where it shows."""

    what: str
    advice: str
    node: Node


@lru_cache(maxsize=1)
def _data() -> Any:
    return load_data(_DATA)


def ways() -> Sequence[Way]:
    """The ways to share, the one that wins first."""
    return tuple(cast(Way, entry["way"]) for entry in _data()["ways"])


def selecting_label() -> str:
    """The node label that names the node's configuration."""
    return str(_data()["selecting_label"]["label"])


def _true(node: Node | None, *, default: bool) -> bool:
    value = resolve(node) if node is not None and node.kind == SCALAR else None
    return value if isinstance(value, bool) else default


def _of_way(config: Node, way: Way, both: bool) -> Iterator[Replicated]:
    section = get(config, "sharing", way)
    default = next(bool(entry["fails_above_one"]) for entry in _data()["ways"] if entry["way"] == way)
    renamed = _true(get(section, "renameByDefault"), default=False)
    fails = _true(get(section, "failRequestsGreaterThanOne"), default=default)
    for index, item in enumerate(children(get(section, "resources"))):
        written, replicas = string(get(item, "name")), get(item, "replicas")
        if written is None:
            continue
        name = with_domain(written)
        advertised = shared_name(name) if renamed else name
        yield Replicated(name, way, parse_count(replicas).value, advertised, fails, index, item, both)


def replicated(config: Node) -> list[Replicated]:
    """The resources that a configuration names as shared, in both ways; the plugin minds the way that wins."""
    present = [way for way in ways() if children(get(config, "sharing", way, "resources"))]
    return [each for way in present for each in _of_way(config, way, len(present) > 1)]


def effective(config: Node) -> list[Replicated]:
    """The resources that the plugin shares by a configuration."""
    found = replicated(config)
    return [each for each in found if each.way == found[0].way]


def as_strategy(written: str | None) -> MigStrategy | None:
    """The MIG strategy that a text names."""
    return cast(MigStrategy, written) if written in _data()["mig_strategies"]["names"] else None


def mig_strategy(config: Node) -> MigStrategy | None:
    """The MIG strategy of a configuration; None where it says none that there is."""
    return as_strategy(string(get(config, "flags", "migStrategy")))


def configs_in_values() -> Sequence[tuple[str, ...]]:
    """The paths in Helm values of a mapping from names to configurations."""
    return tuple(tuple(entry["configs"]) for entry in _data()["values"])


def strategies_elsewhere() -> Sequence[tuple[str, ...]]:
    """The paths in Helm values and in a ClusterPolicy of the MIG strategy of all configurations."""
    return tuple(tuple(entry["path"]) for entry in _data()["strategies"])


def is_config(node: Node | None) -> bool:
    """Whether a mapping has the form of a configuration, and is no Kubernetes object and no MIG layout."""
    if node is None or node.kind != MAP:
        return False
    keys = entries(node).keys()
    form = _data()["form"]
    return bool(keys & set(form["keys"])) and not keys & set(form["never"])


def _mistaken_sharing(section: Node, way: Way, node: Node) -> Iterator[Mistake]:
    """What the plugin refuses in one way of sharing; node: its key."""
    resources = get(section, "resources")
    if resources is None or resources.kind != SEQ or not resources.items:
        yield Mistake(f"sharing.{way} has no resources, which the device plugin refuses", "name them", node)
    for key in ("renameByDefault", "failRequestsGreaterThanOne"):
        value = get(section, key)
        if value is not None and (value.kind != SCALAR or not isinstance(resolve(value), bool | None)):
            yield Mistake(f"{key} is neither true nor false", "correct it", value)
    for item in children(resources):
        if string(get(item, "name")) is None:
            yield Mistake(f"a resource of sharing.{way} has no name", "name it", item)
            continue
        replicas = get(item, "replicas")
        written = resolve(replicas) if replicas is not None and replicas.kind == SCALAR else None
        least = int(_data()["least_replicas"]["number"])
        if not isinstance(written, int) or isinstance(written, bool) or written < least:
            what = f"replicas of {string(get(item, 'name'))} is no whole number from {least} up"
            yield Mistake(f"{what}, which the device plugin refuses", "correct it", replicas or item)


def mistakes(config: Node) -> Iterator[Mistake]:
    """Why the plugin does not start with a configuration, or reads it otherwise than it looks."""
    version = get(config, "version")
    known = str(_data()["version"]["version"])
    if version is not None and not (version.kind == SCALAR and resolve(version) in (None, "", known)):
        yield Mistake(f"the version is not {known}, the only one that the device plugin reads", "", version)
    strategy = get(config, "flags", "migStrategy")
    if strategy is not None and mig_strategy(config) is None and resolve(strategy) is not None:
        names = ", ".join(_data()["mig_strategies"]["names"])
        yield Mistake(f"flags.migStrategy {strategy.text} is none of {names}", "correct it", strategy)
    sharing = get(config, "sharing")
    if sharing is None:
        return
    if sharing.kind != MAP:
        if sharing.kind != SCALAR or resolve(sharing) is not None:
            yield Mistake("sharing is no mapping", "correct it", sharing)
        return
    for way in ways():
        entry, section = entries(sharing).get(way), get(sharing, way)
        if entry is not None and section is not None:
            if section.kind == SCALAR and resolve(section) is None:
                continue
            yield from _mistaken_sharing(section, way, entry.key)
