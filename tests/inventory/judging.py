"""Selectors on small inventories, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dralint.cel.dialect import Program, compile_selector
from dralint.inventory.catalogue import catalogue
from dralint.inventory.device import Device, Inventory
from dralint.inventory.engine import selector_settings
from dralint.inventory.judge import Judgement, judge
from dralint.inventory.nearest import Nearest, nearest
from dralint.nvidia.target import make_target

DRIVER = "gpu.nvidia.com"
A, C = f'device.attributes["{DRIVER}"]', f'device.capacity["{DRIVER}"]'


def device(name: str = "gpu-0", memory: str | None = "80Gi", **attributes: Any) -> Device:
    """A device; attributes as strings, versions where they look like one, or (kind, value)."""
    written: dict[str, Any] = {"type": {"string": "gpu"}}
    for key, value in attributes.items():
        kind, content = value if isinstance(value, tuple) else ("string", value)
        written[key] = {kind: content}
    return Device(
        DRIVER, "node-a", name, "node-a", written, {} if memory is None else {"memory": {"value": memory}}
    )


def programs(*expressions: str) -> list[Program]:
    found = []
    for expression in expressions:
        program = compile_selector(expression, selector_settings(make_target()))
        assert isinstance(program, Program), program
        found.append(program)
    return found


def judged(devices: Sequence[Device], *expressions: str) -> Judgement:
    return judge(programs(*expressions), Inventory(list(devices)))


def states(devices: Sequence[Device], *expressions: str) -> list[str]:
    return [answer.state for answer in judged(devices, *expressions).answers]


def nearest_of(devices: Sequence[Device], *expressions: str) -> Nearest | None:
    inventory = Inventory(list(devices))
    return nearest(judge(programs(*expressions), inventory), inventory)


def in_catalogue(expression: str, **options: Any) -> dict[str, list[str]]:
    """Devices of the catalogue, as "card/device", by the state of their answer."""
    inventory = catalogue(make_target(**options))
    found: dict[str, list[str]] = {}
    judgement = judge(programs(expression), inventory)
    for each, answer in zip(inventory.devices, judgement.answers, strict=True):
        found.setdefault(answer.state, []).append(f"{each.pool}/{each.name}")
    return found
