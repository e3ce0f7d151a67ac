"""Subjects of what pods use claims for: `claim_use`, for each entry of a pod's resourceClaims."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import Any

from dralint.kube.dra import CLAIM, TEMPLATE, pod_claims
from dralint.kube.objects import KubeObject
from dralint.kube.places import pod_specs
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.configs import strategy
from dralint.lint.facts.pods import Pod, resolved
from dralint.lint.facts.users import Uses
from dralint.lint.subject import Subject
from dralint.yamltext.load import load_data
from dralint.yamltext.view import Path, Plain, get, plain, string

KINDS = frozenset({"claim_use"})
_EPHEMERAL = "ephemeralContainers"
_DATA = os.path.join(os.path.dirname(__file__), "data", "managed.yaml")
_SUSPENDED = (("spec", "suspend"), ("spec", "runPolicy", "suspend"))
Anchors = dict[str, tuple[KubeObject, Path]]


def _strategies(pod: Pod, index: int) -> list[str]:
    """The sharing strategies that the configs of a claim set, sorted."""
    found = {
        word
        for spec in pod.resolutions[index].claims
        for config in spec.configs
        if (word := strategy(config)) is not None
    }
    return sorted(found)


def _lonely_constraint(pod: Pod, index: int, anchors: Anchors) -> str | None:
    """The attribute of a constraint that is about one device, where the pod has other claims to match."""
    if len(pod.claims) < 2 or len(pod.resolutions[index].claims) != 1:
        return None
    spec = pod.resolutions[index].claims[0]
    for constraint in spec.constraints:
        names = constraint.requests or [request.name or "" for request in spec.requests]
        asked = [request for request in spec.requests if request.name in names]
        one = len(asked) == 1 and asked[0].ask is not None and (asked[0].count or 1) == 1
        if one and constraint.match_attribute is not None and asked[0].mode != "All":
            anchors["constraint"] = (spec.object, (*constraint.path, "matchAttribute"))
            return constraint.match_attribute
    return None


def _serverless(obj: KubeObject) -> bool:
    """Whether Knative makes the pods: its own kinds, and KServe's where the object says so."""
    if obj.group == "serving.knative.dev":
        return True
    mode = string(get(obj.node, "metadata", "annotations", "serving.kserve.io/deploymentMode"))
    return obj.group == "serving.kserve.io" and mode in ("Serverless", "Knative")


def _claim_use(pod: Pod, index: int, around: Surroundings) -> Subject:
    claim, obj = pod.claims[index], pod.spec.object
    by_name = claim.claim_name is not None
    name = claim.claim_name if by_name else claim.template_name
    kind = CLAIM if by_name else TEMPLATE
    uses = around.users.of(kind, name, obj.ref.namespace) if name is not None else Uses(())
    listing = [number for number in pod.picks(claim.name) if pod.containers[number].group != _EPHEMERAL]
    own = (obj.ref.kind, obj.ref.name)
    others = [*uses.others(own)]
    fewest = uses.fewest_claims(own)
    anchors: Anchors = {
        "reference": (obj, (*claim.path, "resourceClaimName" if by_name else "resourceClaimTemplateName")),
    }
    for number, other in enumerate(others):
        anchors.setdefault(f"other{number}", (other, other.path))
    resolution = pod.resolutions[index]
    for spec in resolution.claims[:1]:
        anchors["claim"] = (spec.object, spec.path)
    facts: dict[str, Plain] = {
        "name": claim.name,
        "kind": kind,
        "reference": name,
        "containers": len(listing),
        "requests_apart": _requests_apart(pod, index),
        "strategies": [*_strategies(pod, index)],
        "capacity": any(
            get(ask.node, "capacity") is not None
            for spec in resolution.claims
            for request in spec.requests
            for ask in request.asks
        ),
        "users": uses.pods,
        "others": [f"{other.ref.kind} {other.ref.name}" for other in others],
        "more_claims": fewest is not None and fewest < len(pod.claims),
        "lonely_constraint": _lonely_constraint(pod, index, anchors),
        "serverless": _serverless(obj),
        "after_user": _after_user(pod, index),
        "pod": pod.facts,
        "claim": pod.claim_facts(claim.name),
    }
    return around.subject("claim_use", obj, claim.path, facts, anchors)


def _requests_apart(pod: Pod, index: int) -> bool:
    """Whether several containers use one claim and no two have a request of it in common."""
    picks = pod.picks(pod.claims[index].name)
    picked = [requests for number, requests in picks.items() if pod.containers[number].group == "containers"]
    together = set().union(*picked)
    return len(picked) > 1 and None not in together and len(together) == sum(map(len, picked))


@cache
def _later_kinds() -> frozenset[tuple[str, str]]:
    data: Any = load_data(_DATA)
    return frozenset((entry["group"], kind) for entry in data["later"] for kind in entry["kinds"])


def _waits(pod: Pod) -> bool:
    """Whether the object makes no pods yet when it is created, or is one that a cluster has already."""
    obj = pod.spec.object
    switches = (get(obj.node, *path) for path in _SUSPENDED)
    return (
        (obj.group, obj.ref.kind or "") in _later_kinds()
        or pod.spec.replicas == 0
        or get(obj.node, "metadata", "uid") is not None
        or any(switch is not None and plain(switch) is True for switch in switches)
    )


def _after_user(pod: Pod, index: int) -> bool:
    """Whether the only definition of the claim or template stands behind the pod in one file, unrendered."""
    obj = pod.spec.object
    specs = pod.resolutions[index].claims
    return (
        bool(specs)
        and not pod.claims[index].legacy_source
        and obj.origin is None
        and not _waits(pod)
        and all(
            spec.object.file is obj.file
            and (spec.object.document, spec.object.path) > (obj.document, obj.path)
            for spec in specs
        )
    )


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The entries of resourceClaims of an object's pods."""
    for spec in pod_specs(obj):
        if pod_claims(spec):
            pod = resolved(spec, around.resolver)
            for index in range(len(pod.claims)):
                yield _claim_use(pod, index, around)
