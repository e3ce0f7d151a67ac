"""Nodes to the devices that their labels promise."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from dralint.inventory.device import Device, Inventory
from dralint.nvidia.target import make_target
from tests.inventory.inventories import notes, read

H100 = {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3", "nvidia.com/gpu.count": "8"}


def node(
    labels: dict[str, Any], capacity: dict[str, Any] | None = None, name: str = "node-a"
) -> dict[str, Any]:
    status = {} if capacity is None else {"status": {"capacity": capacity}}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, **status}


def inventory(*nodes: dict[str, Any], **options: Any) -> Inventory:
    found, problems = read(yaml.safe_dump_all(nodes), target=make_target(**options))
    assert problems == []
    return found


def devices(labels: dict[str, Any], capacity: dict[str, Any] | None = None) -> list[Device]:
    return inventory(node(labels, capacity)).devices


def plain(written: Any) -> dict[str, Any]:
    return {name: next(iter(value.values())) for name, value in written.items()}


def names(labels: dict[str, Any], capacity: dict[str, Any] | None = None) -> list[str]:
    return [each.name for each in devices(labels, capacity)]


def test_the_labels_of_gpu_feature_discovery() -> None:
    found = devices(
        {
            **H100,
            "nvidia.com/gpu.memory": "81559",
            "nvidia.com/gpu.family": "hopper",
            "nvidia.com/gpu.compute.major": "9",
            "nvidia.com/gpu.compute.minor": "0",
            "nvidia.com/cuda.driver-version.full": "580.95.05",
            "nvidia.com/cuda.runtime-version.full": "13.0",
        }
    )
    assert [each.name for each in found] == [f"gpu-{number}" for number in range(8)]
    assert {(each.pool, each.node) for each in found} == {("node-a", "node-a")}
    assert plain(found[0].attributes) == {
        "type": "gpu",
        "productName": "NVIDIA H100 80GB HBM3",
        "brand": "Nvidia",
        "architecture": "Hopper",
        "cudaComputeCapability": "9.0.0",
        "driverVersion": "580.95.5",
        "cudaDriverVersion": "13.0.0",
    }
    assert plain(found[0].capacity) == {"memory": "81559Mi"}
    assert found[0].doubt is None


def test_the_older_labels_of_versions() -> None:
    (found, *_) = devices(
        {
            **H100,
            "nvidia.com/cuda.driver.major": "550",
            "nvidia.com/cuda.driver.minor": "54",
            "nvidia.com/cuda.driver.rev": "02",
            "nvidia.com/cuda.runtime.major": "12",
            "nvidia.com/cuda.runtime.minor": "4",
        }
    )
    assert plain(found.attributes)["driverVersion"] == "550.54.2"
    assert plain(found.attributes)["cudaDriverVersion"] == "12.4.0"


@pytest.mark.parametrize("text", ["580.95.x", "", "9" * 5000, "\u0663.\u0661"])
def test_a_version_that_is_none_is_not_known(text: str) -> None:
    (found, *_) = devices({**H100, "nvidia.com/cuda.driver-version.full": text})
    assert "driverVersion" in found.unknown


def test_memory_of_the_label_counts_before_the_catalogue() -> None:
    (found,) = devices({"nvidia.com/gpu.product": "Tesla-T4", "nvidia.com/gpu.memory": "16384"})
    assert plain(found.capacity) == {"memory": "16Gi"}
    assert found.forms == ()


def test_gpus_cut_into_slices_of_one_profile() -> None:
    found = devices(
        {
            "nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb",
            "nvidia.com/gpu.count": "14",
            "nvidia.com/gpu.memory": "4864",
            "nvidia.com/gpu.multiprocessors": "14",
        }
    )
    assert len(found) == 14
    assert plain(found[0].attributes)["profile"] == "1g.5gb"
    assert plain(found[0].attributes)["productName"] == "NVIDIA A100-SXM4-40GB"
    assert plain(found[0].capacity) == {"memory": "4864Mi", "multiprocessors": "14"}


def test_gpus_cut_into_slices_of_several_profiles() -> None:
    labels = {
        "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3",
        "nvidia.com/gpu.count": "2",
        "nvidia.com/mig-1g.10gb.count": "2",
        "nvidia.com/mig-1g.10gb.memory": "9984",
        "nvidia.com/mig-2g.20gb.count": "1",
        "nvidia.com/mig-3g.40gb.count": "1",
        "nvidia.com/mig-1g.10gb.shared.count": "9",
    }
    # Two of one eighth, one of two, one of four: that is one GPU, so the other is whole.
    assert names(labels) == ["gpu-0", "mig-1g.10gb-0", "mig-1g.10gb-1", "mig-2g.20gb-0", "mig-3g.40gb-0"]
    assert plain(devices(labels)[1].capacity)["memory"] == "9984Mi"
    assert "gpu-0" not in names({**labels, "nvidia.com/gpu.count": "1"})


def test_more_slices_than_gpus_leave_none_whole() -> None:
    labels = {**H100, "nvidia.com/gpu.count": "1", "nvidia.com/mig-1g.10gb.count": "70"}
    assert {name[:3] for name in names(labels)} == {"mig"}


@pytest.mark.parametrize(
    ("labels", "capacity", "amount"),
    [
        ({"node.kubernetes.io/instance-type": "p5.48xlarge"}, None, 8),
        ({"cloud.google.com/gke-accelerator": "nvidia-l4"}, {"nvidia.com/gpu": "4"}, 4),
        ({"cloud.google.com/gke-accelerator": "nvidia-l4"}, {"nvidia.com/gpu": 4}, 4),
        ({"cloud.google.com/gke-accelerator": "nvidia-l4", "nvidia.com/gpu.replicas": "4"}, {"nvidia.com/gpu": "8"}, 2),
        ({"cloud.google.com/gke-accelerator": "nvidia-l4"}, None, 1),
        ({"cloud.google.com/gke-accelerator": "nvidia-l4", "cloud.google.com/gke-accelerator-count": "x"}, None, 1),
        ({**H100, "nvidia.com/gpu.count": "999999"}, None, 256),
    ],
)  # fmt: skip
def test_how_many(labels: dict[str, Any], capacity: dict[str, Any] | None, amount: int) -> None:
    assert len(devices(labels, capacity)) == amount


def test_a_label_that_need_not_mean_the_card_leaves_doubt() -> None:
    (found,) = devices({"node.kubernetes.io/instance-type": "a2-highgpu-1g"})
    assert found.doubt == "it is not sure that a node with this label has this card"


def test_an_unknown_card_is_doubt_and_never_an_error() -> None:
    found = inventory(
        node(
            {
                "nvidia.com/gpu.product": "NVIDIA-Next",
                "nvidia.com/gpu.memory": "200000",
                "nvidia.com/gpu.family": "rubin",
            }
        )
    )
    (device,) = found.devices
    assert plain(device.attributes) == {"type": "gpu", "architecture": "Rubin"}
    assert plain(device.capacity) == {"memory": "200000Mi"}
    assert {"productName", "brand"} <= device.unknown.keys()
    assert notes(found) == [
        "0.yaml:1:1: node node-a: nvidia.com/gpu.product=NVIDIA-Next names no card of the catalogue"
    ]


@pytest.mark.parametrize(
    ("labels", "capacity"), [({"accelerator": "nvidia"}, None), ({}, {"nvidia.com/gpu": "2"})]
)
def test_gpus_of_which_nothing_is_known_are_told(
    labels: dict[str, Any], capacity: dict[str, Any] | None
) -> None:
    found = inventory(node(labels, capacity))
    assert found.devices == []
    assert notes(found) == ["0.yaml:1:1: node node-a has GPUs, but no label says which"]


def test_nodes_without_gpus_have_no_devices() -> None:
    found = inventory(node({"kubernetes.io/arch": "amd64"}), node({}, {"cpu": "8"}))
    assert found.devices == found.notes == []


def test_strange_labels_are_passed_over() -> None:
    strange = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"labels": {"nvidia.com/gpu.product": 7, "x": None}},
    }
    assert inventory(strange, node(H100)).devices != []


def test_the_release_of_the_driver_decides_the_attributes() -> None:
    found = inventory(node(H100), dra_driver="25.3.2")
    assert "index" in found.devices[0].unknown


def test_more_devices_than_any_cluster_has_are_cut_off() -> None:
    labels = {**H100, "nvidia.com/gpu.count": "256"}
    found = inventory(*[node(labels, name=f"node-{number}") for number in range(400)])
    assert len(found.devices) == 391 * 256
    (note,) = notes(found)
    assert note.endswith("more than 100,000 devices: the nodes from here on are left out")
