"""Which card a node has by its labels: GPU Feature Discovery's, the clouds', machine types."""

from __future__ import annotations

import pytest

from dralint.nvidia.accelerators import (
    _data,
    _instance_types,
    gfd_family,
    gfd_product,
    node_cards,
    read_product,
    vendor_label,
)
from dralint.nvidia.cards import card

GFD = "nvidia.com/gpu.product"


def test_every_label_names_a_card_of_the_catalogue() -> None:
    named = {entry["card"] for label in _data()["labels"] for entry in label["values"]}
    named |= {name for name, _, _ in _instance_types().values()}
    assert len(named) > 20
    assert [name for name in named if name is not None and card(name) is None] == []


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("NVIDIA H200 NVL", "NVIDIA-H200-NVL"),
        ("Tesla T4", "Tesla-T4"),
        ("NVIDIA A100-SXM4-40GB", "NVIDIA-A100-SXM4-40GB"),
        ("NVIDIA  X (R)_1.0", "NVIDIA-X-R_1.0"),
    ],
)
def test_how_gfd_spells_a_product(name: str, label: str) -> None:
    assert gfd_product(name) == label


@pytest.mark.parametrize(
    ("value", "name", "profile", "shared"),
    [
        ("NVIDIA-H200-NVL", "NVIDIA H200 NVL", None, False),
        ("NVIDIA-H200-NVL-SHARED", "NVIDIA H200 NVL", None, True),
        ("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "NVIDIA A100-SXM4-40GB", "1g.5gb", False),
        ("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb.me-SHARED", "NVIDIA A100-SXM4-40GB", "1g.5gb+me", True),
        ("NVIDIA-A100-SXM4-40GB-MIG-INVALID", None, None, False),
        ("Something-New", None, None, False),
    ],
)
def test_what_the_product_label_says(value: str, name: str | None, profile: str | None, shared: bool) -> None:
    found = read_product(value)
    assert (found.card and found.card.name, found.profile, found.shared) == (name, profile, shared)


@pytest.mark.parametrize(
    ("labels", "name", "gpus", "sure"),
    [
        ({GFD: "NVIDIA-L4", "nvidia.com/gpu.count": "2"}, "NVIDIA L4", 2, True),
        # What GPU Feature Discovery saw counts before what the machine is sold as.
        ({GFD: "NVIDIA-L4", "node.kubernetes.io/instance-type": "p5.48xlarge"}, "NVIDIA L4", 8, True),
        ({"node.kubernetes.io/instance-type": "p5.48xlarge"}, "NVIDIA H100 80GB HBM3", 8, True),
        ({"beta.kubernetes.io/instance-type": "g4dn.12xlarge"}, "Tesla T4", 4, True),
        ({"node.kubernetes.io/instance-type": "a2-highgpu-1g"}, "NVIDIA A100-SXM4-40GB", 1, False),
        (
            {"cloud.google.com/gke-accelerator": "nvidia-h200-141gb", "cloud.google.com/gke-accelerator-count": "8"},
            "NVIDIA H200",
            8,
            True,
        ),
        ({"cloud.google.com/gke-accelerator": "nvidia-b300"}, None, None, False),
        # One name of Karpenter for two cards: the memory label tells them apart.
        (
            {"karpenter.k8s.aws/instance-gpu-name": "a100", "karpenter.k8s.aws/instance-gpu-memory": "81920"},
            "NVIDIA A100-SXM4-80GB",
            None,
            True,
        ),
        ({"karpenter.k8s.aws/instance-gpu-name": "a100"}, "NVIDIA A100-SXM4-40GB", None, False),
        ({"eks.amazonaws.com/instance-gpu-name": "l40s"}, "NVIDIA L40S", None, True),
        ({"gpu.nvidia.com/model": "H200"}, "NVIDIA H200", None, True),
        ({"skypilot.co/accelerator": "l40s"}, "NVIDIA L40S", None, True),
        # Several cards are called so.
        ({"skypilot.co/accelerator": "a100"}, None, None, True),
        ({GFD: "Something-New"}, None, None, True),
    ],
)  # fmt: skip
def test_the_card_of_a_node(labels: dict[str, str], name: str | None, gpus: int | None, sure: bool) -> None:
    found = node_cards(labels)
    assert found is not None
    assert (found.card and found.card.name, found.gpus, found.sure) == (name, gpus, sure)


def test_a_node_without_gpus() -> None:
    assert node_cards({"kubernetes.io/arch": "amd64", "node.kubernetes.io/instance-type": "m5.large"}) is None


def test_labels_that_only_say_nvidia() -> None:
    assert vendor_label({"accelerator": "nvidia"}) == "accelerator"
    assert vendor_label({"accelerator": "other"}) is None


@pytest.mark.parametrize(
    ("label", "architecture"),
    [("ada-lovelace", "Ada Lovelace"), ("hopper", "Hopper"), ("undefined", None), ("", None)],
)
def test_families(label: str, architecture: str | None) -> None:
    assert gfd_family(label) == architecture
