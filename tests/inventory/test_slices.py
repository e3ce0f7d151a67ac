"""ResourceSlices to devices: API versions, generations, pools that are not whole."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from dralint.inventory.device import Device
from tests.inventory.inventories import notes, read

ATTRIBUTES = {"type": {"string": "gpu"}, "index": {"int": 3}, "example.com/on": {"bool": True}}
CAPACITY = {"memory": {"value": "80Gi"}}


def slice_(
    *devices: Any,
    version: str = "v1",
    name: str | None = "s",
    pool: str = "node-a",
    generation: int = 1,
    count: int = 1,
    **spec: Any,
) -> dict[str, Any]:
    return {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": "ResourceSlice",
        "metadata": {} if name is None else {"name": name},
        "spec": {
            "driver": "gpu.nvidia.com",
            "nodeName": "node-a",
            "pool": {"name": pool, "generation": generation, "resourceSliceCount": count},
            "devices": list(devices),
            **spec,
        },
    }


def device(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "attributes": ATTRIBUTES, "capacity": CAPACITY, **more}


def names(found: list[Device]) -> list[str]:
    return [f"{each.pool}/{each.name}" for each in found]


def text(*objects: Any) -> str:
    return yaml.safe_dump_all(objects)


@pytest.mark.parametrize(
    ("version", "written"),
    [
        ("v1", device("gpu-0", allowMultipleAllocations=True)),
        ("v1beta2", device("gpu-0", allowMultipleAllocations=True)),
        (
            "v1beta1",
            {
                "name": "gpu-0",
                "basic": {"attributes": ATTRIBUTES, "capacity": CAPACITY, "allowMultipleAllocations": True},
            },
        ),
    ],
)
def test_every_api_version_gives_the_same_device(version: str, written: Any) -> None:
    inventory, problems = read(text(slice_(written, version=version)))
    assert problems == notes(inventory) == []
    assert inventory.devices == [
        Device("gpu.nvidia.com", "node-a", "gpu-0", "node-a", ATTRIBUTES, CAPACITY, shared=True)
    ]
    assert not inventory.catalogue


def test_quantities_of_v1alpha3_are_bare() -> None:
    written = {"name": "gpu-0", "basic": {"attributes": ATTRIBUTES, "capacity": {"memory": "80Gi"}}}
    inventory, _ = read(text(slice_(written, version="v1alpha3")))
    value = inventory.rows[0].value
    assert not isinstance(value, str)
    assert value["capacity"]["gpu.nvidia.com"]["memory"].unscaled == 80 << 30


def test_a_list_of_kubectl_is_its_items() -> None:
    items = [slice_(device("gpu-0")), slice_(device("gpu-1"), name="t", pool="node-b")]
    listed = {"apiVersion": "v1", "kind": "List", "items": items}
    typed = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSliceList"}
    typed["items"] = [{key: item[key] for key in ("metadata", "spec")} for item in items]  # type: ignore[assignment]
    for written in (
        json.dumps(listed),
        json.dumps(listed, indent=4),
        text(listed),
        json.dumps(typed),
        text(typed),
    ):
        inventory, problems = read(written)
        assert problems == []
        assert names(inventory.devices) == ["node-a/gpu-0", "node-b/gpu-1"]


def test_only_the_highest_generation_counts() -> None:
    old, new = slice_(device("gpu-0")), slice_(device("gpu-1"), name="t", generation=2)
    for order in ((old, new), (new, old)):
        inventory, _ = read(text(*order))
        assert names(inventory.devices) == ["node-a/gpu-1"]
        assert notes(inventory) == []


def test_pools_of_one_name_but_two_drivers_are_two() -> None:
    other = slice_(device("channel-0"), name="t", generation=7, driver="compute-domain.nvidia.com")
    inventory, _ = read(text(slice_(device("gpu-0")), other))
    assert names(inventory.devices) == ["node-a/gpu-0", "node-a/channel-0"]


def test_a_pool_that_is_not_complete_is_told() -> None:
    inventory, _ = read("# first line\n" + text(slice_(device("gpu-0"), count=3)))
    assert names(inventory.devices) == ["node-a/gpu-0"]
    (note,) = notes(inventory)
    assert note == (
        "0.yaml:2:1: pool node-a of gpu.nvidia.com is not complete: 1 of 3 ResourceSlices; "
        "the scheduler uses none of its devices until it sees all"
    )


def test_a_pool_of_several_slices_in_several_files() -> None:
    inventory, _ = read(
        text(slice_(device("gpu-0"), count=2)), text(slice_(device("gpu-1"), name="t", count=2))
    )
    assert names(inventory.devices) == ["node-a/gpu-0", "node-a/gpu-1"]
    assert notes(inventory) == []


def test_a_slice_that_is_read_twice_counts_once() -> None:
    written = text(slice_(device("gpu-0")))
    inventory, _ = read(written, written)
    assert names(inventory.devices) == ["node-a/gpu-0"]
    assert notes(inventory) == []


def test_slices_without_a_name_are_different_ones() -> None:
    inventory, _ = read(
        text(slice_(device("gpu-0"), name=None, count=2), slice_(device("gpu-1"), name=None, count=2))
    )
    assert names(inventory.devices) == ["node-a/gpu-0", "node-a/gpu-1"]


def test_a_device_that_stands_twice_makes_the_pool_invalid() -> None:
    inventory, _ = read(text(slice_(device("gpu-0"), device("gpu-0"), device("gpu-0"))))
    (note,) = notes(inventory)
    assert note == (
        "0.yaml:1:1: pool node-a of gpu.nvidia.com is not valid: device gpu-0 stands in it twice; "
        "the scheduler uses none of it"
    )


def test_a_device_can_name_its_own_node() -> None:
    written = slice_(
        device("gpu-0", nodeName="node-b"), device("gpu-1"), nodeName=None, perDeviceNodeSelection=True
    )
    inventory, _ = read(text(written))
    assert [each.node for each in inventory.devices] == ["node-b", None]


@pytest.mark.parametrize(
    ("object_", "told"),
    [
        (slice_(device("gpu-0"), version="v1alpha2"), "a ResourceSlice of v1alpha2 is not read"),
        (slice_(device("gpu-0"), driver=None), "a ResourceSlice without driver or pool is not read"),
        (slice_(device("gpu-0"), pool=7), "a ResourceSlice without driver or pool is not read"),  # type: ignore[arg-type]
        ({**slice_(), "spec": ["x"]}, "a ResourceSlice without driver or pool is not read"),
        (slice_({"attributes": {}}), "pool node-a has a device without a name"),
        (slice_("gpu-0"), "pool node-a has a device without a name"),
    ],
)
def test_what_cannot_be_read_is_told_and_costs_only_itself(object_: Any, told: str) -> None:
    good = slice_(device("good"), name="good", pool="good")
    inventory, problems = read(text(object_, good))
    assert problems == []
    assert names(inventory.devices) == ["good/good"]
    assert notes(inventory) == [f"0.yaml:1:1: {told}"]


def test_strange_shapes_hold_no_devices() -> None:
    inventory, _ = read(text(slice_(devices={"name": "gpu-0"})))
    assert inventory.devices == []


def test_an_attribute_that_cannot_be_read_fails_the_device() -> None:
    bad = device("gpu-0", attributes={"driverVersion": {"version": "580"}})
    inventory, _ = read(text(slice_(bad, device("gpu-1"))))
    assert inventory.rows[0].value == "attribute driverVersion: No Major.Minor.Patch elements found"
    assert not isinstance(inventory.rows[1].value, str)


@pytest.mark.parametrize("text", ["1" * 500, "1e999"])
def test_an_absurd_quantity_fails_the_device(text: str) -> None:
    inventory, _ = read(json.dumps(slice_(device("gpu-0", capacity={"memory": {"value": text}}))))
    assert str(inventory.rows[0].value).startswith("a quantity ")
