"""The claims of whole pods: several resources, several containers, existing claims."""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from dralint.convert.claims import Claim, Mention, Stuck, Wanted, claims_of_pod
from dralint.convert.counts import MAX_DEVICES
from dralint.kube.names import is_dns_label
from dralint.nvidia.resources import classify

GPU, MIG, LARGE = (
    classify(name) for name in ("nvidia.com/gpu", "nvidia.com/mig-1g.10gb", "nvidia.com/mig-3g.40gb.me")
)
COUNTS = st.dictionaries(st.sampled_from([GPU, MIG, LARGE]), st.integers(1, 5), max_size=3)
PODS = st.tuples(
    st.lists(st.tuples(st.sampled_from(["init", "sidecar"]), COUNTS), max_size=3),
    st.lists(st.tuples(st.just("main"), COUNTS), min_size=1, max_size=3),
).map(lambda pod: [*pod[0], *pod[1]])


def container(role, index):
    group = "containers" if role == "main" else "initContainers"
    return SimpleNamespace(group=group, sidecar=role == "sidecar", name=f"{role}-{index}", index=index)


def claims_for(pod, taken=()):
    needs = {}
    for index, (_, counts) in enumerate(pod):
        for resource, count in counts.items():
            needs.setdefault(resource, {})[index] = count
    return claims_of_pod(needs, [container(role, index) for index, (role, _) in enumerate(pod)], taken)


def held_by_kubernetes(pod, resource):
    peak = sidecars = 0
    for role, counts in pod:
        count = counts.get(resource, 0)
        if role == "sidecar":
            sidecars += count
        elif role == "init":
            peak = max(peak, sidecars + count)
    return max(peak, sidecars + sum(counts.get(resource, 0) for role, counts in pod if role == "main"))


def is_for(request, resource):
    return request.profile == resource.profile


@given(PODS)
def test_every_container_sees_its_own_count_of_every_resource(pod):
    made = claims_for(pod)
    if isinstance(made, Stuck):
        return
    for resource in (GPU, MIG, LARGE):
        requests = [
            request for claim in made.claims for request in claim.requests if is_for(request, resource)
        ]
        assert sum(request.devices for request in requests) == held_by_kubernetes(pod, resource)
        for index, (_, counts) in enumerate(pod):
            seen = sum(
                request.devices
                for mention in made.mentions.get(index, ())
                for request in made.claims[mention.claim].requests
                if mention.request in (None, request.name) and is_for(request, resource)
            )
            assert seen == counts.get(resource, 0)


@given(PODS, st.lists(st.sampled_from(["gpu", "gpu-2", "gpu-main-1", "imex", "gpu-init"])))
def test_what_the_api_server_asks_of_names(pod, taken):
    made = claims_for(pod, taken)
    if isinstance(made, Stuck):
        return
    names = [claim.name for claim in made.claims]
    assert len({*names, *taken}) == len(names) + len(set(taken))
    assert all(map(is_dns_label, names))
    for claim in made.claims:
        requests = [request.name for request in claim.requests]
        assert requests
        assert len(set(requests)) == len(requests)
        assert all(map(is_dns_label, requests))
        assert sum(request.devices for request in claim.requests) <= MAX_DEVICES
    for mentions in made.mentions.values():
        assert len(set(mentions)) == len(mentions)
        whole = {mention.claim for mention in mentions if mention.request is None}
        assert not [mention for mention in mentions if mention.request is not None and mention.claim in whole]


def test_one_container():
    made = claims_for([("main", {GPU: 2})])
    assert made.claims == (Claim("gpu", (Wanted("gpu", "gpu.nvidia.com", 2, None),), 0),)
    assert made.mentions == {0: (Mention(0, None),)}


def test_an_init_container_with_fewer():
    made = claims_for([("init", {GPU: 1}), ("main", {GPU: 8})])
    assert made.claims == (
        Claim(
            "gpu",
            (Wanted("gpu", "gpu.nvidia.com", 1, None), Wanted("gpu-extra", "gpu.nvidia.com", 7, None)),
            1,
        ),
    )
    assert made.mentions == {0: (Mention(0, "gpu"),), 1: (Mention(0, None),)}


def test_two_resources_of_one_container_share_a_claim():
    made = claims_for([("main", {MIG: 1, LARGE: 2})])
    assert made.claims == (
        Claim(
            "gpu",
            (
                Wanted("mig-1g-10gb", "mig.nvidia.com", 1, "1g.10gb"),
                Wanted("mig-3g-40gb-me", "mig.nvidia.com", 2, "3g.40gb+me"),
            ),
            0,
        ),
    )


def test_two_containers_have_a_claim_each():
    made = claims_for([("main", {GPU: 1}), ("main", {GPU: 1})], taken=["gpu-main-0"])
    assert [claim.name for claim in made.claims] == ["gpu-main-0-2", "gpu-main-1"]
    assert made.mentions == {0: (Mention(0, None),), 1: (Mention(1, None),)}


def test_more_devices_than_a_claim_can_hold():
    assert isinstance(claims_for([("main", {GPU: MAX_DEVICES})]).claims, tuple)
    stuck = claims_for([("main", {GPU: MAX_DEVICES + 1})])
    assert (stuck.resource, stuck.container) == ("nvidia.com/gpu", 0)
