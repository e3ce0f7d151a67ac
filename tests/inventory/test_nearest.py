"""What comes nearest where nothing matches."""

from __future__ import annotations

from typing import Any

import pytest

from dralint.inventory.device import Form, Unknown
from tests.inventory.judging import DRIVER, A, C, device, nearest_of

DEVICES = [
    device(
        "gpu-0",
        memory="143771Mi",
        productName="NVIDIA H200 NVL",
        architecture="Hopper",
        profile="1g.18gb",
        driverVersion=("version", "580.95.5"),
        index=("int", 3),
        ecc=("bool", True),
    ),
    device(
        "gpu-1",
        memory="97887Mi",
        productName="NVIDIA RTX PRO 6000 Blackwell Server Edition",
        architecture="Blackwell",
        profile="1g.24gb",
        driverVersion=("version", "570.10.2"),
        index=("int", 7),
        ecc=("bool", True),
    ),
]


@pytest.mark.parametrize(
    ("clause", "attribute", "wanted", "value"),
    [
        (f'{A}.productName == "NVIDIA-H200-NVL"', "productName", "NVIDIA-H200-NVL", "NVIDIA H200 NVL"),
        (f'{A}["productName"] == "h200"', "productName", "h200", "NVIDIA H200 NVL"),
        (f'{A}.productName in ["NVIDIA L4", "RTX PRO 6000"]', "productName", "RTX PRO 6000",
         "NVIDIA RTX PRO 6000 Blackwell Server Edition"),
        (f"{A}.productName.startsWith('nvidia h200')", "productName", "nvidia h200", "NVIDIA H200 NVL"),
        (f'{A}.architecture == "hopper"', "architecture", "hopper", "Hopper"),
        (f'{A}.profile == "1g.17gb"', "profile", "1g.17gb", "1g.18gb"),
        (f'{A}.driverVersion.isGreaterThan(semver("590.1.2"))', "driverVersion", "590.1.2", "580.95.5"),
        (f'{A}.driverVersion.compareTo(semver("560.0.0")) < 0', "driverVersion", "560.0.0", "570.10.2"),
        (f"{A}.index == 6", "index", "6", "7"),
        (f'"H200" == {A}.productName', "productName", "H200", "NVIDIA H200 NVL"),
        (f'{A}.?productName.orValue("") == "H200 NVL"', "productName", "H200 NVL", "NVIDIA H200 NVL"),
    ],
)  # fmt: skip
def test_the_nearest_value_of_an_attribute(clause: str, attribute: str, wanted: str, value: str) -> None:
    found = nearest_of(DEVICES, f'{A}.type == "gpu" && {clause}')
    assert found == (clause, f"{DRIVER}/{attribute}", "attributes", wanted, value)


@pytest.mark.parametrize(
    ("clause", "wanted", "value"),
    [
        (f'{C}.memory.isGreaterThan(quantity("200Gi"))', "200Gi", "143771Mi"),
        (f'{C}.memory.isLessThan(quantity("1Gi"))', "1Gi", "97887Mi"),
        (f'{C}.memory.compareTo(quantity("150G")) == 0', "150G", "143771Mi"),
    ],
)
def test_the_nearest_amount(clause: str, wanted: str, value: str) -> None:
    assert nearest_of(DEVICES, clause) == (clause, f"{DRIVER}/memory", "capacity", wanted, value)


def test_only_devices_that_got_so_far_count() -> None:
    found = nearest_of(DEVICES, f'{A}.architecture == "Blackwell" && {A}.productName == "NVIDIA H200 NVL"')
    assert found is not None
    assert found.value == "NVIDIA RTX PRO 6000 Blackwell Server Edition"


def test_the_driver() -> None:
    found = nearest_of(DEVICES, 'device.driver == "gpu.nvida.com"')
    assert found is not None
    assert found[1:] == ("driver", None, "gpu.nvida.com", DRIVER)


@pytest.mark.parametrize(
    ("clause", "map_", "attribute", "value"),
    [
        (f'{A}.memory == "80Gi"', "attributes", f"{DRIVER}/memory", f"{C}.memory"),
        (f'{A}.product_name == "X"', "attributes", f"{DRIVER}/product_name", f"{A}.productName"),
        ('device.attributes["nvidia.com"].type == "gpu"', "attributes", "nvidia.com/type", f"{A}.type"),
        (f'{C}.productName == quantity("1")', "capacity", f"{DRIVER}/productName", f"{A}.productName"),
        (f"{A}.nothinglikeit == 1", "attributes", f"{DRIVER}/nothinglikeit", None),
    ],
)
def test_an_attribute_that_no_device_has(clause: str, map_: str, attribute: str, value: str | None) -> None:
    assert nearest_of(DEVICES, clause) == (clause, attribute, map_, None, value)


def test_a_name_that_devices_have_without_a_known_value() -> None:
    predicted = DEVICES[0]._replace(unknown={"pcieRoot": Unknown("attributes", "resource.kubernetes.io")})
    found = nearest_of([predicted], f'{A}.pcieRoot == "x"')
    assert found is not None
    assert found.value == 'device.attributes["resource.kubernetes.io"].pcieRoot'


def test_bounds_are_no_values() -> None:
    bound = {"memory": {"value": "100Gi"}}
    predicted = device(memory="90Gi")._replace(
        estimated=frozenset({"memory"}),
        forms=(Form({}, bound, "not seen", seen=False), Form({}, {"memory": {"value": "95Gi"}}, "seen")),
    )
    found = nearest_of([predicted], f'{C}.memory.isGreaterThan(quantity("200Gi"))')
    assert found is not None
    assert found.value == "95Gi"


@pytest.mark.parametrize("expression", [f'{A}.architecture == "Hopper"', f'{A}.uuid == "x" || true', "true"])
def test_nothing_where_something_matches(expression: str) -> None:
    assert nearest_of(DEVICES, expression) is None


def test_nothing_where_no_device_is() -> None:
    assert nearest_of([], f'{A}.architecture == "Hopper"') is None


@pytest.mark.parametrize("expression", ["1 == 2", "false", f"has({A}.profile) == false"])
def test_a_clause_that_cannot_be_told_apart_is_still_named(expression: str) -> None:
    found: Any = nearest_of(DEVICES, expression)
    assert (found.clause, found.value) == (expression, None)


def test_what_no_person_writes_is_not_compared() -> None:
    many = " || ".join(f'{A}.productName == "{number:0190}"' for number in range(60))
    found = nearest_of(DEVICES, f"({many})")
    assert found is not None
    assert found.wanted is not None
    crowd = [device(f"gpu-{number}", productName=f"{number:0190}") for number in range(600)]
    found = nearest_of(crowd, f'{A}.productName == "NVIDIA H200"')
    assert found is not None
    assert (found.attribute, found.value) == (f"{DRIVER}/productName", None)
