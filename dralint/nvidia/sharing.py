"""How the DRA driver shares a device: by one claim together, or by shares that claims ask for."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, NamedTuple

from dralint.nvidia.configs import api_version, strategies
from dralint.nvidia.gates import driver_gates
from dralint.nvidia.plugin_config import Way
from dralint.yamltext.load import load_data
from dralint.yamltext.view import Plain

_DATA = os.path.join(os.path.dirname(__file__), "data", "sharing.yaml")
_PERCENTAGE = "{percentage}"


class Shares(NamedTuple):
    """Shares of a device: the gates they need, the driver's variable for their number, and their capacity."""

    gate: str
    kubernetes_gate: str
    variable: str
    capacity: str


@lru_cache(maxsize=1)
def _data() -> Any:
    return load_data(_DATA)


@lru_cache(maxsize=1)
def shares() -> Shares:
    """What shares of a device need."""
    known = _data()["shares"]
    gate = known["gate"]
    return Shares(gate, driver_gates()[gate].kubernetes or "", known["variable"], known["capacity"])


def strategy_of(way: Way) -> str:
    """The driver's strategy that takes the place of a way of the device plugin."""
    return next(str(each["strategy"]) for each in _data()["strategies"] if each["way"] == way)


def gpu_config(strategy: str, replicas: int) -> Plain:
    """The GpuConfig with which one claim gives its GPU to so many containers."""
    settings = next(each["settings"] for each in _data()["strategies"] if each["strategy"] == strategy)
    percentage = max(1, 100 // replicas)
    filled: dict[str, Plain] = {
        key: percentage if value == _PERCENTAGE else value for key, value in settings.items()
    }
    sharing: dict[str, Plain] = {"strategy": strategy, strategies()[strategy].block: filled}
    return {"apiVersion": api_version(), "kind": "GpuConfig", "sharing": sharing}
