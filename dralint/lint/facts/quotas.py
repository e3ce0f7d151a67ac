"""Subjects of ResourceQuotas that limit GPUs: `quota`."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import CLAIM, CLASS, GROUP, TEMPLATE
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
_CLAIMS = "count/resourceclaims.resource.k8s.io"


def _classes_claimed(obj: KubeObject, around: Surroundings) -> dict[str, KubeObject]:
    """The DeviceClasses of GPUs that claims of the quota's namespace name, each with its first claim."""
    found: dict[str, KubeObject] = {}
    for other in around.run.bundle.objects:
        if other.group != GROUP or other.ref.kind not in (CLAIM, TEMPLATE) or other.template:
            continue
        if other.ref.namespace != obj.ref.namespace:
            continue
        view = around.resolver.view(other)
        for request, need in zip(view.spec.requests, view.needs, strict=False) if view else ():
            if need.gpu:
                for ask in request.asks:
                    if ask.device_class is not None:
                        found.setdefault(ask.device_class, other)
    return found


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
    claimed = _classes_claimed(obj, around) if not templated(obj.ref.namespace) else {}
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
