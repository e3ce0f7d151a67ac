"""Names of attributes at a target, in the past, and as people write them."""

from __future__ import annotations

import pytest

from dralint.nvidia.classes import device_classes
from dralint.nvidia.target import make_target
from dralint.nvidia.vocabulary import (
    attribute_meant,
    domains,
    drivers,
    gated_names,
    meant,
    named,
    names,
    published,
    sold_sizes,
    why_missing,
)

GPU = "gpu.nvidia.com"


def test_what_each_type_has():
    target = make_target()
    by_type = {
        each: {entry.name for entry in published(each, target)} for each in ("gpu", "mig", "vfio", "channel")
    }
    assert "profile" in by_type["mig"]
    assert "profile" not in by_type["gpu"]
    assert "deviceID" in by_type["vfio"]
    assert by_type["channel"] == {"type", "id"}
    assert {"pcieRoot", "memory"} <= by_type["gpu"]


@pytest.mark.parametrize(
    ("name", "driver", "said"),
    [
        ("index", None, "up to release 0.1"),
        ("index", "25.3", None),
        ("numaNode", "0.4.1", "since release 0.5"),
        ("numaNode", None, None),
        ("partition2", None, "feature gate FabricManagerPartitioning"),
    ],
)
def test_why_a_name_is_not_there(name, driver, said):
    (entry, *_) = named(GPU, name)
    reason = why_missing(entry, make_target(dra_driver=driver))
    assert reason is None if said is None else said in str(reason)


def test_a_gate_that_somebody_set_is_no_doubt():
    assert "partition2" in gated_names(make_target())
    for value in ("true", "false"):
        target = make_target(
            gates=[f"driver:FabricManagerPartitioning={value}", "driver:ConsumableShares=true"]
        )
        assert not {"partition2", "allowMultipleAllocations"} & gated_names(target)


@pytest.mark.parametrize(
    ("written", "right", "certain"),
    [
        ("productname", "productName", True),
        ("compute-capability", "cudaComputeCapability", False),
        ("model", "productName", False),
        ("gpu.memory", "memory", False),
        ("archtecture", "architecture", False),
    ],
)
def test_what_people_mean(written, right, certain):
    found = attribute_meant(written, names(GPU))
    assert found is not None
    assert (found.name.name, found.certain) == (right, certain)


def test_what_nobody_means():
    assert attribute_meant("zzz", names(GPU)) is None
    assert meant("classes", "gpu.example.com") is None


def test_what_is_meant_exists():
    from dralint.nvidia.vocabulary import _words

    known = {entry.name for entry in names(GPU)}
    for entry in _words()["attributes"]:
        assert entry["meant"] in known
    for entry in _words()["domains"]:
        assert entry["meant"] in drivers()
        assert entry["written"] not in domains()
    for entry in _words()["classes"]:
        assert entry["meant"] in device_classes()
        assert entry["written"] not in device_classes()
    for kind in ("attributes", "domains", "classes", "product_prefixes", "sold_sizes"):
        assert all(entry["source"] for entry in _words()[kind])


def test_sizes_on_the_label_are_never_less_than_what_is_there():
    sizes = sold_sizes()
    assert [each.gb for each in sizes] == sorted(each.gb for each in sizes)
    assert all(0.9 * each.gb < each.least <= each.gb for each in sizes)
