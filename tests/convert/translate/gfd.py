"""A fleet of nodes, one for each card and way of cutting it: GPU Feature Discovery's labels, the driver's devices.

Labels are made from the cards by themselves, and matched as the scheduler does, with no code of the translation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from dralint.cel.dialect import EvaluationError, Program, Settings, compile_selector
from dralint.convert.translate.demands import Constraints, Demand, Term
from dralint.inventory.device import Inventory
from dralint.inventory.predict import Address, Known, Memory, make_publisher, predict
from dralint.nvidia.cards import Card, cards
from dralint.nvidia.node_labels import Device
from dralint.nvidia.target import make_target

TARGET = make_target()
VERSIONS = (34, 35, 36, 37)
# (version as NVML says it, as the DRA driver publishes it)
DRIVERS = (("580.95.05", "580.95.5"), ("570.124.06", "570.124.6"), ("580.126.20", "580.126.20"))
RUNTIMES = ("13.0", "12.8")
ENGINES = {
    "copy": "copyEngines",
    "decoder": "decoders",
    "encoder": "encoders",
    "jpeg": "jpegEngines",
    "ofa": "ofaEngines",
}


class Node(NamedTuple):
    """A node: its labels, and by what a pod asks for the device it gets, as selectors see it."""

    name: str
    labels: Mapping[str, str]
    devices: Mapping[Device, Mapping[str, Any]]


def gfd(name: str) -> str:
    return re.sub(r"\s+", "-", re.sub(r"[^A-Za-z0-9\-_. ]", "", name).strip())


def in_label(profile: str) -> str:
    """A profile as the device plugin spells it."""
    return profile.replace("+", ".")


def _common(card: Card, number: int) -> tuple[dict[str, str], dict[str, str | int]]:
    driver, published = DRIVERS[number % len(DRIVERS)]
    runtime = RUNTIMES[number % len(RUNTIMES)]
    compute = card.compute or "10.7.0"
    major, minor, revision = driver.split(".")
    labels = {
        "zone": "ab"[number % 2],
        "cloud.google.com/gke-accelerator": "nvidia-l4" if card.name == "NVIDIA L4" else "none",
        "nvidia.com/gpu.product": gfd(card.name),
        "nvidia.com/gpu.family": card.architecture.lower().replace(" ", "-"),
        "nvidia.com/gpu.compute.major": compute.split(".")[0],
        "nvidia.com/gpu.compute.minor": compute.split(".")[1],
        "nvidia.com/gpu.count": str(4 + number % 2 * 4),
        "nvidia.com/gpu.machine": "ab"[number // 2 % 2],
        "nvidia.com/gpu.mode": "compute",
        "nvidia.com/gpu.present": "true",
        "nvidia.com/cuda.driver-version.full": driver,
        "nvidia.com/cuda.driver-version.major": major,
        "nvidia.com/cuda.driver-version.minor": minor,
        "nvidia.com/cuda.driver-version.revision": revision,
        "nvidia.com/cuda.driver.major": major,
        "nvidia.com/cuda.driver.minor": minor,
        "nvidia.com/cuda.driver.rev": revision,
        "nvidia.com/cuda.runtime-version.full": runtime,
        "nvidia.com/cuda.runtime-version.major": runtime.split(".")[0],
        "nvidia.com/cuda.runtime-version.minor": runtime.split(".")[1],
        "nvidia.com/cuda.runtime.major": runtime.split(".")[0],
        "nvidia.com/cuda.runtime.minor": runtime.split(".")[1],
        "nvidia.com/mig.capable": "true" if card.mig else "false",
    }
    values: dict[str, str | int] = {
        "productName": card.name,
        "architecture": card.architecture,
        "cudaComputeCapability": compute,
        "driverVersion": published,
        "cudaDriverVersion": f"{runtime}.0",
    }
    return labels, values


def _sizes(card: Card) -> list[int | None]:
    """All the memory sizes (MiB) that the card shows somewhere."""
    if card.no_memory:
        return [None]
    return [card.memory or 54321, *(other.memory for other in card.other_memory if other.before is None)]


class _Slice(NamedTuple):
    profile: str
    memory: int
    multiprocessors: int
    engines: Mapping[str, int]

    def labels(self, resource: str) -> dict[str, str]:
        slices = self.profile.partition("g")[0]
        return {
            f"nvidia.com/{resource}.memory": str(self.memory),
            f"nvidia.com/{resource}.multiprocessors": str(self.multiprocessors),
            f"nvidia.com/{resource}.slices.gi": slices,
            f"nvidia.com/{resource}.slices.ci": slices,
            **{f"nvidia.com/{resource}.engines.{each}": str(count) for each, count in self.engines.items()},
        }


def _slices(card: Card) -> list[_Slice]:
    if card.mig is None:
        return []
    found = []
    for number, profile in enumerate(card.mig.table.profiles):
        engines = {each: (number + shift) % 3 for shift, each in enumerate(ENGINES)}
        memory, units = profile.memory or 4321 + number, profile.multiprocessors or 14 + number
        found.append(_Slice(profile.name, memory, units, engines))
    return [*found, *(_Slice(name, 777, 3, dict.fromkeys(ENGINES, 1)) for name in card.mig.other_profiles)]


@cache
def _publisher() -> Any:
    return make_publisher(TARGET)


def _device(kind: str, values: Mapping[str, str | int], memory: int | None, more: Mapping[str, int]) -> Any:
    known = Known(values, None if memory is None else [Memory(memory)], more)
    (row,) = Inventory([predict(_publisher(), kind, Address("pool", "device"), known)]).rows
    assert not isinstance(row.value, str)
    return row.value


def _slice_device(values: Mapping[str, str | int], each: _Slice) -> Any:
    capacity = {ENGINES[name]: count for name, count in each.engines.items()}
    more = {"multiprocessors": each.multiprocessors, **capacity}
    return _device("mig", {**values, "profile": each.profile}, each.memory, more)


def _possible(labels: Mapping[str, str]) -> bool:
    """No label's value is longer than this: what a node carries instead nobody has shown."""
    return all(len(value) <= 63 for value in labels.values())


def _nodes(card: Card, number: int) -> Iterator[Node]:
    labels, values = _common(card, number)
    slices = _slices(card)
    for size in _sizes(card):
        whole = {**labels, **({} if size is None else {"nvidia.com/gpu.memory": str(size)})}
        gpu = _device("gpu", values, size, {})
        yield Node(f"{card.name} {size}", whole, {Device("gpu"): gpu})
    for index, each in enumerate(slices):
        # Strategy mixed, with slices of another profile beside them.
        mixed = {**whole, "nvidia.com/mig.strategy": "mixed"}
        devices = {Device("gpu"): gpu}
        for one in (each, slices[index - 1]):
            resource = f"mig-{in_label(one.profile)}"
            mixed |= one.labels(resource)
            mixed[f"nvidia.com/{resource}.product"] = f"{gfd(card.name)}-MIG-{in_label(one.profile)}"
            mixed[f"nvidia.com/{resource}.count"] = str(4 + number % 3)
            devices[Device("mig", one.profile)] = _slice_device(values, one)
        if _possible(mixed):
            yield Node(f"{card.name} mixed {each.profile}", mixed, devices)
        single = {**whole, "nvidia.com/mig.strategy": "single", **each.labels("gpu")}
        single["nvidia.com/gpu.product"] = f"{gfd(card.name)}-MIG-{in_label(each.profile)}"
        if _possible(single):
            yield Node(
                f"{card.name} single {each.profile}", single, {Device("slice"): _slice_device(values, each)}
            )


@cache
def fleet() -> list[Node]:
    """A node for each card, each memory size that it shows, and each profile by both MIG strategies."""
    return [node for number, card in enumerate(cards()) for node in _nodes(card, number)]


def _integer(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else None


def meets(labels: Mapping[str, str], demand: Demand) -> bool:
    """Whether a node meets a demand, as k8s.io/apimachinery/pkg/labels has it."""
    has, value = demand.key in labels, labels.get(demand.key, "")
    if demand.operator in ("Exists", "DoesNotExist"):
        return has == (demand.operator == "Exists")
    if demand.operator == "In":
        return has and value in demand.values
    if demand.operator == "NotIn":
        return not has or value not in demand.values
    number, bound = _integer(value), _integer(demand.values[0])
    if not has or number is None or bound is None:
        return False
    return number > bound if demand.operator == "Gt" else number < bound


def _fits_term(labels: Mapping[str, str], term: Term) -> bool:
    return not term.empty and all(meets(labels, each) for each in term.demands)


def fits(labels: Mapping[str, str], constraints: Constraints) -> bool:
    """Whether the scheduler lets a pod with these constraints onto the node; matchFields always fit."""
    return all(meets(labels, each) for each in constraints.selector) and (
        constraints.terms is None or any(_fits_term(labels, term) for term in constraints.terms)
    )


@cache
def compiled(expression: str) -> Program:
    """The expression as the newest Kubernetes takes it; all from 1.34 on do."""
    for minor in VERSIONS:
        for consumable in (False, True):
            program = compile_selector(expression, Settings(minor, consumable_capacity=consumable))
            assert isinstance(program, Program), (minor, expression, program)
            assert program.cost < 10_000
    return program


def matches(expression: str, device: Mapping[str, Any]) -> bool:
    """Whether a device matches; nothing is ever wrong with it."""
    answer = compiled(expression).evaluate(device)
    assert not isinstance(answer, EvaluationError), (expression, answer)
    return answer
