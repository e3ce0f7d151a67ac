"""Quotas and ranges of a namespace: claims are counted under other names, or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from dralint.convert.beside.companion import Companion, beside_data, companion
from dralint.convert.claims import CLAIMED, device_class
from dralint.convert.classes import implicit_class
from dralint.convert.modes import prefix
from dralint.convert.sharing.sharing import counts_parts
from dralint.convert.work import Ground
from dralint.kube.objects import KubeObject
from dralint.kube.paths import steps
from dralint.kube.quantity import parse_quantity
from dralint.nvidia.classes import device_classes
from dralint.nvidia.resources import GpuResource, classify
from dralint.yamltext.node import MAP, SCALAR, Node, deref
from dralint.yamltext.operations import Put
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Entry, Path, children, entries, get

_COUNTED = "requests."
_UNCOUNTED = ("limits.", "")
_DEFAULTS = ("default", "defaultRequest")
_BOUNDS = ("max", "min", "maxLimitRequestRatio")


@cache
def _quotas() -> Mapping[tuple[str, str], tuple[str, ...]]:
    return {(each["group"], each["kind"]): steps(each["spec"]) for each in beside_data()["quotas"]}


def quota_key(of_class: str) -> str:
    """The key by which a ResourceQuota limits the devices of a class."""
    text: str = beside_data()["quota_key"]["text"]
    return text.format(device_class=of_class)


def _listed(hard: Node, side: str) -> dict[GpuResource, Entry]:
    """The GPU resources that a quota names, those of one side."""
    found = {}
    for key, entry in entries(hard).items():
        resource = classify(key.removeprefix(side)) if key.startswith(side) else None
        if resource is not None:
            found[resource] = entry
    return found


def counts_claims(resource: GpuResource, ground: Ground) -> bool:
    """Whether the driver's class has the resource name, so that a quota on it counts claims as well."""
    target = ground.options.target
    known = device_classes()[device_class(resource)]
    named = known.extended_resource.get(target.stack) == resource.name
    return named and target.kubernetes_gate("DRAExtendedResource") is True


def _amount(entry: Entry) -> str | int | None:
    """The amount as it is to be written again; None where it is none."""
    node = deref(entry.value)
    if node.kind != SCALAR or parse_quantity(node.text) is None:
        return None
    value = resolve(node)
    return value if type(value) is int else node.text


def _sum(listed: Mapping[GpuResource, Entry]) -> str:
    amounts = [_amount(entry) for entry in listed.values()]
    known = [parse_quantity(str(amount)) for amount in amounts if amount is not None]
    total = sum(each.value for each in known if each is not None)
    return f" (here {total})" if len(known) == len(amounts) else ""


def _scoped(spec: Node | None) -> bool:
    selector = get(spec, "scopeSelector")
    return bool(children(get(spec, "scopes"))) or bool(selector is not None and selector.items)


def _done(key: str, amount: str | int, what: str, name: str) -> str:
    return f"{key}: {amount} limits {what} now, apart from {name}, which limits pods of the device plugin: remove that with the last of them"


def _of_class(
    obj: KubeObject, path: Path, of_class: str, listed: Mapping[GpuResource, Entry], ground: Ground
) -> Companion:
    """A quota that limits resources of one class, and not yet the class."""
    first, entry = next(iter(listed.items()))
    key, name = quota_key(of_class), f"{_COUNTED}{first.name}"
    said = f"{name} does not count claims of {of_class}: their limit is {key}"

    def told(message: str) -> Companion:
        return companion(obj, entry.key, "quota", message)

    if _scoped(get(obj.node, *path)):
        return told(f"{said}, in a ResourceQuota without scopes, which are for pods only")
    if len(listed) > 1 or first.base == "mig":
        what = f"which takes the devices of all profiles together{_sum(listed)}"
        return told(f"{said}, {what}; a limit for each profile needs a DeviceClass for each")
    amount = _amount(entry)
    if amount is None:
        return told(f"{said}, with an amount that is not written out here")
    if counts_parts(first, ground):
        return told(f"{said}, in whole devices, and here the amount counts shares of them")
    operation = Put(obj.document, (*obj.path, *path, "hard"), key, amount, after=name)
    return companion(obj, entry.key, "quota", said, [operation], _done(key, amount, "claims", name))


def _of_name(obj: KubeObject, path: Path, resource: GpuResource, entry: Entry, ground: Ground) -> Companion:
    """A quota on a resource whose pods ask for the name of a class from here on."""
    new = f"{prefix()}{implicit_class(resource)}"
    key, name, amount = f"{_COUNTED}{new}", f"{_COUNTED}{resource.name}", _amount(entry)
    said = f"{name} does not count pods that ask for {new}: their limit is {key}"
    if amount is None:
        return companion(obj, entry.key, "quota", f"{said}, with an amount that is not written out here")
    if counts_parts(resource, ground):
        return companion(
            obj, entry.key, "quota", f"{said}, in whole devices, and here the amount counts shares of them"
        )
    operation = Put(obj.document, (*obj.path, *path, "hard"), key, amount, after=name)
    return companion(
        obj, entry.key, "quota", said, [operation], _done(key, amount, "pods that ask for it", name)
    )


def quota_companions(obj: KubeObject, ground: Ground) -> Iterator[Companion]:
    """A quota on GPU resources that does not limit what stands in their place; where the names stay it does."""
    path = _quotas().get((obj.group, obj.ref.kind or ""))
    hard = get(obj.node, *path, "hard") if path is not None else None
    if path is None or hard is None or hard.kind != MAP or ground.options.mode == "extended-resource":
        return
    if ground.options.mode == "implicit":
        for resource, entry in _listed(hard, _COUNTED).items():
            key = f"{_COUNTED}{prefix()}{implicit_class(resource)}" if resource.base in CLAIMED else ""
            if key and not resource.shared and key not in entries(hard):
                yield _of_name(obj, path, resource, entry, ground)
        return
    yield from _of_claims(obj, path, hard, ground)


def _of_claims(obj: KubeObject, path: Path, hard: Node, ground: Ground) -> Iterator[Companion]:
    by_class: dict[str, dict[GpuResource, Entry]] = {}
    listed = _listed(hard, _COUNTED)
    for resource, entry in listed.items():
        if resource.base not in CLAIMED or resource.shared:
            message = (
                f"{_COUNTED}{resource.name} limits what no claim asks for: see what its pods ask for now"
            )
            yield companion(obj, entry.key, "quota", message)
        elif not counts_claims(resource, ground):
            by_class.setdefault(device_class(resource), {})[resource] = entry
    for of_class, resources in by_class.items():
        if quota_key(of_class) not in entries(hard):
            yield _of_class(obj, path, of_class, resources, ground)
    for side in _UNCOUNTED:
        for resource, entry in _listed(hard, side).items():
            if resource not in listed and resource.base in CLAIMED:
                of_class = device_class(resource)
                if quota_key(of_class) not in entries(hard):
                    message = f"Kubernetes counts {resource.name} under {_COUNTED}{resource.name} only, and claims under {quota_key(of_class)}: what stands here limits neither"
                    yield companion(obj, entry.key, "quota", message)


def _named(item: Node, fields: tuple[str, ...]) -> Iterator[tuple[str, Entry]]:
    for field in fields:
        mapping = get(item, field)
        if mapping is not None and mapping.kind == MAP:
            for name, entry in entries(mapping).items():
                if classify(name) is not None:
                    yield name, entry


def range_companions(obj: KubeObject, ground: Ground) -> Iterator[Companion]:
    """A LimitRange on GPU resources: its defaults ask for devices again, its bounds bind no claim."""
    if (obj.group, obj.ref.kind) != ("", "LimitRange") or ground.options.mode == "extended-resource":
        return
    for item in children(get(obj.node, "spec", "limits")):
        for name, entry in _named(item, _DEFAULTS):
            if _amount(entry) not in (0, "0"):
                message = f"a container that no longer asks for {name} still gets this default of it, and holds devices twice: take it out before workloads move"
                yield companion(obj, entry.key, "quota", message)
                break
        for name, entry in _named(item, _BOUNDS):
            message = (
                f"a LimitRange never looks at claims: what it says of {name} binds no pod that has moved"
            )
            yield companion(obj, entry.key, "quota", message)
            break
