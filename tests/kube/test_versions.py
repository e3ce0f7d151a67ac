"""API versions and feature gates over the releases."""

from __future__ import annotations

import pytest

from dralint.kube.versions import (
    Version,
    api_version_state,
    api_versions_of,
    gate_default,
    gate_locked,
    gates,
    newest,
    oldest_stable,
)


@pytest.mark.parametrize("text", ["1.36", "v1.36", "v1.36.2", "1.36.2-gke.100", "1.36+", " 1.36 "])
def test_versions_are_read(text):
    assert Version(text) == Version(1, 36) == (1, 36)
    assert str(Version(text)) == "1.36"


@pytest.mark.parametrize("text", ["", "1", "latest", "1.x", "1.36x", "a1.36", "-1.3", "99999.1", "1.36\n2"])
def test_no_versions(text):
    with pytest.raises(ValueError, match="not a version"):
        Version(text)


def test_versions_compare_as_numbers():
    assert Version("1.9") < Version("1.10") < Version("2.0")
    assert min([Version("1.36"), Version("1.4")]) == Version("1.4")
    assert len({Version("1.36"), Version(1, 36)}) == 1
    assert isinstance(Version("1.36"), Version)


def test_newest_has_data():
    assert newest() == Version("1.37")
    assert oldest_stable() == Version("1.34")
    assert all(gate.stages[-1][0] <= newest() for gate in gates().values())


RELEASES = [f"1.{minor}" for minor in range(26, 40)]
# s: served, o: opt-in, d: opt-in and deprecated, r: removed, -: not yet; one letter a release from 1.26 to 1.39
LIVES = {
    ("v1alpha1", "ResourceClaim"): "orrrrrrrrrrrrr",
    ("v1alpha2", "ResourceClaim"): "-oooorrrrrrrrr",
    ("v1alpha2", "ResourceClass"): "-oooorrrrrrrrr",
    ("v1alpha2", "ResourceClaimParameters"): "----orrrrrrrrr",
    ("v1alpha3", "ResourceClaim"): "-----ooorrrrrr",
    ("v1alpha3", "PodSchedulingContext"): "-----orrrrrrrr",
    ("v1alpha3", "DeviceTaintRule"): "-------ooodddr",
    ("v1beta1", "ResourceClaimTemplate"): "------ooodddrr",
    ("v1beta2", "DeviceClass"): "-------ooodddr",
    ("v1", "ResourceClaim"): "--------ssssss",
    ("v1", "ResourceSlice"): "--------ssssss",
    ("v1", "DeviceTaintRule"): "-----------sss",
}
LETTERS = {"served": "s", "opt-in": "o", "removed": "r", "not-yet": "-"}


@pytest.mark.parametrize("life", LIVES)
def test_api_versions(life):
    version, kind = life
    states = [api_version_state(f"resource.k8s.io/{version}", kind, Version(release)) for release in RELEASES]
    assert "".join("d" if state.deprecated else LETTERS[state.state] for state in states) == LIVES[life]


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [
        ("resource.k8s.io/v2", "ResourceClaim"),
        ("resource.k8s.io/v1", "ResourceClass"),
        ("apps/v1", "Deployment"),
    ],
)
def test_unknown_api_versions(api_version, kind):
    assert api_version_state(api_version, kind, newest()).state == "unknown"


def test_the_life_of_an_api_version():
    state = api_version_state("resource.k8s.io/v1beta1", "ResourceClaim", Version("1.36"))
    assert (state.introduced, state.deprecated_in, state.removed_in) == ((1, 32), (1, 35), (1, 38))


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("1.25", []),
        ("1.30", ["v1alpha2"]),
        ("1.32", ["v1beta1", "v1alpha3"]),
        ("1.34", ["v1", "v1beta2", "v1beta1"]),
        ("1.38", ["v1", "v1beta2"]),
        ("1.40", ["v1"]),
    ],
)
def test_api_versions_of_a_kind(release, expected):
    found = api_versions_of("ResourceClaim", Version(release))
    assert found == [f"resource.k8s.io/{version}" for version in expected]


# on: +, off: -, no such gate: a dot; one sign a release from 1.30 to 1.37
GATES = {
    "DynamicResourceAllocation": "----++++",
    "DRAAdminAccess": "..--++++",
    "DRAPrioritizedList": "...-++++",
    "DRAResourceClaimDeviceStatus": "..-+++++",
    "DRAExtendedResource": "....--++",
    "DRAConsumableCapacity": "....--++",
    "DRAPartitionableDevices": "...---++",
    "DRADeviceTaints": "...---++",
    "DRADeviceTaintRules": ".....--+",
    "DRADeviceBindingConditions": "....--++",
    "DRASchedulerFilterTimeout": "....++++",
    "DRAListTypeAttributes": "......--",
    "DRANodeAllocatableResources": "......--",
    "DRAWorkloadResourceClaims": "......--",
    "DRAResourcePoolStatus": "......--",
    "DRAResourceClaimGranularStatusAuthorization": "......++",
    "DRAFractionalCapacityRange": ".......+",
    "DRADerivedAttributes": ".......-",
    "DRADeviceCompatibilityGroups": ".......-",
    "DRAOptionalNodeOperations": ".......-",
    "DRAPartitionableDevicesType": ".......-",
    "DRAControlPlaneController": ".-......",
    "KubeletPodResourcesDynamicResources": "----++++",
    "ResourceHealthStatus": ".-----++",
    "PodLevelResources": "..--++++",
    "GenericWorkload": ".....---",
}


@pytest.mark.parametrize("name", GATES)
def test_gates(name):
    signs = {True: "+", False: "-", None: "."}
    releases = [Version(1, minor) for minor in range(30, 38)]
    assert "".join(signs[gate_default(name, release)] for release in releases) == GATES[name]


def test_all_gates_are_tested():
    assert set(gates()) == set(GATES)


def test_a_gate_keeps_its_stage_in_later_releases():
    assert gate_default("DRAConsumableCapacity", Version("1.45")) is True
    assert gate_default("NoSuchGate", newest()) is None


def test_locked_gates():
    assert gate_locked("DynamicResourceAllocation", Version("1.35"))
    assert not gate_locked("DynamicResourceAllocation", Version("1.34"))
    assert not gate_locked("NoSuchGate", newest())
