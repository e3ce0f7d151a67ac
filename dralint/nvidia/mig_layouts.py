"""Layouts of mig-parted, which cut cards into MIG devices: the profiles that each makes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from dralint.nvidia.resources import profile_in_name, profile_resource
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import children, entries, get

_DATA = os.path.join(os.path.dirname(__file__), "data", "mig_layouts.yaml")
KEY = "mig-configs"


class Layout(NamedTuple):
    """What a layout makes of a node's cards.

    profiles  of its MIG devices as they are written, each once: `1g.10gb+me`
    whole     some cards, or all, stay whole
    node      the layout's key; None where only its name is known
    """

    name: str
    profiles: tuple[str, ...]
    whole: bool
    node: Node | None = None

    @property
    def strange(self) -> bool:
        """Something in it is called as no MIG device is, so that what it makes is not known."""
        return any(profile_resource(each) is None for each in self.profiles)


@lru_cache(maxsize=1)
def _data() -> Any:
    return load_data(_DATA)


def layout_label() -> str:
    """The node label that names the node's layout."""
    return str(_data()["label"]["label"])


def layouts(config: Node | None) -> list[Layout]:
    """The layouts of a mapping with `mig-configs`; none of anything else."""
    written = get(config, KEY)
    if written is None or written.kind != MAP:
        return []
    found = []
    for name, layout in entries(written).items():
        profiles: dict[str, None] = {}
        whole = False
        for cards in children(layout.value):
            enabled, devices = get(cards, "mig-enabled"), get(cards, "mig-devices")
            cut = enabled is None or enabled.kind != SCALAR or resolve(enabled) is not False
            if cut and devices is not None and devices.kind == MAP:
                profiles.update(dict.fromkeys(entries(devices)))
            whole = whole or not cut
        found.append(Layout(name, tuple(profiles), whole, layout.key))
    return found


def named_layout(name: str) -> Layout | None:
    """What a layout makes by its name alone, as those that NVIDIA ships are called; None where it does not tell."""
    shipped = _data()["names"]
    if name == shipped["none"]:
        return Layout(name, (), whole=True)
    profile = profile_in_name(name.removeprefix(shipped["prefix"]))
    if name.startswith(shipped["prefix"]) and profile is not None:
        return Layout(name, (profile,), whole=False)
    return None


def offered(found: Iterable[Layout]) -> list[str]:
    """The profiles of all layouts, each once."""
    return [*dict.fromkeys(profile for layout in found for profile in layout.profiles)]
