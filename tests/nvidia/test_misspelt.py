"""Names that were meant to be those of GPUs, and names that only look like it."""

from __future__ import annotations

import pytest

from dralint.nvidia.misspelt import is_no_profile, meant, slips
from dralint.nvidia.resources import classify


@pytest.mark.parametrize(
    ("written", "right"),
    [
        *(
            (f"nvidia.com/{rest}", "nvidia.com/gpu")
            for rest in ("gppu", "gup", "gp", "gpus", "GPU", "Gpu", "gpu/")
        ),
        *(
            (f"{domain}/gpu", "nvidia.com/gpu")
            for domain in ("nvidia", "nvida.com", "NVIDIA.com", " nvidia.com")
        ),
        *((f"nvidia.com{sign}gpu", "nvidia.com/gpu") for sign in ".-_"),
        ("nvidia.com/gpu.Shared", "nvidia.com/gpu.shared"),
        ("nvidia.com/mig-1g10gb", "nvidia.com/mig-1g.10gb"),
        ("nvidia.com/MIG-1g.10gb", "nvidia.com/mig-1g.10gb"),
        ("nvidia.com/mig1g.10GB", "nvidia.com/mig-1g.10gb"),
        ("nvidia.com/mig-1g.10g", "nvidia.com/mig-1g.10gb"),
        ("nvidia.com/mig-1g.5gb+me", "nvidia.com/mig-1g.5gb.me"),
        ("nvidia/mig-1g.5gb", "nvidia.com/mig-1g.5gb"),
    ],
)
def test_what_was_meant(written, right):
    assert meant(written) == right
    known = classify(right)
    assert known is not None
    assert known.base != "mig" or known.profile


@pytest.mark.parametrize(
    "name",
    [
        *(f"nvidia.com/{rest}" for rest in ("gpu", "gpu.shared", "pgpu", "gpumem", "gpucores", "mig-1g.5gb", "mig-1g.5gb.me")),
        *(f"nvidia.com/{rest}" for rest in ("vgpu", "cpu", "GA102GL_A10", "gpu-a100", "rdma", "hostdev", "gpu-type", "")),
        *("amd.com/gpu", "gpu.nvidia.com/gpu", "nvidia.com", "gpu", "mynvidia.com/gpu", "nvidia.company/gpu"),
    ],
)  # fmt: skip
def test_what_is_right_or_of_others(name):
    assert meant(name) is None


@pytest.mark.parametrize(
    ("name", "none"),
    [
        ("nvidia.com/mig-1c.2g.10gb", True),
        ("nvidia.com/mig-1g10gb", True),
        ("nvidia.com/MIG-1g.10gb", True),
        ("nvidia.com/mig-1g.10gb.shared", False),
        ("nvidia.com/migration", False),
        ("nvidia.com/mig-strategy", False),
        ("example.com/mig-1g10gb", False),
    ],
)
def test_what_is_like_a_mig_device_and_is_none(name, none):
    assert is_no_profile(name) is none


def test_slips_are_of_one_letter():
    assert slips("gpu") == {"ggpu", "gppu", "gpuu", "pu", "gu", "gp", "pgu", "gup", "gpus"}
