"""The table of node labels: every entry is sound, and whole with the other tables."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from dralint.nvidia.node_labels import Device, node_label
from dralint.nvidia.published import attributes, capacities
from dralint.nvidia.target import make_target

DATA = yaml.safe_load((Path(__file__).parents[2] / "dralint/nvidia/data/node_labels.yaml").read_text())
KINDS = {"gpu", "slice", "mig"}
WAYS = {"reads", "always", "dropped", "stays"}


@pytest.mark.parametrize("entry", DATA["labels"], ids=lambda entry: entry["label"])
def test_an_entry_says_one_thing(entry):
    assert set(entry.get("devices", KINDS)) <= KINDS
    assert len(WAYS & entry.keys()) == 1
    assert ("values" in entry) == ("reads" in entry)
    assert ("part" in entry) == ("with" in entry) == (entry.get("values") == "part")
    assert set(entry.get("lacking", ())) <= set(entry.get("devices", KINDS))
    assert entry.keys() <= WAYS | {
        "label", "devices", "without_gate", "values", "part", "with", "zeros", "lacking", "at_least", "source",
    }  # fmt: skip


@pytest.mark.parametrize("release", ["25.12.0", "0.5.1"])
def test_selectors_read_what_the_driver_publishes(release):
    target = make_target(dra_driver=release)
    for entry in DATA["labels"]:
        if "reads" not in entry:
            continue
        for kind in entry.get("devices", KINDS):
            there = {each.name for each in attributes("gpu" if kind == "gpu" else "mig", target)}
            there |= {each.name for each in capacities("gpu" if kind == "gpu" else "mig", target)}
            assert entry["reads"].partition("}.")[2].split(".")[0] in there, entry


def test_the_first_entry_that_fits_counts():
    gpu = Device("gpu")
    found = node_label("nvidia.com/gpu.memory", gpu, make_target())
    assert found is not None
    assert found.reads == "device.capacity['gpu.nvidia.com'].memory"
    dynamic = node_label("nvidia.com/gpu.memory", gpu, make_target(gates=["driver:DynamicMIG=true"]))
    assert dynamic is not None
    assert (dynamic.reads, bool(dynamic.stays)) == (None, True)


def test_labels_of_a_profile():
    target = make_target()
    label = "nvidia.com/mig-1g.10gb.me.memory"
    own = node_label(label, Device("mig", "1g.10gb+me"), target)
    assert own is not None
    assert own.reads
    other = node_label(label, Device("mig", "1g.10gb"), target)
    assert other is not None
    assert other.stays
    assert node_label("zone", Device("gpu"), target) is None
