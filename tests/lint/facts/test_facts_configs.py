"""Facts of opaque configs and of the gates they need."""

from __future__ import annotations

import pytest

CLAIM = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: x}
spec:
  devices:
    requests:
    - {name: card, exactly: {deviceClassName: gpu.nvidia.com}}
    - {name: slice, exactly: {deviceClassName: mig.nvidia.com}}
    - {name: own, exactly: {deviceClassName: unknown}}
    - {name: either, firstAvailable: [{name: a, deviceClassName: gpu.nvidia.com}]}
    config:
"""


def config(requests=None, kind="GpuConfig", sharing="{}", driver="gpu.nvidia.com"):
    named = f"requests: {requests}, " if requests else ""
    return f"""\
    - {{{named}opaque: {{driver: {driver}, parameters: {{apiVersion: resource.nvidia.com/v1beta1,
        kind: {kind}, sharing: {sharing}}}}}}}
"""


@pytest.mark.parametrize(
    ("requests", "types", "known", "right"),
    [
        ("[card]", ["gpu"], True, "GpuConfig"),
        ("[slice]", ["mig"], True, "MigDeviceConfig"),
        ("[card, slice]", ["gpu", "mig"], True, None),
        ("[own]", [], False, None),
        ("[either/a]", ["gpu"], True, "GpuConfig"),
        (None, ["gpu", "mig"], False, None),
    ],
)
def test_which_devices_a_config_is_for(facts, requests, types, known, right):
    (found,) = facts("config", CLAIM + config(requests))
    assert found.facts["target_types"] == types
    assert found.facts["target_types_known"] is known
    assert found.facts["right_kind"] == right


@pytest.mark.parametrize(
    ("kind", "sharing", "foreign"),
    [
        ("GpuConfig", "{strategy: MPS, timeSlicingConfig: {}}", ["timeSlicingConfig"]),
        ("GpuConfig", "{strategy: TimeSlicing, mpsConfig: {}}", ["mpsConfig"]),
        ("GpuConfig", "{strategy: TimeSlicing, timeSlicingConfig: {}}", []),
        ("GpuConfig", "{strategy: mps, timeSlicingConfig: {}}", []),
        # No field of this kind at all: that is another mistake.
        ("MigDeviceConfig", "{strategy: MPS, timeSlicingConfig: {}}", []),
    ],
)
def test_blocks_of_another_strategy(facts, kind, sharing, foreign):
    (found,) = facts("config", CLAIM + config(kind=kind, sharing=sharing))
    assert found.facts["foreign_blocks"] == foreign


def test_a_gate_is_told_once_at_the_first_config_that_applies(facts):
    mps = "{strategy: MPS}"
    text = (
        CLAIM + config("[slice]", sharing=mps) + config("[card]", sharing=mps) + config("[own]", sharing=mps)
    )
    (found,) = facts("gate_use", text)
    assert found.facts["gate"] == "MPSSupport"
    assert (found.facts["uses"], found.facts["applies"]) == (3, True)
    assert found.path[:4] == ("spec", "devices", "config", 1)
    (found,) = facts("gate_use", CLAIM + config("[slice]", sharing=mps))
    assert found.facts["applies"] is False


@pytest.mark.parametrize(
    ("target", "on", "default", "known"),
    [
        ({}, False, False, False),
        ({"gates": ["MPSSupport=true"]}, True, False, True),
        ({"gates": ["MPSSupport=false"]}, False, False, True),
        ({"dra_driver": "25.3.2"}, None, None, False),
    ],
)
def test_the_state_of_a_gate_at_the_target(facts, target, on, default, known):
    (found,) = facts("gate_use", CLAIM + config(sharing="{strategy: MPS}"), **target)
    assert (found.facts["on"], found.facts["default"], found.facts["set"]) == (on, default, known)


def test_other_drivers_and_strategies_need_no_gate(facts):
    others = config(sharing="{strategy: mps}") + config(sharing="{strategy: MPS}", driver="gpu.example.com")
    assert facts("gate_use", CLAIM + others) == []
