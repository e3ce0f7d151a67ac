"""Releases and gates of the DRA driver."""

import pytest

from dralint.errors import UsageError
from dralint.nvidia.gates import driver_gates, gate_default, newest_release, release, release_text


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.5.1", (0, 5, 1)),
        ("v0.4.0", (0, 4, 0)),
        ("0.5", (0, 5, 0)),
        ("0.5.0-dev", (0, 5, 0)),
        ("25.8.1", (0, 2, 1)),
        ("v25.12.0", (0, 3, 0)),
        ("25.3.2", (0, 1, 2)),
    ],
)
def test_calendar_and_semantic_versions_are_one_line(version, expected):
    assert release(version) == expected


@pytest.mark.parametrize("version", ["banana", "", "25.9", "26.7.2", "0", "0.5.x"])
def test_what_was_never_released_is_refused(version):
    with pytest.raises(UsageError):
        release(version)


def test_the_newest_release_is_on_the_line():
    assert release(newest_release()) >= max(gate.since for gate in driver_gates().values())


@pytest.mark.parametrize(
    ("gate", "version", "expected"),
    [
        ("TimeSlicingSettings", "0.5.1", False),
        ("TimeSlicingSettings", "25.8.1", False),
        ("TimeSlicingSettings", "25.3.2", None),
        ("IMEXDaemonsWithDNSNames", "0.5.1", True),
        ("ComputeDomainCliques", "25.8.1", None),
        ("ComputeDomainCliques", "25.12.0", True),
        ("ConsumableShares", "0.4.1", None),
        ("ConsumableShares", "0.5.0", False),
        ("NoSuchGate", "0.5.1", None),
    ],
)
def test_defaults_by_version(gate, version, expected):
    assert gate_default(gate, version) is expected


def test_a_release_is_written_with_both_its_names():
    assert release_text((0, 2, 0)) == "0.2.0 (25.8)"
    assert release_text((0, 5, 0)) == "0.5.0"
