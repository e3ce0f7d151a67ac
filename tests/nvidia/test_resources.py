"""Resource names that ask for GPUs."""

import pytest

from dralint.nvidia.resources import GpuResource, classify, profile_resource


@pytest.mark.parametrize(
    ("name", "base", "profile", "shared"),
    [
        ("nvidia.com/gpu", "gpu", None, False),
        ("nvidia.com/gpu.shared", "gpu", None, True),
        ("nvidia.com/mig-1g.10gb", "mig", "1g.10gb", False),
        ("nvidia.com/mig-1g.10gb.me", "mig", "1g.10gb+me", False),
        ("nvidia.com/mig-1g.5gb.me.all", "mig", "1g.5gb+me.all", False),
        ("nvidia.com/mig-1g.6gb.gfx", "mig", "1g.6gb+gfx", False),
        ("nvidia.com/mig-1g.10gb-me", "mig", "1g.10gb-me", False),
        ("nvidia.com/mig-1g.10gb.me.shared", "mig", "1g.10gb+me", True),
        ("nvidia.com/mig-7g.141gb", "mig", "7g.141gb", False),
        ("nvidia.com/pgpu", "pgpu", None, False),
        ("nvidia.com/gpumem", "gpumem", None, False),
        ("nvidia.com/gpumem-percentage", "gpumem", None, False),
        ("nvidia.com/gpucores", "gpucores", None, False),
    ],
)
def test_what_a_name_asks_for(name, base, profile, shared):
    assert classify(name) == GpuResource(name, base, profile, shared)


@pytest.mark.parametrize(
    "name",
    ["nvidia.com/mig-1c.2g.10gb", "nvidia.com/mig-{{ .Values.profile }}", "nvidia.com/mig-1g.10GB"],
)
def test_a_profile_that_is_never_advertised_is_not_guessed(name):
    assert classify(name) == GpuResource(name, "mig", None, False)


@pytest.mark.parametrize(
    "name",
    [
        "cpu",
        "gpu",
        "amd.com/gpu",
        "nvidia.com/",
        "nvidia.com/mig-",
        "nvidia.com/gpu.product",
        "nvidia.com/GPU",
        "nvidia.com/hostdev",
        "requests.nvidia.com/gpu",
        "gpu.nvidia.com/gpu",
        "",
    ],
)
def test_other_names_are_no_gpus(name):
    assert classify(name) is None


@pytest.mark.parametrize("profile", ["1g.10gb", "1g.10gb+me", "1g.5gb+me.all", "1g.6gb+gfx", "1g.10gb-me"])
def test_a_profile_and_its_resource_name_lead_to_each_other(profile):
    name = profile_resource(profile)
    assert name is not None
    assert classify(name).profile == profile


@pytest.mark.parametrize("profile", ["1c.2g.10gb", "1g.10gb.me", "A100", ""])
def test_what_is_no_profile_has_no_resource_name(profile):
    assert profile_resource(profile) is None
