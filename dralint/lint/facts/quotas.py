"""Subjects of ResourceQuotas that limit GPUs: `quota`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from dralint.kube.dra import CLASS
from dralint.kube.objects import KubeObject
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.placeholders import templated
from dralint.lint.subject import Subject
from dralint.nvidia.classes import device_classes
from dralint.nvidia.resources import classify
from dralint.yamltext.node import MAP
from dralint.yamltext.view import Path, Plain, entries, get, string

KINDS = frozenset({"quota"})
_SIDE = "requests."
_OF_CLASS = ".deviceclass.resource.k8s.io/devices"
_SHARED = "classes claimed by namespace"
_CLAIMS = "count/resourceclaims.resource.k8s.io"


def _classes_claimed(around: Surroundings) -> dict[str | None, dict[str, KubeObject]]:
    """By namespace the DeviceClasses of GPUs that claims in it name, each with its first claim."""
    if _SHARED not in around.run.shared:
        found: dict[str | None, dict[str, KubeObject]] = defaultdict(dict)
        for obj, view in around.gpu_claims:
            for request, need in zip(view.spec.requests, view.needs, strict=False):
                for ask in request.asks if need.gpu else ():
                    if ask.device_class is not None:
                        found[obj.ref.namespace].setdefault(ask.device_class, obj)
        around.run.shared[_SHARED] = found
    known: dict[str | None, dict[str, KubeObject]] = around.run.shared[_SHARED]
    return known


def _extended_names(name: str, around: Surroundings) -> set[str]:
    """The resource names that a class serves, so that a quota on them counts its claims, too."""
    run = around.run
    if run.target.kubernetes_gate("DRAExtendedResource") is not True:
        return set()
    found = run.bundle.find(CLASS, None, name) or run.context.bundle.find(CLASS, None, name)
    names = {string(get(each.node, "spec", "extendedResourceName")) for each in found}
    known = device_classes().get(name)
    if known is not None and not found:
        names.add(known.extended_resource.get(run.target.stack))
    return {each for each in names if each is not None}


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """A ResourceQuota that names a GPU resource."""
    if (obj.group, obj.ref.kind) != ("", "ResourceQuota"):
        return
    hard = get(obj.node, "spec", "hard")
    if hard is None or hard.kind != MAP:
        return
    names = list(entries(hard))
    limited = [name for name in names if classify(name.removeprefix(_SIDE)) is not None]
    if not limited:
        return
    resources = [name.removeprefix(_SIDE) for name in limited]
    namespace = obj.ref.namespace
    claimed = {} if templated(namespace) else _classes_claimed(around).get(namespace, {})
    missed = [
        name
        for name in claimed
        if f"{name}{_OF_CLASS}" not in names and not _extended_names(name, around) & set(resources)
    ]
    path: Path = (*obj.path, "spec", "hard")
    anchors: dict[str, tuple[KubeObject, Path]] = {"limited": (obj, (*path, limited[0]))}
    if missed:
        other = claimed[missed[0]]
        anchors["claim"] = (other, other.path)
    amount = get(hard, limited[0])
    facts: dict[str, Plain] = {
        "limited": [*limited],
        "amount": amount.text if amount is not None else None,
        "classes": [*claimed],
        "missed": [] if _CLAIMS in names else [*missed],
    }
    yield around.subject("quota", obj, path, facts, anchors)
