"""Random pods hold and see the devices that the device plugin gave them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dralint.convert.counts import ClaimShape, Listed, Need, Table, Undecided, share

COUNTS = st.integers(min_value=1, max_value=6)
INITS = st.lists(st.builds(Need, st.sampled_from(["init", "sidecar"]), COUNTS), max_size=4)
MAINS = st.lists(st.builds(Need, st.just("main"), COUNTS), max_size=3)
PODS = st.builds(lambda inits, mains: [*inits, *mains], INITS, MAINS)


def held_by_kubernetes(needs: list[Need]) -> int:
    """The scheduler's sum: the peak over the start of each init container and the running pod."""
    peak = sidecars = 0
    for need in needs:
        if need.role == "sidecar":
            sidecars += need.devices
        elif need.role == "init":
            peak = max(peak, sidecars + need.devices)
    return max(peak, sidecars + sum(need.devices for need in needs if need.role == "main"))


def devices(table: Table) -> list[list[list[str]]]:
    """A name for every device: by claim, then by request."""
    return [
        [
            [f"{claim}.{request}.{device}" for device in range(count)]
            for request, count in enumerate(shape.requests)
        ]
        for claim, shape in enumerate(table.claims)
    ]


def seen(table: Table, index: int) -> list[str]:
    """The devices that the container of a need finds."""
    claims = devices(table)
    return [
        device
        for listed in table.lists[index]
        for request in claims[listed.claim][: listed.requests]
        for device in request
    ]


@given(PODS)
def test_holds_and_shows_what_the_device_plugin_did(needs):
    table = share(needs)
    if isinstance(table, Undecided):
        return
    assert sum(sum(shape.requests) for shape in table.claims) == held_by_kubernetes(needs)
    assert all(count >= 1 for shape in table.claims for count in shape.requests)
    views = [seen(table, index) for index in range(len(needs))]
    for need, view in zip(needs, views, strict=True):
        assert len(view) == len(set(view)) == need.devices


@given(PODS)
def test_no_device_is_seen_twice_at_one_time(needs):
    table = share(needs)
    if isinstance(table, Undecided):
        return
    for index, need in enumerate(needs):
        if need.role == "init":
            running = [other for other in range(index) if needs[other].role == "sidecar"]
        else:
            running = [other for other in range(len(needs)) if other != index and needs[other].role != "init"]
        for other in running:
            assert not set(seen(table, index)) & set(seen(table, other))


@given(INITS, COUNTS)
def test_one_main_container_is_always_decided_without_sidecars(inits, count):
    needs = [*(Need("init", init.devices) for init in inits), Need("main", count)]
    assert isinstance(share(needs), Table)


@given(MAINS)
def test_main_containers_alone_are_always_decided(mains):
    assert isinstance(share(mains), Table)


@given(PODS)
def test_refuses_only_an_init_container_whose_count_nobody_else_has(needs):
    result = share(needs)
    if isinstance(result, Table):
        return
    assert needs[result.need].role == "init"
    after = [
        other.devices
        for place, other in enumerate(needs)
        if other.role == "main" or (other.role == "sidecar" and place > result.need)
    ]
    holders = [need for need in needs if need.role != "init"]
    alone_before = len(holders) == 1 and holders[0].role == "sidecar"
    assert alone_before or (
        needs[result.need].devices not in after and needs[result.need].devices != sum(after)
    )


MAIN, INIT, SIDECAR = (lambda count, role=role: Need(role, count) for role in ("main", "init", "sidecar"))


@pytest.mark.parametrize(
    ("needs", "claims", "lists"),
    [
        pytest.param([MAIN(2)], [(0, (2,))], [[(0, 1)]], id="one main"),
        pytest.param([INIT(1)], [(None, (1,))], [[(0, 1)]], id="only an init"),
        pytest.param([SIDECAR(1)], [(0, (1,))], [[(0, 1)]], id="only a sidecar"),
        pytest.param([INIT(1), MAIN(1)], [(1, (1,))], [[(0, 1)], [(0, 1)]], id="init reuses"),
        pytest.param([INIT(1), MAIN(4)], [(1, (1, 3))], [[(0, 1)], [(0, 2)]], id="smaller init"),
        pytest.param([INIT(4), MAIN(1)], [(1, (1, 3))], [[(0, 2)], [(0, 1)]], id="larger init"),
        pytest.param(
            [INIT(4), INIT(2), MAIN(8)],
            [(2, (2, 2, 4))],
            [[(0, 2)], [(0, 1)], [(0, 3)]],
            id="three distinct counts",
        ),
        pytest.param(
            [INIT(1), SIDECAR(2)], [(1, (1, 1))], [[(0, 1)], [(0, 2)]], id="init before the only sidecar"
        ),
        pytest.param([MAIN(1), MAIN(1)], [(0, (1,)), (1, (1,))], [[(0, 1)], [(1, 1)]], id="two mains"),
        pytest.param(
            [INIT(2), MAIN(1), MAIN(2)],
            [(1, (1,)), (2, (2,))],
            [[(1, 1)], [(0, 1)], [(1, 1)]],
            id="init with the count of the second main",
        ),
        pytest.param(
            [INIT(3), MAIN(1), MAIN(2)],
            [(1, (1,)), (2, (2,))],
            [[(0, 1), (1, 1)], [(0, 1)], [(1, 1)]],
            id="init with the sum of the mains",
        ),
        pytest.param(
            [SIDECAR(1), INIT(1), MAIN(1)],
            [(0, (1,)), (2, (1,))],
            [[(0, 1)], [(1, 1)], [(1, 1)]],
            id="init after a sidecar takes the main's",
        ),
        pytest.param(
            [INIT(2), SIDECAR(2), MAIN(1)],
            [(1, (2,)), (2, (1,))],
            [[(0, 1)], [(0, 1)], [(1, 1)]],
            id="init before a sidecar takes the sidecar's",
        ),
    ],
)
def test_table(needs, claims, lists):
    assert share(needs) == Table(
        tuple(ClaimShape(*claim) for claim in claims),
        tuple(tuple(Listed(*listed) for listed in each) for each in lists),
    )


@pytest.mark.parametrize(
    ("needs", "undecided"),
    [
        pytest.param([SIDECAR(1), INIT(1)], 1, id="init beside the only sidecar"),
        pytest.param([INIT(3), MAIN(1), MAIN(1)], 0, id="init larger than the sum"),
        pytest.param([INIT(1), MAIN(2), MAIN(2)], 0, id="init smaller than each main"),
        pytest.param([SIDECAR(2), INIT(2), MAIN(1)], 1, id="only the sidecar before it has its count"),
        pytest.param([SIDECAR(1), INIT(2), MAIN(1)], 1, id="the sum includes a sidecar before it"),
    ],
)
def test_undecided(needs, undecided):
    result = share(needs)
    assert isinstance(result, Undecided)
    assert result.need == undecided


def test_nothing():
    assert share([]) == Table((), ())
