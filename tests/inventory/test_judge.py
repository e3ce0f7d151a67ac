"""Selectors on devices: certain, possible and failing ones, and how many survive each clause."""

from __future__ import annotations

import pytest

from dralint.inventory.device import Form, Unknown
from dralint.inventory.engine import selector_settings
from dralint.nvidia.target import make_target
from tests.inventory.judging import DRIVER, A, C, device, in_catalogue, judged, states

TWO = [device("gpu-0", productName="X"), device("gpu-1", memory="40Gi", productName="Y")]


def test_a_selector_is_true_of_some_devices() -> None:
    judgement = judged(TWO, f'{A}.productName == "Y"')
    assert [answer.state for answer in judgement.answers] == ["no", "yes"]
    assert (judgement.matching, judgement.possible) == (1, 0)


def test_how_many_survive_each_clause() -> None:
    devices = [*TWO, device("gpu-2", productName="Y", type="mig")]
    expression = f'device.driver == "{DRIVER}" && {A}.type == "gpu" && {A}.productName == "Z"'
    judgement = judged(devices, expression)
    assert judgement.clauses == expression.split(" && ")
    assert judgement.surviving == [3, 2, 0]


def test_the_clauses_of_all_selectors_are_counted_in_their_order() -> None:
    judgement = judged(TWO, f'{A}.type == "gpu"', f'{A}.productName == "Y" && true')
    assert judgement.surviving == [2, 1, 1]


def test_a_false_selector_protects_those_after_it() -> None:
    assert states(TWO, f'{A}.type == "mig"', f"{A}.nosuch == 1") == ["no", "no"]
    assert states(TWO, f"{A}.nosuch == 1", f'{A}.type == "mig"') == ["error", "error"]


def test_a_false_clause_protects_the_others_on_either_side() -> None:
    assert states(TWO, f'{A}.nosuch == 1 && {A}.type == "mig"') == ["no", "no"]


def test_an_error_names_the_attribute_and_stops_at_its_clause() -> None:
    judgement = judged(TWO, f'{A}.type == "gpu" && {A}.nosuch == 1')
    first = judgement.answers[0]
    assert (first.state, first.reason, first.clauses) == ("error", "no such key: nosuch", 1)
    assert first.error is not None
    assert first.error.attribute == f"{DRIVER}/nosuch"
    assert judgement.surviving == [2, 0]


def test_a_device_that_cannot_be_read_fails() -> None:
    broken = device(driverVersion=("version", "580"))
    (answer,) = judged([broken], "true").answers
    assert (answer.state, answer.reason) == (
        "error",
        "attribute driverVersion: No Major.Minor.Patch elements found",
    )


def test_an_empty_inventory_has_no_answers() -> None:
    judgement = judged([], f'{A}.type == "gpu"')
    assert (judgement.answers, judgement.surviving) == ([], [0])


UNKNOWN = device()._replace(unknown={"uuid": Unknown("attributes", DRIVER)})


@pytest.mark.parametrize(
    ("expression", "state", "reason"),
    [
        (f'{A}.uuid == "GPU-1"', "maybe", "nobody knows its uuid beforehand"),
        (f'has({A}.uuid) && {A}.type == "gpu"', "maybe", "nobody knows its uuid beforehand"),
        (f'{A}.?uuid.orValue("") == "GPU-1"', "maybe", "nobody knows its uuid beforehand"),
        # What is known decides where it can.
        (f'{A}.uuid == "GPU-1" && {A}.type == "mig"', "no", None),
        (f"{A}.uuid == 'GPU-1' && {A}.nosuch == 1", "error", "no such key: nosuch"),
        (f'{A}.type == "gpu"', "yes", None),
        # The same name elsewhere is another thing.
        (f'{C}.uuid == quantity("1")', "error", "no such key: uuid"),
        ('device.attributes["example.com"].uuid == "x"', "error", "no such key: uuid"),
    ],
)
def test_what_nobody_knows_of_a_device_leaves_it_open(
    expression: str, state: str, reason: str | None
) -> None:
    (answer,) = judged([UNKNOWN], expression).answers
    assert (answer.state, answer.reason) == (state, reason)


def test_a_class_that_is_false_closes_what_was_open() -> None:
    assert states([UNKNOWN], f'{A}.type == "mig"', f'{A}.uuid == "GPU-1"') == ["no"]
    assert states([UNKNOWN], f'{A}.uuid == "GPU-1"', f'{A}.type == "mig"') == ["no"]
    assert states([UNKNOWN], f'{A}.uuid == "GPU-1"', f'{A}.type == "gpu"') == ["maybe"]


FORMS = device(memory="15Gi")._replace(
    forms=(
        Form({}, {"memory": {"value": "16Gi"}}, "16Gi of memory (ECC off)"),
        Form({}, {"memory": {"value": "17Gi"}}, "its exact memory was not seen", seen=False),
    )
)


@pytest.mark.parametrize(
    ("threshold", "state", "reason"),
    [
        ("14Gi", "yes", None),
        ("15Gi", "maybe", "only with 16Gi of memory (ECC off)"),
        ("16Gi", "maybe", "its exact memory was not seen"),
        ("17Gi", "no", None),
    ],
)
def test_a_device_with_several_forms(threshold: str, state: str, reason: str | None) -> None:
    (answer,) = judged([FORMS], f'{C}.memory.isGreaterThan(quantity("{threshold}"))').answers
    assert (answer.state, answer.reason) == (state, reason)


def test_the_likeliest_form_that_fits_alone() -> None:
    judgement = judged([FORMS], f'{A}.type == "gpu" && {C}.memory.isLessThan(quantity("16Gi"))')
    (answer,) = judgement.answers
    assert (answer.state, answer.reason) == ("maybe", "not with 16Gi of memory (ECC off)")
    assert judgement.surviving == [1, 1]
    assert (judgement.matching, judgement.possible) == (0, 1)


def test_a_doubtful_device_matches_perhaps() -> None:
    doubtful = device()._replace(doubt="nobody saw it")
    (yes,) = judged([doubtful], f'{A}.type == "gpu"').answers
    assert (yes.state, yes.reason) == ("maybe", "nobody saw it")
    assert states([doubtful], f'{A}.type == "mig"') == ["no"]


def test_all_devices_together_are_bounded() -> None:
    costly = ".".join(["[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"] + ["map(x, x)"] * 2)
    nested = f"{costly}.all(a, {costly}.all(b, {costly}.all(c, a + b + c > 0)))"
    answers = judged([device(f"gpu-{number}") for number in range(4000)], nested).answers
    assert answers[0].state == "yes"
    assert answers[-1].state == "error"
    assert answers[-1].reason == "all selectors together take too many steps"


def test_the_target_decides_what_compiles() -> None:
    settings = selector_settings(make_target(kubernetes="1.34"))
    assert (settings.minor, settings.consumable_capacity, settings.list_type_attributes) == (34, False, False)
    settings = selector_settings(
        make_target(
            kubernetes="1.36", gates=["DRAConsumableCapacity=true", "kubernetes:DRAListTypeAttributes=true"]
        )
    )
    assert (settings.minor, settings.consumable_capacity, settings.list_type_attributes) == (36, True, True)


def test_the_catalogue_knows_cards_that_hold_more_than_100_gib() -> None:
    found = in_catalogue(f'{A}.type == "gpu" && {C}.memory.isGreaterThan(quantity("100Gi"))')
    assert [each.removesuffix("/gpu") for each in found["yes"]] == [
        "NVIDIA H20-3e",
        "NVIDIA L20X",
        "NVIDIA H200",
        "NVIDIA H200 NVL",
        "NVIDIA GH200 144G HBM3e",
        "NVIDIA B200",
        "NVIDIA B300 SXM6 AC",
        "NVIDIA B300 SXM6 PC",
        "NVIDIA GB200",
        "NVIDIA GB300",
    ]
    # Announced, or known by name only.
    assert [each.removesuffix("/gpu") for each in found["maybe"]] == [
        "NVIDIA H20 NVL16", "NVIDIA B100", "NVIDIA VR200", "NVIDIA Rubin CPX",
    ]  # fmt: skip
    assert found["error"] == ["NVIDIA GB10/gpu"]


def test_a_branch_of_the_gpu_driver_is_any_of_its_versions() -> None:
    def with_driver(version: str) -> set[str]:
        found = in_catalogue(
            f'{A}.productName == "NVIDIA L4" && {A}.driverVersion.compareTo(semver("{version}")) >= 0',
            gpu_driver="580",
        )
        return {state for state, names in found.items() if "NVIDIA L4/gpu" in names}

    assert with_driver("575.0.0") == {"yes"}
    assert with_driver("580.95.5") == {"maybe"}
    assert with_driver("590.0.0") == {"no"}
