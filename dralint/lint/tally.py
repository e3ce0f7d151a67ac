"""How many GPU requests the named files hold, for the summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dralint.convert.occurrences import occurrences
from dralint.kube.objects import KubeObject
from dralint.kube.places import containers, pod_specs
from dralint.lint.run import Run
from dralint.yamltext.node import MAP
from dralint.yamltext.view import entries, get

_CLAIMS = ("ResourceClaim", "ResourceClaimTemplate")
# Source: kubernetes/api resource/v1 types.go (ResourceDeviceClassPrefix); a JSON file may write `\\/` in it.
_PREFIX = "deviceclass.resource.kubernetes.io/"
_WORD = _PREFIX.removesuffix("/").encode()


class Tally(NamedTuple):
    """GPU requests: occurrences of the device plugin's resource names; requests of claims, and by the name of a DeviceClass."""

    device_plugin: int
    dra: int


def tally(run: Run) -> Tally:
    """Counts once what stands once: the requests of a ResourceClaim or ResourceClaimTemplate."""
    claims = [obj for obj in run.bundle.objects if obj.ref.kind in _CLAIMS]
    named = [obj for obj in run.bundle.objects if obj.file.holds(_WORD)]
    plugin = sum(len(occurrences(file)) for file in run.files)
    return Tally(plugin, _by_dra(run, claims, named) if claims or named else 0)


def _by_dra(run: Run, claims: Sequence[KubeObject], named: Sequence[KubeObject]) -> int:
    """The requests of claims, and of containers by the name of a class, that take a GPU or a part of one."""
    from dralint.kube.dra import claim_spec
    from dralint.lint.facts.needs import class_need
    from dralint.lint.facts.resolve import Resolver

    resolver = Resolver(run)
    specs = [spec for spec in map(claim_spec, claims) if spec is not None]
    needs = [need for spec in specs for need in resolver.claim_needs(spec)]
    needs += (class_need(each, each, resolver.class_selectors) for obj in named for each in _classes(obj))
    return sum(bool(need.gpu) for need in needs)


def _classes(obj: KubeObject) -> Iterator[str]:
    """The classes whose devices containers ask for by name, once for each container."""
    for pod in pod_specs(obj):
        for container in containers(pod):
            sides = [get(container.node, "resources", side) for side in ("limits", "requests")]
            names = {
                name for side in sides if side is not None and side.kind == MAP for name in entries(side)
            }
            yield from (name.removeprefix(_PREFIX) for name in names if name.startswith(_PREFIX))


def said(counts: Tally) -> str:
    """`41 GPU requests: 38 device plugin, 3 DRA`."""
    total = counts.device_plugin + counts.dra
    if not total:
        return "no GPU requests"
    what = "GPU request" if total == 1 else "GPU requests"
    return f"{total} {what}: {counts.device_plugin} device plugin, {counts.dra} DRA"
