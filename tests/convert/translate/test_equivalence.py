"""For every card the devices that node labels let through before are those that selectors let through after."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dralint.convert.translate.demands import Constraints, Demand, Term
from dralint.convert.translate.judge import Asked
from dralint.convert.translate.translate import translate
from dralint.nvidia.node_labels import Device
from tests.convert.translate.gfd import TARGET, Node, fits, fleet, matches

GPU, SLICE = Device("gpu"), Device("slice")
PROFILES = ["1g.5gb", "1g.10gb", "1g.10gb+me", "3g.40gb", "7g.80gb", "1g.24gb+me.all", "1g.24gb-me"]
# What says nothing of a device: dropped, and tested by itself.
DROPPED = {"nvidia.com/mig.strategy"}


def placed(constraints: Constraints) -> Constraints:
    """The same with a place for each demand, as in a file."""
    terms = constraints.terms
    return constraints._replace(
        selector=tuple(
            each._replace(path=("nodeSelector", number)) for number, each in enumerate(constraints.selector)
        ),
        terms=None
        if terms is None
        else tuple(
            term._replace(
                path=(row,),
                demands=tuple(each._replace(path=(row, n)) for n, each in enumerate(term.demands)),
            )
            for row, term in enumerate(terms)
        ),
    )


@cache
def nodes_with(asked: frozenset[Device]) -> list[Node]:
    found = [node for node in fleet() if asked <= node.devices.keys()]
    if asked == {GPU}:
        # Of the nodes with slices beside the GPU every seventh is enough.
        return [node for number, node in enumerate(found) if "mixed" not in node.name or number % 7 == 0]
    return found


def differences(constraints: Constraints, asked: Sequence[Asked]) -> list[str]:
    """The nodes whose devices are let through before and not after, or the other way round."""
    constraints = placed(constraints)
    found = translate(constraints, asked, TARGET)
    wrong = []
    for node in nodes_with(frozenset(each.device for each in asked)):
        before = fits(node.labels, constraints)
        selected = [
            matches(expression, node.devices[each.device])
            for each, expressions in zip(asked, found.selectors, strict=True)
            for expression in expressions
        ]
        if before != (all(selected) and fits(node.labels, found.left)):
            wrong.append(f"{node.name}: {before} before")
    return wrong


@cache
def written(asked: frozenset[Device]) -> dict[str, list[str]]:
    """The labels of the nodes that have such devices, with all their values."""
    found: dict[str, dict[str, None]] = {}
    for node in nodes_with(asked):
        for label, value in node.labels.items():
            found.setdefault(label, {})[value] = None
    return {label: list(values) for label, values in found.items() if label not in DROPPED}


def asked(*devices: Device, each: int = 1) -> list[Asked]:
    return [Asked(device, each) for device in devices]


def test_the_fleet_is_all_of_the_catalogue():
    assert len(nodes_with(frozenset({GPU}))) > 126
    assert len(nodes_with(frozenset({SLICE}))) > 200
    assert all(nodes_with(frozenset({Device("mig", profile)})) for profile in PROFILES)


@pytest.mark.parametrize("operator", ["In", "NotIn"])
@pytest.mark.parametrize("device", [GPU, SLICE], ids=str)
def test_every_label_with_every_value(device, operator):
    for label, values in written(frozenset({device})).items():
        # With MIG strategy single every card has a value for each profile.
        for value in values if device == GPU else values[:: 1 + len(values) // 40]:
            demand = Demand(label, operator, (value,))
            assert differences(Constraints((demand,)), asked(device)) == [], demand


@pytest.mark.parametrize("operator", ["In", "NotIn", "Gt", "Lt"])
@pytest.mark.parametrize("profile", PROFILES)
def test_every_label_of_mig_resources(profile, operator):
    device = Device("mig", profile)
    for label, values in written(frozenset({device})).items():
        for value in values[:40]:
            if operator in ("Gt", "Lt") and not value.isdigit():
                continue
            demand = Demand(label, operator, (value,))
            assert differences(Constraints((demand,)), asked(device)) == [], demand


@pytest.mark.parametrize("operator", ["Gt", "Lt"])
@pytest.mark.parametrize("device", [GPU, SLICE], ids=str)
def test_every_number(device, operator):
    for label, values in written(frozenset({device})).items():
        for value in [*values, "-1", "0", "999999999", "9999999999999999999999", "x"]:
            if value.isdigit() or label == "nvidia.com/gpu.memory":
                demand = Demand(label, operator, (value,))
                assert differences(Constraints((demand,)), asked(device)) == [], demand


@pytest.mark.parametrize("operator", ["Exists", "DoesNotExist"])
@pytest.mark.parametrize("device", [GPU, SLICE, Device("mig", "1g.10gb")], ids=str)
def test_the_label_itself(device, operator):
    for label in written(frozenset({device})):
        demand = Demand(label, operator)
        assert differences(Constraints((demand,)), asked(device)) == [], demand


# --- random combinations ---------------------------------------------------------------------------------------------

ODD = ["0", "1", "08", "x", "NVIDIA-FOO-9000", "999999", "undefined", "tesla", "580.95", "12.80", "it's", ""]


@st.composite
def demands(draw, labels):
    label = draw(st.sampled_from(sorted(labels)))
    operator = draw(
        st.sampled_from(["In", "In", "In", "NotIn", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"])
    )
    if operator in ("Exists", "DoesNotExist"):
        return Demand(label, operator)
    # Other labels' values, too: what fits no label of the kind.
    one = st.one_of(
        st.sampled_from(labels[label]),
        st.sampled_from(labels[label]),
        st.sampled_from(ODD),
        st.sampled_from(labels[draw(st.sampled_from(sorted(labels)))]),
    )
    if operator in ("Gt", "Lt"):
        return Demand(label, operator, (draw(st.one_of(one, st.integers(-5, 200_000).map(str))),))
    return Demand(label, operator, tuple(draw(st.lists(one, min_size=1, max_size=4))))


@st.composite
def constraints(draw, labels):
    demand = demands(labels)
    # Few demands to choose from, so that terms have some in common.
    pool = st.sampled_from(draw(st.lists(demand, min_size=1, max_size=4)))
    selector = draw(st.lists(demand.filter(lambda each: each.operator == "In"), max_size=3))
    terms = draw(
        st.none()
        | st.lists(
            st.builds(lambda found: Term(tuple(found)), st.lists(pool, max_size=3)), min_size=1, max_size=4
        )
    )
    return Constraints(
        tuple(each._replace(values=each.values[:1]) for each in selector),
        None if terms is None else tuple(terms),
    )


ASKED = st.one_of(
    st.just([GPU]),
    st.just([SLICE]),
    st.sampled_from(PROFILES).map(lambda profile: [Device("mig", profile)]),
    st.sampled_from(PROFILES).map(lambda profile: [GPU, Device("mig", profile)]),
)


@settings(max_examples=600, deadline=None)
@given(st.data(), ASKED, st.integers(1, 4))
def test_any_combination(data, devices, each):
    labels = written(frozenset(devices))
    found = data.draw(constraints(labels))
    assert differences(found, asked(*devices, each=each)) == []
