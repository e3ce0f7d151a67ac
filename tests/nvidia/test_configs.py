"""Opaque configuration: what the driver refuses to decode, by release."""

import json
import os

import pytest
from jsonschema import Draft202012Validator

from dralint.nvidia.configs import config_kinds, problems, schema, strategies
from dralint.nvidia.gates import driver_gates
from dralint.resources import directory

GPU = {"apiVersion": "resource.nvidia.com/v1beta1", "kind": "GpuConfig"}
MIG = {"apiVersion": "resource.nvidia.com/v1beta1", "kind": "MigDeviceConfig"}
VFIO = {"apiVersion": "resource.nvidia.com/v1beta1", "kind": "VfioDeviceConfig"}
CHANNEL = {"apiVersion": "resource.nvidia.com/v1beta1", "kind": "ComputeDomainChannelConfig"}


def found(parameters, driver="gpu.nvidia.com", version="0.5.1"):
    return [(each.what, each.path, each.name) for each in problems(parameters, driver, version)]


@pytest.mark.parametrize(
    "parameters",
    [
        GPU,
        GPU | {"sharing": {"strategy": "TimeSlicing"}},
        GPU | {"sharing": {"strategy": "TimeSlicing", "timeSlicingConfig": {"interval": "Long"}}},
        GPU
        | {
            "sharing": {
                "strategy": "MPS",
                "mpsConfig": {
                    "defaultActiveThreadPercentage": 50,
                    "defaultPinnedDeviceMemoryLimit": "10Gi",
                    "defaultPerDevicePinnedMemoryLimit": {"0": "4Gi"},
                    "multiUser": True,
                },
            }
        },
        MIG | {"sharing": {"strategy": "MPS"}},
        VFIO | {"iommu": {"backendPolicy": "LegacyOnly", "enableAPIDevice": True}},
    ],
)
def test_what_the_driver_accepts(parameters):
    assert found(parameters) == []


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        (GPU | {"share": {}}, ("unknown-field", ("share",), "share")),
        (
            GPU | {"sharing": {"strategy": "MPS", "mpsConfig": {"maxClients": 4}}},
            ("unknown-field", ("sharing", "mpsConfig", "maxClients"), "maxClients"),
        ),
        (
            MIG | {"sharing": {"strategy": "TimeSlicing", "timeSlicingConfig": {"interval": "Long"}}},
            ("unknown-field", ("sharing", "timeSlicingConfig"), "timeSlicingConfig"),
        ),
        (GPU | {"sharing": {"strategy": "mps"}}, ("value", ("sharing", "strategy"), "mps")),
        (GPU | {"sharing": {}}, ("missing", ("sharing",), "strategy")),
        (
            GPU | {"sharing": {"strategy": "TimeSlicing", "timeSlicingConfig": {}}},
            ("missing", ("sharing", "timeSlicingConfig"), "interval"),
        ),
        (GPU | {"sharing": "MPS"}, ("wrong-type", ("sharing",), "sharing")),
        (GPU | {"kind": "GpuClaimParameters"}, ("unknown-kind", ("kind",), "GpuClaimParameters")),
        ({"kind": "GpuConfig"}, ("missing", (), "apiVersion")),
        ({"apiVersion": "resource.nvidia.com/v1beta1"}, ("missing", (), "kind")),
        (
            GPU | {"apiVersion": "gpu.resource.nvidia.com/v1alpha1"},
            ("api-version", ("apiVersion",), "gpu.resource.nvidia.com/v1alpha1"),
        ),
    ],
)
def test_what_the_driver_refuses(parameters, expected):
    assert found(parameters) == [expected]


def test_fields_come_with_their_release():
    multi_user = GPU | {"sharing": {"strategy": "MPS", "mpsConfig": {"multiUser": True}}}
    (problem,) = problems(multi_user, "gpu.nvidia.com", "0.4.1")
    assert (problem.what, problem.name, problem.since) == ("later-field", "multiUser", (0, 5, 0))
    assert found(multi_user, version="0.5.0") == []
    iommu = VFIO | {"iommu": {"backendPolicy": "LegacyOnly"}}
    assert found(iommu, version="25.12.0") == [("later-field", ("iommu",), "iommu")]
    assert found(iommu, version="0.4.0") == []


def test_each_driver_reads_only_its_own_configs():
    assert found({"kind": "Anything"}, driver="gpu.example.com") == []
    assert found(CHANNEL | {"domainID": "x"}, driver="compute-domain.nvidia.com") == []
    assert found(CHANNEL, driver="compute-domain.nvidia.com") == [("missing", (), "domainID")]


def test_data_and_schemas_fit_together():
    files = os.listdir(os.path.join(directory("schemas"), "nvidia"))
    assert set(files) == {f"{kind}.schema.json" for kind in (*config_kinds(), "ComputeDomain")}
    for name in files:
        with open(os.path.join(directory("schemas"), "nvidia", name), encoding="utf-8") as file:
            Draft202012Validator.check_schema(json.load(file))
    assert {each.gate for each in strategies().values()} <= set(driver_gates())
    assert "multiUser" in json.dumps(schema("GpuConfig", "0.5.0"))
    assert "multiUser" not in json.dumps(schema("GpuConfig", "0.4.1"))
