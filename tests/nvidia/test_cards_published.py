"""What the DRA driver publishes, by its version and gates."""

from __future__ import annotations

import pytest

from dralint.nvidia.published import (
    attributes,
    capacities,
    compute_domain_devices,
    cuda_version,
    device_types,
    version_text,
)
from dralint.nvidia.target import make_target


def keys(device_type: str, driver: str, *gates: str) -> set[str]:
    return {each.key for each in attributes(device_type, make_target(dra_driver=driver, gates=gates))}


def held(device_type: str, *gates: str) -> set[str]:
    return {each.name for each in capacities(device_type, make_target(dra_driver="0.5.1", gates=gates))}


@pytest.mark.parametrize(
    ("driver", "there", "absent"),
    [
        ("25.3.2", {"index", "minor"}, {"pcieBusID", "resource.kubernetes.io/pciBusID", "addressingMode"}),
        ("25.8.1", {"pcieBusID"}, {"index", "minor", "addressingMode"}),
        ("25.12.0", {"resource.kubernetes.io/pciBusID", "addressingMode"}, {"pcieBusID", "index"}),
        ("0.4.1", {"resource.kubernetes.io/pciBusID"}, {"resource.kubernetes.io/numaNode"}),
        ("0.5.1", {"resource.kubernetes.io/numaNode"}, {"index", "pcieBusID"}),
    ],
)
def test_attributes_came_and_went(driver: str, there: set[str], absent: set[str]) -> None:
    found = keys("gpu", driver)
    assert there <= found
    assert not absent & found
    assert {"type", "uuid", "productName", "cudaComputeCapability"} <= found


def test_numa_of_vfio_devices_became_a_standard_attribute() -> None:
    old, new = keys("vfio", "0.4.1"), keys("vfio", "0.5.0")
    assert ("numa" in old, "numa" in new) == (True, False)
    assert ("resource.kubernetes.io/numaNode" in old, "resource.kubernetes.io/numaNode" in new) == (
        False,
        True,
    )


def test_a_gate_brings_attributes_and_takes_them() -> None:
    assert "gpuModuleID" not in keys("gpu", "0.5.1")
    assert "gpuModuleID" in keys("gpu", "0.5.1", "FabricManagerPartitioning=true")
    assert "uuid" in keys("mig", "0.5.1")
    assert "uuid" not in keys("mig", "0.5.1", "DynamicMIG=true")
    assert "uuid" in keys("gpu", "0.5.1", "DynamicMIG=true")


def test_capacities() -> None:
    assert held("gpu") == {"memory"}
    assert {"memory", "multiprocessors", "memorySlice", "jpegEngines"} <= held("mig")
    assert "multiprocessors" in held("gpu", "DynamicMIG=true")
    assert "memorySlice" not in held("mig", "DynamicMIG=true")
    assert "shares" in held("gpu", "ConsumableShares=true")


def test_vfio_devices_need_their_gate() -> None:
    assert device_types(make_target()) == ["gpu", "mig"]
    assert device_types(make_target(gates=["PassthroughSupport=true"])) == ["gpu", "mig", "vfio"]


def test_kinds() -> None:
    kinds = {each.name: each.kind for each in attributes("gpu", make_target())}
    assert (kinds["type"], kinds["driverVersion"], kinds["numaNode"]) == ("string", "version", "int")


def test_a_gate_makes_a_list_of_an_attribute() -> None:
    def lists(*gates: str) -> list[str]:
        return [each.name for each in attributes("gpu", make_target(gates=gates)) if each.in_list]

    assert lists() == []
    assert lists("driver:DRAListTypeAttributes=true") == ["numaNode"]


def test_the_compute_domain_driver() -> None:
    assert [(each.driver, each.name, each.type) for each in compute_domain_devices()] == [
        ("compute-domain.nvidia.com", "channel-0", "channel"),
        ("compute-domain.nvidia.com", "daemon-0", "daemon"),
    ]


def test_versions_of_the_gpu_driver() -> None:
    assert (cuda_version("580"), cuda_version("580.95.05"), cuda_version("123")) == ("13.0.0", "13.0.0", None)
    assert [version_text(each) for each in ("580.95.05", "575.64", "560.35.3")] == [
        "580.95.5", "575.64.0", "560.35.3",
    ]  # fmt: skip
