"""Each label with the selector that says the same."""

from __future__ import annotations

import pytest

from dralint.nvidia.accelerators import gfd_product
from dralint.nvidia.cards import cards
from tests.convert.translate.asking import GPU, SLICE, left, mig, moved, reasons, selectors, short
from tests.convert.translate.gfd import compiled

A100 = "NVIDIA-A100-SXM4-40GB"


@pytest.mark.parametrize(
    ("demand", "expected"),
    [
        ("gpu.product In NVIDIA-H200-NVL", "A.productName == 'NVIDIA H200 NVL'"),
        ("gpu.product In NVIDIA-L4 NVIDIA-L40S", "A.productName in ['NVIDIA L4', 'NVIDIA L40S']"),
        ("gpu.product NotIn NVIDIA-L4", "A.productName != 'NVIDIA L4'"),
        ("gpu.product NotIn NVIDIA-L4 Tesla-T4", "!(A.productName in ['NVIDIA L4', 'Tesla T4'])"),
        # Not in the catalogue: the spelling of labels on both sides.
        ("gpu.product In NVIDIA-X-9", "A.productName.replace(' ', '-') == 'NVIDIA-X-9'"),
        (
            "gpu.product NotIn NVIDIA-X-9 NVIDIA-L4",
            "!(A.productName.replace(' ', '-') in ['NVIDIA-X-9', 'NVIDIA-L4'])",
        ),
        ("gpu.product In NVIDIA-L4-SHARED", "A.productName == 'NVIDIA L4'"),
        ("gpu.product In NVIDIA-L4 NVIDIA-L4-SHARED", "A.productName == 'NVIDIA L4'"),
        ("gpu.family In ampere", "A.architecture == 'Ampere'"),
        ("gpu.family In ada-lovelace hopper", "A.architecture in ['Ada Lovelace', 'Hopper']"),
        ("gpu.family NotIn volta", "A.architecture != 'Volta'"),
        # No DRA driver runs on these.
        ("gpu.family In fermi kepler", "A.architecture == 'Kepler'"),
        (
            "gpu.memory In 81559",
            "has(C.memory) && C.memory.compareTo(quantity('81559Mi')) >= 0 && C.memory.isLessThan(quantity('81560Mi'))",
        ),
        ("gpu.memory Gt 40000", "has(C.memory) && C.memory.compareTo(quantity('40001Mi')) >= 0"),
        ("gpu.memory Lt 40000", "has(C.memory) && C.memory.isLessThan(quantity('40000Mi'))"),
        ("gpu.memory Exists", "has(C.memory)"),
        (
            "gpu.memory NotIn 15360",
            "!(has(C.memory) && C.memory.compareTo(quantity('15360Mi')) >= 0 && C.memory.isLessThan(quantity('15361Mi')))",
        ),
        ("gpu.compute.major In 8", "A.cudaComputeCapability.major() == 8"),
        ("gpu.compute.major In 8 9", "A.cudaComputeCapability.major() in [8, 9]"),
        ("gpu.compute.major Gt 7", "A.cudaComputeCapability.major() > 7"),
        ("gpu.compute.minor NotIn 0", "A.cudaComputeCapability.minor() != 0"),
        ("cuda.driver-version.full In 550.54.02", "A.driverVersion.compareTo(semver('550.54.2')) == 0"),
        ("cuda.driver-version.full In 384.81", "A.driverVersion.compareTo(semver('384.81.0')) == 0"),
        ("cuda.driver-version.full NotIn 550.54.02", "A.driverVersion.compareTo(semver('550.54.2')) != 0"),
        ("cuda.driver-version.major Gt 579", "A.driverVersion.major() > 579"),
        ("cuda.driver-version.revision In 02", "A.driverVersion.patch() == 2"),
        ("cuda.driver.rev In 05", "A.driverVersion.patch() == 5"),
        ("cuda.runtime-version.full In 12.4", "A.cudaDriverVersion.compareTo(semver('12.4.0')) == 0"),
        ("cuda.runtime.major Lt 13", "A.cudaDriverVersion.major() < 13"),
    ],
)
def test_of_a_whole_gpu(demand, expected):
    assert selectors(demand) == [expected]
    assert left(moved(demand)) == ([], None)


@pytest.mark.parametrize(
    ("demand", "expected"),
    [
        (
            f"gpu.product In {A100}-MIG-1g.5gb",
            "A.productName == 'NVIDIA A100-SXM4-40GB' && A.profile == '1g.5gb'",
        ),
        (
            f"gpu.product In {A100}-MIG-1g.10gb.me-SHARED",
            "A.productName == 'NVIDIA A100-SXM4-40GB' && A.profile == '1g.10gb+me'",
        ),
        (
            f"gpu.product In {A100}-MIG-1g.5gb {A100}-MIG-2g.10gb",
            "A.productName == 'NVIDIA A100-SXM4-40GB' && A.profile in ['1g.5gb', '2g.10gb']",
        ),
        (
            f"gpu.product NotIn {A100}-MIG-1g.5gb NVIDIA-A30-MIG-1g.6gb",
            "!((A.productName == 'NVIDIA A100-SXM4-40GB' && A.profile == '1g.5gb') || (A.productName == 'NVIDIA A30' && A.profile == '1g.6gb'))",
        ),
        (
            "gpu.memory In 4864",
            "C.memory.compareTo(quantity('4864Mi')) >= 0 && C.memory.isLessThan(quantity('4865Mi'))",
        ),
        ("gpu.multiprocessors In 14", "C.multiprocessors.asInteger() == 14"),
        ("gpu.slices.gi Gt 1", "int(A.profile.split('g')[0]) > 1"),
        ("gpu.slices.ci In 1 2", "int(A.profile.split('g')[0]) in [1, 2]"),
        ("gpu.engines.copy In 1", "C.copyEngines.asInteger() == 1"),
        ("gpu.engines.jpeg NotIn 0", "C.jpegEngines.asInteger() != 0"),
    ],
)
def test_of_a_slice_by_strategy_single(demand, expected):
    assert selectors(demand, asked=(SLICE,)) == [expected]


@pytest.mark.parametrize(
    ("demand", "expected"),
    [
        (f"gpu.product In {A100}", "A.productName == 'NVIDIA A100-SXM4-40GB'"),
        (f"mig-1g.10gb.me.product In {A100}-MIG-1g.10gb.me", "A.productName == 'NVIDIA A100-SXM4-40GB'"),
        ("mig-1g.10gb.me.memory Lt 9857", "C.memory.isLessThan(quantity('9857Mi'))"),
        ("mig-1g.10gb.me.multiprocessors Gt 13", "C.multiprocessors.asInteger() > 13"),
        ("mig-1g.10gb.me.slices.gi In 1", "int(A.profile.split('g')[0]) == 1"),
        ("mig-1g.10gb.me.engines.ofa In 1", "C.ofaEngines.asInteger() == 1"),
        ("gpu.family In ampere", "A.architecture == 'Ampere'"),
    ],
)
def test_of_a_mig_resource(demand, expected):
    assert selectors(demand, asked=(mig("1g.10gb+me"),)) == [expected]


def test_numbers_that_make_a_version():
    assert selectors("gpu.compute.minor In 6", "gpu.compute.major In 8") == [
        "A.cudaComputeCapability.compareTo(semver('8.6.0')) == 0"
    ]
    driver = ["cuda.driver-version.major In 550", "cuda.driver-version.minor In 54"]
    assert selectors(*driver) == ["A.driverVersion.major() == 550", "A.driverVersion.minor() == 54"]
    assert selectors(*driver, "cuda.driver-version.revision In 02") == [
        "A.driverVersion.compareTo(semver('550.54.2')) == 0"
    ]
    assert selectors("cuda.runtime.major In 12", "cuda.runtime.minor In 4") == [
        "A.cudaDriverVersion.compareTo(semver('12.4.0')) == 0"
    ]


@pytest.mark.parametrize("other", ["gpu.compute.major In 9", "gpu.compute.major In 8 9"])
def test_numbers_that_make_none(other):
    found = selectors("gpu.compute.major In 8", other, "gpu.compute.minor In 0")
    assert ("A.cudaComputeCapability.compareTo(semver('8.0.0')) == 0" in found) == (" 8 9" in other)
    # What contradicts stays a contradiction.
    assert all("== 0" not in text or "8.0.0" in text or "minor" in text for text in found)


def test_selectors_stand_in_the_order_of_the_table():
    one = selectors("gpu.memory Gt 40000", "gpu.product In NVIDIA-L40S")
    assert one == selectors("gpu.product In NVIDIA-L40S", "gpu.memory Gt 40000")
    assert one[0].startswith("A.productName")


@pytest.mark.parametrize(
    ("demand", "asked"),
    [
        ("gpu.present In true", GPU),
        ("gpu.present Exists", mig("1g.5gb")),
        ("gpu.present NotIn false", GPU),
        ("gpu.product Exists", GPU),
        ("gpu.count Exists", GPU),
        ("gpu.count Gt 0", GPU),
        ("mig-1g.5gb.count Gt 0", mig("1g.5gb")),
        ("mig-1g.5gb.memory Exists", mig("1g.5gb")),
        ("mig.capable In true", mig("1g.5gb")),
        ("mig.strategy In mixed", mig("1g.5gb")),
        ("mig.strategy In mixed", GPU),
        ("mig.strategy In single", SLICE),
        ("gpu.replicas In 1", GPU),
        ("gpu.replicas Gt 1", GPU),
        ("gpu.sharing-strategy In none", GPU),
        ("mig-1g.5gb.replicas In 1", mig("1g.5gb")),
        ("mps.capable In false", GPU),
        ("gfd.timestamp Exists", GPU),
        ("gpu.product NotIn NVIDIA-L4-SHARED", GPU),
        (f"gpu.product NotIn {A100}-MIG-1g.5gb", GPU),
        ("gpu.family NotIn undefined", GPU),
        ("gpu.compute.major NotIn 08", GPU),
    ],
)
def test_what_a_claim_says_anyway(demand, asked):
    found = moved(demand, asked=(asked,))
    assert found.selectors == ((),)
    assert left(found) == ([], None)
    assert [each.selects for each in found.moved] == [False]
    assert found.moved[0].why


def test_a_count_of_devices_below_the_pods_own():
    assert left(moved("gpu.count Gt 7", devices=8)) == ([], None)
    assert left(moved("gpu.count Gt 7", devices=7)) == (["nvidia.com/gpu.count"], None)


@pytest.mark.parametrize(
    ("demand", "asked"),
    [
        ("gpu.count In 8", GPU),
        ("gpu.count Exists", mig("1g.5gb")),
        ("gpu.memory In 40960", mig("1g.5gb")),
        ("gpu.machine In DGX-A100", GPU),
        ("gpu.mode In compute", GPU),
        ("gpu.clique Exists", GPU),
        ("mig.capable In true", GPU),
        ("mig-2g.10gb.count Exists", mig("1g.5gb")),
        ("mig-1g.5gb.count Gt 0", GPU),
        ("mig-1g.5gb.shared.count Gt 0", mig("1g.5gb")),
        ("gpu.multiprocessors In 14", GPU),
        ("vgpu.present In true", GPU),
        ("vgpu.host-driver-version In 17.0", GPU),
        ("vgpu.host-driver-branch In r550", GPU),
        ("gpu.deploy.driver In true", GPU),
        ("gpu.workload.config In container", GPU),
        ("gpu-driver-upgrade-state In upgrade-done", GPU),
        ("mig.config In all-disabled", GPU),
        ("mig.config.state In success", GPU),
        ("device-plugin.config In a", GPU),
        ("never.seen In a", GPU),
        ("cloud.google.com/gke-accelerator In nvidia-l4", GPU),
        ("cloud.google.com/gke-accelerator-count In 8", GPU),
        ("karpenter.k8s.aws/instance-gpu-memory Gt 20000", GPU),
        ("node.kubernetes.io/instance-type In g5.xlarge", GPU),
        ("gpu.product DoesNotExist", GPU),
        ("gpu.replicas DoesNotExist", GPU),
        ("gpu.product Gt 5", GPU),
        ("cuda.driver-version.full Gt 550", GPU),
        ("gpu.compute.major Gt x", GPU),
        ("gpu.present In false", GPU),
        ("gpu.family In undefined", GPU),
        ("gpu.compute.major In 08 x", GPU),
        (f"gpu.product In {A100}-MIG-1g.5gb", GPU),
        (f"gpu.product In {A100}-MIG-INVALID", SLICE),
        (f"gpu.product In {A100}-MIG-9z", SLICE),
        (f"mig-1g.5gb.product In {A100}-MIG-2g.10gb", mig("1g.5gb")),
        ("gpu.product In it's", GPU),
    ],
)
def test_what_stays_with_a_reason(demand, asked):
    found = moved(demand, asked=(asked,))
    assert found.selectors == ((),)
    assert found.moved == ()
    assert len(left(found)[0]) == len(reasons(found)) == 1
    assert reasons(found)[0]


@pytest.mark.parametrize(
    "demand",
    [".zone In a", "topology.kubernetes.io/zone In a", "feature.node.kubernetes.io/pci-10de.present In true"],
)
def test_what_stays_without_a_word(demand):
    found = moved(demand)
    assert len(left(found)[0]) == 1
    assert reasons(found) == []


def test_memory_of_whole_gpus_under_dynamic_mig():
    found = moved("gpu.memory In 81559", gates=["driver:DynamicMIG=true"])
    assert found.selectors == ((),)
    assert "DynamicMIG" in reasons(found)[0]


@pytest.mark.parametrize("card", [card for card in cards() if card.aliases], ids=lambda card: card.name)
def test_names_that_older_drivers_gave(card):
    for alias in card.aliases:
        found = moved(f"gpu.product In {gfd_product(alias)}")
        assert [short(each) for each in found.selectors[0]] == [f"A.productName == '{card.name}'"]
        assert "older GPU drivers" in found.moved[0].why


def test_memory_that_older_drivers_showed():
    found = moved("gpu.memory In 81251")
    assert [short(each) for each in found.selectors[0]] == ["A.productName == 'NVIDIA A100-SXM4-80GB'"]
    assert "too old" in found.moved[0].why
    # With such a driver the card shows it still.
    assert selectors("gpu.memory In 81251", gpu_driver="470")[0].startswith("has(C.memory)")
    # The other is on today's cards.
    both = selectors("gpu.memory In 81251 81559")
    size = "C.memory.compareTo(quantity('81559Mi')) >= 0 && C.memory.isLessThan(quantity('81560Mi'))"
    assert both == [f"(has(C.memory) && {size}) || A.productName == 'NVIDIA A100-SXM4-80GB'"]


def test_long_lists_and_many_demands():
    many = " ".join(f"NVIDIA-X-{number}" for number in range(600))
    (text,) = moved(f"gpu.product In {many}").selectors[0]
    assert compiled(text).cost < 10_000
    too_many = " ".join(f"NVIDIA-X-{number}" for number in range(5000))
    found = moved(f"gpu.product In {too_many}", "gpu.family In ampere")
    assert found.selectors == ((),)
    assert len(found.left.selector) == 2
    assert "longer than Kubernetes takes" in reasons(found)[0]


def test_more_selectors_than_a_request_can_have():
    (found,) = moved(*(f"gpu.compute.major NotIn {number}" for number in range(40, 80))).selectors
    assert len(found) == 1
    assert found[0].count(" && ") == 39
    compiled(found[0])
