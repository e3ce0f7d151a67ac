"""The target: versions, gates and stack from options."""

import pytest

from dralint.errors import UsageError
from dralint.kube import versions
from dralint.nvidia.gates import newest_release
from dralint.nvidia.target import make_target


def test_the_default_is_the_newest_of_everything_and_says_so():
    target = make_target()
    assert target.kubernetes == versions.newest()
    assert target.dra_driver == newest_release() == "0.5.1"
    assert (target.stack, target.gpu_driver, dict(target.gates)) == ("unknown", None, {})
    assert target.assumptions() == [
        f"Kubernetes {versions.newest()}, the newest release known",
        "DRA driver 0.5.1, the newest release known",
        "who installs the driver is unknown",
        "feature gates at their defaults",
    ]


def test_what_was_said_is_not_assumed():
    target = make_target("1.36", "v0.4.1", "580", "operator", ["driver:MPSSupport=true"])
    assert (str(target.kubernetes), target.dra_driver, target.gpu_driver) == ("1.36", "0.4.1", "580")
    assert target.assumptions() == []


def test_a_release_of_the_future_is_taken_to_be_like_the_newest():
    assert make_target("1.99").assumptions()[0].startswith("Kubernetes 1.99 is like ")


def test_gates_have_the_defaults_of_the_versions():
    target = make_target("1.35", "0.4.1")
    assert target.kubernetes_gate("DRAExtendedResource") is False
    assert target.kubernetes_gate("DRAAdminAccess") is True
    assert target.kubernetes_gate("DRAFractionalCapacityRange") is None
    assert target.driver_gate("MPSSupport") is False
    assert target.driver_gate("ComputeDomainCliques") is True
    assert target.driver_gate("ConsumableShares") is None
    assert target.driver_gate("NoSuchGate") is None


def test_gates_are_set_for_the_component_that_has_them():
    target = make_target("1.36", "0.5.1", gates=["MPSSupport=true", "DRAExtendedResource=false"])
    assert dict(target.gates) == {"driver:MPSSupport": True, "kubernetes:DRAExtendedResource": False}
    assert target.driver_gate("MPSSupport") is True
    assert target.gate_set("driver", "MPSSupport")
    assert not target.gate_set("driver", "TimeSlicingSettings")
    assert target.kubernetes_gate("DRAExtendedResource") is False


def test_a_bare_name_that_both_have_means_both():
    both = make_target("1.36", "0.5.1", gates=["DRAListTypeAttributes=true"])
    assert dict(both.gates) == {
        "kubernetes:DRAListTypeAttributes": True,
        "driver:DRAListTypeAttributes": True,
    }
    only_kubernetes = make_target("1.36", "0.4.1", gates=["DRAListTypeAttributes=true"])
    assert dict(only_kubernetes.gates) == {"kubernetes:DRAListTypeAttributes": True}
    driver = make_target("1.36", "0.5.1", gates=["driver:DRAListTypeAttributes=true"])
    assert dict(driver.gates) == {"driver:DRAListTypeAttributes": True}


def test_all_alpha_means_every_gate_of_that_stage_that_is_not_set_itself():
    target = make_target("1.35", "0.5.1", gates=["driver:AllAlpha=true", "MPSSupport=false"])
    assert target.driver_gate("TimeSlicingSettings") is True
    assert target.driver_gate("MPSSupport") is False
    assert target.kubernetes_gate("DRAExtendedResource") is False
    assert make_target("1.35", gates=["AllAlpha=true"]).kubernetes_gate("DRAExtendedResource") is True


def test_the_last_setting_of_a_gate_counts():
    target = make_target(gates=["MPSSupport=true", "driver:MPSSupport=False"])
    assert target.driver_gate("MPSSupport") is False


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"kubernetes": "newest"}, "no version of Kubernetes"),
        ({"dra_driver": "newest"}, "no version of the DRA driver"),
        ({"dra_driver": "25.9.0"}, "no release 25.9.0"),
        ({"gpu_driver": "R580"}, "no GPU driver version"),
        ({"stack": "helm"}, "no stack 'helm'"),
        ({"gates": ["MPSSupport"]}, "cannot be read"),
        ({"gates": ["MPSSupport=on"]}, "neither true nor false"),
        ({"gates": ["cluster:MPSSupport=true"]}, "cannot be read"),
        ({"gates": ["MpsSuport=true"]}, "did you mean MPSSupport?"),
        ({"gates": ["kubernetes:MPSSupport=true"]}, "Kubernetes has no gate MPSSupport"),
        ({"gates": ["driver:DRAExtendedResource=true"]}, "the DRA driver has no gate DRAExtendedResource"),
        ({"gates": ["ConsumableShares=true"], "dra_driver": "0.4.1"}, "0.4.1 has no gate ConsumableShares"),
        (
            {"gates": ["DynamicResourceAllocation=false"], "kubernetes": "1.36"},
            "does not let DynamicResourceAllocation be turned off",
        ),
    ],
)
def test_what_cannot_be_is_refused(arguments, said):
    with pytest.raises(UsageError) as error:
        make_target(**arguments)
    assert said in str(error.value)
