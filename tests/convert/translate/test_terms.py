"""Terms of a required node affinity: alternatives, of which one node fits one."""

from __future__ import annotations

import pytest

from tests.convert.translate.asking import GPU, left, mig, moved, reasons, selectors, short, term

L4, L40S = "gpu.product In NVIDIA-L4", "gpu.product In NVIDIA-L40S"
ONE, TWO = "A.productName == 'NVIDIA L4'", "A.productName == 'NVIDIA L40S'"
BIG = "gpu.compute.major Gt 8"
ZONE = ".zone In a"


def test_one_term_is_like_a_node_selector():
    found = moved(L4, terms=(term(BIG, ZONE),))
    assert [short(each) for each in found.selectors[0]] == [ONE, "A.cudaComputeCapability.major() > 8"]
    assert left(found) == ([], [["zone"]])


def test_nothing_left_is_no_affinity():
    assert left(moved(terms=(term(L4),))) == ([], None)


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ((term(L4), term(L40S)), ["A.productName in ['NVIDIA L4', 'NVIDIA L40S']"]),
        ((term(L4), term(BIG)), [f"{ONE} || A.cudaComputeCapability.major() > 8"]),
        ((term(L4, BIG), term(L40S)), [f"({ONE} && A.cudaComputeCapability.major() > 8) || {TWO}"]),
        ((term(L4), term(L4)), [ONE]),
        # An empty term fits no node.
        ((term(), term(L4)), [ONE]),
        # One that every node with the device fits.
        ((term("gpu.present In true"), term(L4)), []),
    ],
)
def test_terms_about_devices_only(terms, expected):
    assert selectors(terms=terms) == expected
    assert left(moved(terms=terms)) == ([], None)


def test_terms_that_ask_for_the_same_of_the_node():
    found = moved(terms=(term(L4, ZONE), term(ZONE, L40S)))
    assert [short(each) for each in found.selectors[0]] == ["A.productName in ['NVIDIA L4', 'NVIDIA L40S']"]
    assert left(found) == ([], [["zone"]])


def test_fields_of_the_node_stay():
    fields = [{"key": "metadata.name", "operator": "In", "values": ["a"]}]
    found = moved(terms=(term(L4, fields=fields), term(L40S, fields=fields)))
    assert len(found.selectors[0]) == 1
    assert found.left.terms is not None
    assert [each.others for each in found.left.terms] == [({"matchFields": fields},)]
    other = moved(terms=(term(L4, fields=fields), term(L40S)))
    assert other.selectors == ((),)
    assert len(other.left.terms or ()) == 2


def test_terms_that_differ_in_more_than_devices():
    found = moved(terms=(term(L4, ZONE), term(L40S)))
    assert found.selectors == ((),)
    assert left(found) == ([], [["nvidia.com/gpu.product", "zone"], ["nvidia.com/gpu.product"]])
    assert ["differ in more than devices" in each for each in reasons(found)] == [True, True]


def test_what_all_terms_ask_for_moves():
    found = moved(terms=(term(BIG, L4, ZONE), term(L40S, BIG)))
    assert [short(each) for each in found.selectors[0]] == ["A.cudaComputeCapability.major() > 8"]
    assert left(found) == ([], [["nvidia.com/gpu.product", "zone"], ["nvidia.com/gpu.product"]])


def test_a_term_of_what_all_ask_for_makes_the_others_needless():
    found = moved(terms=(term(L4), term(L4, ZONE)))
    assert [short(each) for each in found.selectors[0]] == [ONE]
    assert left(found) == ([], None)


def test_terms_about_no_device_stay():
    found = moved(terms=(term(ZONE), term(".zone In b")))
    assert (found.selectors, found.moved, found.kept) == (((),), (), ())
    assert left(found) == ([], [["zone"], ["zone"]])


def test_two_kinds_of_devices_on_one_node():
    slice_ = mig("1g.5gb")
    found = moved("gpu.memory Gt 1", "mig-1g.5gb.memory In 4864", "gpu.family In ampere", asked=(GPU, slice_))
    assert [[short(text).split(".")[1] for text in each] for each in found.selectors] == [
        ["architecture == 'Ampere'", "memory) && C"],
        ["architecture == 'Ampere'", "memory"],
    ]
    assert left(found) == ([], None)
    # Each term is about another device, and no claim sees both.
    apart = moved(terms=(term("gpu.memory Gt 1"), term("mig-1g.5gb.memory In 4864")), asked=(GPU, slice_))
    assert apart.selectors == ((), ())
    assert len(apart.left.terms or ()) == 2
    # Here one of them sees all.
    together = moved(terms=(term("gpu.memory Gt 1"), term("gpu.family In ampere")), asked=(GPU, slice_))
    assert [len(each) for each in together.selectors] == [1, 0]
    assert left(together) == ([], None)


def test_preferences_are_told():
    found = moved(L4, preferred=(("gpu.memory Gt 40000", ".zone In a"),))
    assert len(found.selectors[0]) == 1
    assert ["preferred" in each for each in reasons(found)] == [True]
    assert found.left.preferred
    assert found.alternatives == ((),)
