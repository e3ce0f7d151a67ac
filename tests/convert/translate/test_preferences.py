"""Preferred labels as alternatives of a request."""

from __future__ import annotations

import pytest

from tests.convert.translate.asking import GPU, mig, moved, reasons, short
from tests.convert.translate.gfd import compiled

L4, L40S, BIG = "gpu.product In NVIDIA-L4", "gpu.product In NVIDIA-L40S", "gpu.compute.major Gt 8"
ONE, TWO, THREE = (
    "A.productName == 'NVIDIA L4'",
    "A.productName == 'NVIDIA L40S'",
    "A.cudaComputeCapability.major() > 8",
)


def alternatives(*preferred, weights=()):
    found = moved(preferred=preferred, weights=weights, first_available=True)
    ((*texts, last),) = found.alternatives
    assert last == ""
    assert found.left.preferred == ()
    assert found.kept == ()
    for text in texts:
        compiled(text)
    return [short(text) for text in texts]


def test_one():
    assert alternatives((L4,)) == [ONE]
    assert alternatives((L4, BIG)) == [f"{ONE} && {THREE}"]


def test_what_excludes_each_other_is_not_together():
    assert alternatives((L4,), (L40S,), weights=(1, 5)) == [TWO, ONE]
    assert alternatives((L4,), (L40S,), weights=(5, 1)) == [ONE, TWO]


def test_what_can_be_together_counts_together():
    assert alternatives((L4,), (BIG,), weights=(1, 2)) == [f"{ONE} && {THREE}", THREE, ONE]
    three = alternatives((L4,), (BIG,), (L40S,), weights=(4, 2, 1))
    assert three == [f"{ONE} && {THREE}", ONE, f"{TWO} && {THREE}", THREE, TWO]


def test_what_a_claim_says_anyway_is_no_alternative():
    found = moved(preferred=(("gpu.present In true",),), first_available=True)
    assert found.alternatives == ((),)
    assert found.left.preferred == ()
    assert len(found.moved) == 1


@pytest.mark.parametrize(
    "preferred", [(L4, ".zone In a"), (".zone In a",), ("gpu.count In 8",)], ids=["both", "node", "count"]
)
def test_what_is_not_about_devices_alone_stays(preferred):
    found = moved(preferred=(preferred,), first_available=True)
    assert found.alternatives == ((),)
    assert len(found.left.preferred) == 1
    assert len(reasons(found)) == (preferred != (".zone In a",))


def test_more_than_a_request_can_have():
    sizes = tuple((f"gpu.memory Gt {size}",) for size in (1, 2, 3, 4))
    found = moved(preferred=sizes, first_available=True)
    assert (found.alternatives, len(found.left.preferred)) == (((),), 4)
    assert all("8 alternatives" in each for each in reasons(found))
    many = tuple((f"gpu.compute.minor In {number}",) for number in range(8))
    assert moved(preferred=many, first_available=True).alternatives == ((),)
    assert len(moved(preferred=many[:7], first_available=True).alternatives[0]) == 8


def test_the_resource_whose_claim_can_say_it():
    found = moved(preferred=(("mig-1g.5gb.memory Gt 1",),), asked=(GPU, mig("1g.5gb")), first_available=True)
    assert [len(each) for each in found.alternatives] == [0, 2]
