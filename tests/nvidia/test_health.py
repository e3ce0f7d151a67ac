"""The least GPU driver, faults of one, and ends of support."""

from __future__ import annotations

from datetime import date

import pytest

from dralint.kube.versions import Version, end_of_life
from dralint.nvidia.health import branch_end, fault, known_on, least_gpu_driver, least_kubernetes, older


@pytest.mark.parametrize(
    ("version", "least", "expected"),
    [
        ("570", "580", True),
        ("580", "580", False),
        ("580.95.05", "580", False),
        ("570.124.06", "570.158.01", True),
        # A branch stands for its newest version.
        ("570", "570.158.01", False),
        ("latest", "580", False),
    ],
)
def test_older(version: str, least: str, expected: bool) -> None:
    assert older(version, least) is expected


def test_the_least_driver_depends_on_who_installs() -> None:
    versions = {
        what: least.version
        for what in ("operator", "standalone", "compute-domain")
        if (least := least_gpu_driver(what))
    }
    assert versions == {"operator": "580", "standalone": "565", "compute-domain": "570.158.01"}
    assert least_gpu_driver("device-plugin") is None
    assert least_kubernetes() == (1, 34, 2)


def test_ends_of_support() -> None:
    assert branch_end("580.95.05") == date(2028, 6, 30)
    assert branch_end("595") == date(2027, 3, 31)
    assert branch_end("999") is None
    assert end_of_life(Version("1.33")) == (date(2026, 6, 28), True)
    assert end_of_life(Version("1.34")) == (date(2026, 10, 27), False)
    assert end_of_life(Version("1.99")) is None
    assert known_on() > date(2026, 1, 1)


def test_a_fault_needs_the_version_and_the_card() -> None:
    assert fault("575.57.08", b"NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition")
    assert fault("575.57.08", b"NVIDIA L40S") is None
    assert fault("580.95.05", b"RTX PRO 6000") is None
