"""Every device of the real ResourceSlices is what the card catalogue predicts; what differs is explained here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dralint.cel.device import quantity
from dralint.inventory.catalogue import catalogue
from dralint.inventory.device import Device
from dralint.inventory.read import read_inventory
from dralint.nvidia.published import attributes, capacities
from dralint.nvidia.target import Target, make_target
from dralint.source.file import SourceFile

PREDICTED = ("productName", "architecture", "brand", "cudaComputeCapability", "profile", "type")

# The release of the DRA driver that published a file; the others are like the newest one.
DRIVERS = {
    "t4-eks-old-attribute-names.yaml": "25.8.1",
    "a100-80gb-pcie-mig-560.yaml": "25.3.2",
    "gb200-25.3.2-partial.yaml": "25.3.2",
}
# Where the catalogue says something else: (file, device, attribute or capacity): (published, predicted, why).
DIFFERENCES: dict[tuple[str, str, str], tuple[str, str, str]] = {
    ("rtx-a5000.yaml", "gpu-0", "memory"): ("23028Mi", "24564Mi", "error correction is on"),
    ("t4-aks-ecc-off.yaml", "gpu-0", "memory"): ("16Gi", "15Gi", "error correction is off"),
}
# Printed in part only, as their first lines say: what is missing there is no difference.
PARTIAL = {
    "a100-40gb-mig-eks.yaml",
    "gb200-25.3.2-partial.yaml",
    "h100-mig-4g-3g.yaml",
    "t4-openshift-595.yaml",
    "docs-a100-pcie-full-and-mig-illustrative.yaml",
}
# This one does not say what it is; its name and its driver's version do.
WITHOUT_NAME = ("gb200-25.3.2-partial.yaml", "NVIDIA GB200")


class Published(NamedTuple):
    file: str
    device: Device
    target: Target


def published(shared: Path) -> Iterator[Published]:
    for path in sorted((shared / "facts" / "resourceslices").glob("*.yaml")):
        target = make_target(dra_driver=DRIVERS.get(path.name))
        inventory = read_inventory([SourceFile(path.name, path, path.read_bytes())], target, [])
        assert inventory.devices
        assert inventory.notes == []
        for device in inventory.devices:
            yield Published(path.name, device, target)


def scalar(written: Any) -> Any:
    return next(iter(written.values())) if written else None


def of_gpus(shared: Path) -> list[Published]:
    return [each for each in published(shared) if each.device.driver == "gpu.nvidia.com"]


def predicted(each: Published) -> Device:
    file, name = WITHOUT_NAME
    product = name if each.file == file else scalar(each.device.attributes["productName"])
    profile = scalar(each.device.attributes.get("profile"))
    (found,) = (
        device
        for device in catalogue(each.target).devices
        if device.pool == product and device.name == (f"mig-{profile}" if profile else "gpu")
    )
    return found


def differences(each: Published, expected: Device) -> Iterator[tuple[str, str, str]]:
    for name in PREDICTED:
        there = scalar(each.device.attributes.get(name))
        if there is None and each.file in PARTIAL:
            continue
        if there != scalar(expected.attributes.get(name)):
            yield name, there, scalar(expected.attributes.get(name))
    for name in ("memory", "multiprocessors"):
        if name in each.device.capacity:
            there, here = (scalar(device.capacity.get(name)) for device in (each.device, expected))
            if here is None or quantity.compare(quantity.parse(there), quantity.parse(here)) != 0:
                yield name, there, here


def test_the_catalogue_predicts_every_published_device(shared: Path) -> None:
    found = {}
    devices = of_gpus(shared)
    for each in devices:
        for name, there, here in differences(each, predicted(each)):
            found[each.file, each.device.name, name] = (there, here)
    assert len(devices) >= 27
    assert found == {key: (there, here) for key, (there, here, _) in DIFFERENCES.items()}


@pytest.mark.parametrize("key", DIFFERENCES, ids="-".join)
def test_a_difference_is_a_form_that_the_catalogue_knows(shared: Path, key: tuple[str, str, str]) -> None:
    file, name, what = key
    (each,) = (each for each in of_gpus(shared) if (each.file, each.device.name) == (file, name))
    forms = [form for form in predicted(each).forms if form.capacity.get(what) == each.device.capacity[what]]
    assert [form.seen for form in forms] == [True]


def test_the_driver_publishes_these_attributes_and_no_others(shared: Path) -> None:
    for each in of_gpus(shared):
        kind = "mig" if "profile" in each.device.attributes else "gpu"
        known = attributes(kind, each.target)
        there = set(each.device.attributes)
        assert there <= {attribute.key for attribute in known}, each.file
        for attribute in known:
            if attribute.key in there:
                assert attribute.kind in each.device.attributes[attribute.key], each.file
        if each.file not in PARTIAL:
            assert there >= {attribute.key for attribute in known if not attribute.optional}, each.file


def test_the_driver_publishes_these_capacities_and_no_others(shared: Path) -> None:
    for each in of_gpus(shared):
        kind = "mig" if "profile" in each.device.attributes else "gpu"
        known = capacities(kind, each.target)
        single = {capacity.name for capacity in known if not capacity.each}
        for name in each.device.capacity:
            assert name in single or name.rstrip("0123456789") in {capacity.name for capacity in known}


def test_the_compute_domain_driver_is_predicted_too(shared: Path) -> None:
    def plain(devices: list[Device]) -> list[Any]:
        return [
            (each.name, each.attributes) for each in devices if each.driver == "compute-domain.nvidia.com"
        ]

    there = plain([each.device for each in published(shared)])
    assert there == plain(catalogue(make_target(), domains=True).devices) != []
