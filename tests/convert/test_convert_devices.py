"""Random pods, converted as text and read back by another parser, hold and see the same devices."""

from __future__ import annotations

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

NAMES = ["nvidia.com/gpu", "nvidia.com/mig-1g.10gb"]
COUNTS = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 4), max_size=2)
CONTAINERS = st.tuples(
    st.lists(st.tuples(st.booleans(), COUNTS), max_size=3), st.lists(COUNTS, min_size=1, max_size=3)
)


def pod(inits, mains):
    def container(name, counts, **more):
        quantities = {"cpu": 1, **dict(counts.items())}
        return {"name": name, "image": "x", "resources": {"limits": quantities}, **more}

    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "random"},
        "spec": {
            "initContainers": [
                container(f"init-{index}", counts, **({"restartPolicy": "Always"} if sidecar else {}))
                for index, (sidecar, counts) in enumerate(inits)
            ],
            "containers": [container(f"main-{index}", counts) for index, counts in enumerate(mains)],
        },
    }


def held_before(spec, resource):
    peak = sidecars = 0
    for container in spec["initContainers"]:
        count = container["resources"]["limits"].get(resource, 0)
        if container.get("restartPolicy") == "Always":
            sidecars += count
        else:
            peak = max(peak, sidecars + count)
    running = sum(container["resources"]["limits"].get(resource, 0) for container in spec["containers"])
    return max(peak, sidecars + running)


def devices(request, resource):
    """How many devices of the old resource a request stands for."""
    exactly = request["exactly"]
    if resource == "nvidia.com/gpu":
        return exactly["count"] if exactly["deviceClassName"] == "gpu.nvidia.com" else 0
    assert exactly["deviceClassName"] in ("gpu.nvidia.com", "mig.nvidia.com")
    if exactly["deviceClassName"] != "mig.nvidia.com":
        return 0
    (selector,) = exactly["selectors"]
    assert selector["cel"]["expression"] == "device.attributes['gpu.nvidia.com'].profile == '1g.10gb'"
    return exactly["count"]


@settings(max_examples=60, deadline=None)
@given(CONTAINERS)
def test_devices_of_random_pods(convert_text, containers):
    before = pod(*containers)
    result = convert_text(yaml.safe_dump(before, sort_keys=False))
    *templates, after = yaml.safe_load_all(result.text)
    if "needs-decision" in result.outcomes:
        assert (templates, after) == ([], before)
        return
    assert set(result.outcomes) <= {"converted"}
    requests = {
        template["metadata"]["name"]: template["spec"]["spec"]["devices"]["requests"]
        for template in templates
    }
    claims = {
        claim["name"]: requests[claim["resourceClaimTemplateName"]]
        for claim in after["spec"].get("resourceClaims", [])
    }
    olds = [*before["spec"]["initContainers"], *before["spec"]["containers"]]
    news = [*after["spec"]["initContainers"], *after["spec"]["containers"]]
    for resource in NAMES:
        held = sum(devices(request, resource) for each in claims.values() for request in each)
        assert held == held_before(before["spec"], resource)
        for old, new in zip(olds, news, strict=True):
            seen = sum(
                devices(request, resource)
                for listed in new["resources"].get("claims", [])
                for request in claims[listed["name"]]
                if listed.get("request") in (None, request["name"])
            )
            assert seen == old["resources"]["limits"].get(resource, 0)
            assert resource not in new["resources"].get("limits", {})
    for occurrence in result.occurrences:
        refs = [occurrence.claim, *occurrence.claim.others] if occurrence.claim else []
        assert sum(ref.count for ref in refs) == int(occurrence.quantity)
        for ref in refs:
            (claim,) = [each for each in after["spec"]["resourceClaims"] if each["name"] == ref.name]
            assert claim["resourceClaimTemplateName"] == ref.template
            assert any(
                request["exactly"]["deviceClassName"] == ref.device_class
                for request in requests[ref.template]
            )
            (container,) = [each for each in news if each["name"] == occurrence.container]
            assert ref.name in [listed["name"] for listed in container["resources"]["claims"]]
    tolerations = after["spec"].pop("tolerations", [])
    assert bool(tolerations) == bool(claims)
