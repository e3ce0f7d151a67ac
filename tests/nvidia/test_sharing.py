"""How the DRA driver shares a device."""

from __future__ import annotations

import pytest

from dralint.nvidia.configs import problems
from dralint.nvidia.sharing import gpu_config, shares, strategy_of


@pytest.mark.parametrize("way", ["timeSlicing", "mps"])
@pytest.mark.parametrize("replicas", [2, 3, 48, 1000])
def test_the_driver_takes_the_configuration(way, replicas):
    config = gpu_config(strategy_of(way), replicas)
    assert problems(config, "gpu.nvidia.com", "0.5.1") == []
    percentage = config["sharing"].get("mpsConfig", {}).get("defaultActiveThreadPercentage", 1)
    assert 1 <= percentage <= 100


def test_shares():
    assert shares().kubernetes_gate == "DRAConsumableCapacity"
