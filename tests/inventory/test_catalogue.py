"""Cards to devices as the target's driver would publish them, and what is not known of them."""

from __future__ import annotations

from typing import Any

import pytest

from dralint.inventory.catalogue import catalogue
from dralint.inventory.device import Device, Unknown
from dralint.nvidia.cards import cards
from dralint.nvidia.target import make_target


def devices(card: str, **options: Any) -> dict[str, Device]:
    return {each.name: each for each in catalogue(make_target(**options)).devices if each.pool == card}


def plain(written: Any) -> dict[str, Any]:
    return {name: next(iter(value.values())) for name, value in written.items()}


def whens(device: Device) -> list[str]:
    return [form.when for form in device.forms]


def test_each_card_is_there_whole_and_in_slices() -> None:
    inventory = catalogue(make_target())
    assert inventory.catalogue
    whole = [each for each in inventory.devices if each.name == "gpu"]
    assert [each.pool for each in whole] == [card.name for card in cards()]
    slices = sum(
        len(card.mig.table.profiles) + len(card.mig.other_profiles)
        for card in cards()
        if card.mig is not None
    )
    assert len(inventory.devices) == len(whole) + slices
    assert all(not isinstance(row.value, str) for row in inventory.rows)


def test_a_whole_card() -> None:
    whole = devices("NVIDIA H200 NVL")["gpu"]
    assert whole.driver == "gpu.nvidia.com"
    assert whole.node is None
    assert plain(whole.attributes) == {
        "type": "gpu",
        "productName": "NVIDIA H200 NVL",
        "brand": "Nvidia",
        "architecture": "Hopper",
        "cudaComputeCapability": "9.0.0",
    }
    assert plain(whole.capacity) == {"memory": "143771Mi"}
    assert (whole.forms, whole.doubt, whole.estimated) == ((), None, frozenset())
    # It has an address and a driver, but which nobody can say.
    assert whole.unknown["uuid"] == Unknown("attributes", "gpu.nvidia.com")
    assert whole.unknown["pciBusID"] == Unknown("attributes", "resource.kubernetes.io")
    assert "index" not in whole.unknown


def test_a_slice() -> None:
    found = devices("NVIDIA H200 NVL")["mig-1g.18gb"]
    assert plain(found.attributes)["profile"] == "1g.18gb"
    assert plain(found.attributes)["type"] == "mig"
    assert plain(found.capacity) == {"memory": "16Gi", "multiprocessors": "16"}
    assert found.unknown["parentUUID"] == Unknown("attributes", "gpu.nvidia.com")
    assert (
        found.unknown["memorySlice0"] == found.unknown["copyEngines"] == Unknown("capacity", "gpu.nvidia.com")
    )


def test_a_slice_whose_memory_nobody_saw_has_bounds() -> None:
    found = devices("NVIDIA H200 NVL")["mig-3g.71gb"]
    assert plain(found.capacity)["memory"] == "61102Mi"
    assert found.estimated == {"memory"}
    (form,) = found.forms
    assert (plain(form.capacity), form.when, form.seen) == (
        {"memory": "71885Mi"},
        "its exact memory was not seen",
        False,
    )


def test_other_sizes_are_forms() -> None:
    assert whens(devices("Tesla T4")["gpu"]) == ["16Gi of memory (ECC off, as on AKS)"]
    assert whens(devices("NVIDIA A100-SXM4-80GB")["mig-1g.20gb"]) == [
        "19712Mi of memory (other drivers or boards)"
    ]


def test_what_drivers_before_dra_showed_is_no_form() -> None:
    (card,) = [each for each in cards() if each.name == "NVIDIA A100-SXM4-40GB"]
    assert [other.before for other in card.other_memory] == [510, 510]
    assert devices(card.name)["gpu"].forms == ()


def test_a_size_by_analogy_can_be_off() -> None:
    found = devices("NVIDIA T1000")["gpu"]
    assert plain(found.capacity) == {"memory": "4Gi"}
    assert [(plain(form.capacity)["memory"], form.seen) for form in found.forms] == [
        ("3973Mi", False),
        ("4218Mi", False),
    ]


def test_what_was_never_seen_is_unknown() -> None:
    found = devices("NVIDIA B100")["gpu"]
    assert found.doubt == "nobody has shown what a driver reports of this card"
    assert "brand" in found.unknown
    assert found.estimated == {"memory"}
    assert devices("NVIDIA L20X")["mig-1g.18gb"].doubt == "nobody has shown the MIG profiles of this card"


def test_a_card_without_memory_has_none() -> None:
    found = devices("NVIDIA GB10")["gpu"]
    assert found.capacity == {}
    assert "memory" not in found.unknown


def test_other_names_of_slices() -> None:
    found = devices("NVIDIA GB300")["mig-1g.31gb"]
    assert found.doubt == "other drivers or boards call a slice so"
    # By the memory of the board that has it: an eighth of 256703 MiB.
    assert plain(found.capacity)["memory"] == "27274Mi"


def test_the_gpu_driver_of_the_target() -> None:
    exact = devices("NVIDIA L4", gpu_driver="580.95.05")["gpu"]
    assert plain(exact.attributes)["driverVersion"] == "580.95.5"
    assert plain(exact.attributes)["cudaDriverVersion"] == "13.0.0"
    assert "driverVersion" not in exact.unknown
    branch = devices("NVIDIA L4", gpu_driver="580")["gpu"]
    assert plain(branch.attributes)["driverVersion"] == "580.0.0"
    late = [form for form in branch.forms if form.when == "a late GPU driver of the branch 580"]
    assert [plain(form.attributes)["driverVersion"] for form in late] == ["580.9999.0"]


def test_a_card_that_the_gpu_driver_does_not_know_is_doubtful() -> None:
    assert devices("NVIDIA B200", gpu_driver="565")["gpu"].doubt == "it needs GPU driver 570.133.20"
    assert devices("NVIDIA B200", gpu_driver="570")["gpu"].doubt is None


def test_attributes_follow_the_release_of_the_driver() -> None:
    assert "index" in devices("NVIDIA L4", dra_driver="25.3.2")["gpu"].unknown
    assert "index" not in devices("NVIDIA L4", dra_driver="25.8.1")["gpu"].unknown


def test_dynamic_mig_publishes_less_memory_of_the_whole_card() -> None:
    gates = ["DynamicMIG=true"]
    whole = devices("NVIDIA H200 NVL", gates=gates)["gpu"]
    assert plain(whole.capacity)["memory"] == "140Gi"
    assert "uuid" not in devices("NVIDIA H200 NVL", gates=gates)["mig-1g.18gb"].unknown
    assert plain(devices("NVIDIA L4", gates=gates)["gpu"].capacity) == plain(
        devices("NVIDIA L4")["gpu"].capacity
    )


def test_vfio_devices_come_with_their_gate() -> None:
    assert "vfio" not in devices("NVIDIA H200 NVL")
    found = devices("NVIDIA H200 NVL", gates=["PassthroughSupport=true"])["vfio"]
    assert plain(found.attributes) == {"type": "vfio", "vendorID": "0x10de", "deviceID": "0x233b"}
    # Its product name is that of the PCI database.
    assert "productName" in found.unknown


def test_sharing_leaves_open_whether_a_device_can_be_shared() -> None:
    assert "allowMultipleAllocations" not in devices("NVIDIA L4")["gpu"].unknown
    assert "allowMultipleAllocations" in devices("NVIDIA L4", gates=["ConsumableShares=true"])["gpu"].unknown


@pytest.mark.parametrize("domains", [False, True])
def test_devices_of_compute_domains_only_on_demand(domains: bool) -> None:
    found = [
        each.name
        for each in catalogue(make_target(), domains=domains).devices
        if each.pool.startswith("comp")
    ]
    assert found == (["channel-0", "daemon-0"] if domains else [])
