"""What a container sees of GPUs, read from a manifest by PyYAML and Kubernetes' rules alone.

It shares no code with dralint: where a kind has its containers and claims is written in the tests by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import yaml

_GPU = re.compile(r"nvidia\.com/(gpu|mig-.+)$")
_PROFILE = re.compile(r"device\.attributes\['gpu\.nvidia\.com'\]\.profile == '([^']+)'$")


def at(value: Any, path: str) -> Any:
    """What stands at a dotted path, with numbers for items; None where nothing does."""
    for step in path.split(".") if path else ():
        if isinstance(value, list):
            value = value[int(step)] if int(step) < len(value) else None
        else:
            value = (value or {}).get(step)
    return value


def _templates(documents: list[Any]) -> dict[str, Counter[str]]:
    found = {}
    for document in documents:
        if document["kind"] != "ResourceClaimTemplate":
            continue
        counts: Counter[str] = Counter()
        for request in document["spec"]["spec"]["devices"]["requests"]:
            exact = request["exactly"]
            profiles = [_PROFILE.match(each["cel"]["expression"]) for each in exact.get("selectors", ())]
            profile = next((match[1] for match in profiles if match), None)
            assert (exact["deviceClassName"] == "mig.nvidia.com") == (profile is not None)
            name = "nvidia.com/gpu" if profile is None else f"nvidia.com/mig-{profile}"
            counts[name] += exact["count"]
        found[document["metadata"]["name"]] = counts
    return found


def sees(text: str, kind: str, container: str, claims: str) -> Counter[str]:
    """The devices that a container of the first object of a kind sees, by limits and by claims.

    container  the path of the mapping that has `resources`
    claims     the path of the list of claims; its entries that have a name must be listed by the container
    """
    documents = list(yaml.safe_load_all(text))
    obj = next(each for each in documents if each["kind"] == kind)
    templates = _templates(documents)
    resources = at(obj, f"{container}.resources") or {}
    listed = {each["name"] for each in resources.get("claims") or ()}
    found = Counter(
        {name: int(count) for name, count in (resources.get("limits") or {}).items() if _GPU.match(name)}
    )
    declared = at(obj, claims) or []
    assert listed <= {each.get("name") for each in declared}
    for each in declared:
        if "name" not in each or each["name"] in listed:
            found += templates[each["resourceClaimTemplateName"]]
    return +found
