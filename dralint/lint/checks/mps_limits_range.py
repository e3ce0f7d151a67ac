"""mps-limits-range: the driver refuses MPS limits outside their range when the pod starts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from dralint.kube.quantity import parse_quantity
from dralint.lint.facts.placeholders import templated
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import config_of
from dralint.nvidia.configs import config_kinds, problems
from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.view import Path, entries, get, plain

_BLOCK: Path = ("sharing", "mpsConfig")
_PERCENTAGE, _LIMIT, _PER_DEVICE = (
    "defaultActiveThreadPercentage",
    "defaultPinnedDeviceMemoryLimit",
    "defaultPerDevicePinnedMemoryLimit",
)
# The driver counts in MiB and rounds down: sharing.go, limits.
_LEAST = Decimal(2**20)
_UUID = re.compile(r"(?:GPU|MIG)-[0-9a-fA-F-]+\Z")


def _memory(node: Node | None, name: str) -> str | None:
    """What is wrong with a memory limit; None where nothing is."""
    if node is None or node.kind != SCALAR or templated(node.text):
        return None
    quantity = parse_quantity(node.text)
    if quantity is None:
        return f"{name} {node.text} is no quantity"
    return f"{name} {node.text} is less than 1Mi" if quantity.value < _LEAST else None


def _found(block: Node) -> Iterator[tuple[Path, str]]:
    what = _memory(get(block, _LIMIT), _LIMIT)
    if what is not None:
        yield (*_BLOCK, _LIMIT), what
    per_device = get(block, _PER_DEVICE)
    for key in entries(per_device) if per_device is not None and per_device.kind == MAP else ():
        place: Path = (*_BLOCK, _PER_DEVICE, key)
        if not (key.isascii() and key.isdigit()) and not _UUID.match(key) and not templated(key):
            yield place, f"{_PER_DEVICE} has the key {key}; keys are UUIDs or the devices' numbers from 0"
        wrong = _memory(get(per_device, key), f"the limit of device {key},")
        if wrong is not None:
            yield place, wrong


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for each limit outside its range; only in configs that the driver reads."""
    config = config_of(subject)
    block = get(config.parameters, *_BLOCK)
    if (
        block is None
        or block.kind != MAP
        or config.driver not in {each.driver for each in config_kinds().values()}
    ):
        return
    start: Path = (*subject.path, "opaque", "parameters")
    for problem in problems(plain(config.parameters), config.driver or "", run.target.dra_driver):
        if problem.what == "value" and problem.path == (*_BLOCK, _PERCENTAGE):
            yield Hit(
                (*start, *problem.path), {"what": f"{_PERCENTAGE} {problem.name} is not between 0 and 100"}
            )
    for path, what in _found(block):
        yield Hit((*start, *path), {"what": what})
