"""How many GPU requests the named files hold, for the summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dralint.convert.occurrences import occurrences
from dralint.kube.objects import KubeObject
from dralint.lint.run import Run

_CLAIMS = ("ResourceClaim", "ResourceClaimTemplate")


class Tally(NamedTuple):
    """GPU requests: occurrences of the device plugin's resource names, and requests of claims for a GPU."""

    device_plugin: int
    dra: int


def tally(run: Run) -> Tally:
    """Counts once what stands once: the requests of a ResourceClaim or ResourceClaimTemplate."""
    claims = [obj for obj in run.bundle.objects if obj.ref.kind in _CLAIMS]
    return Tally(sum(len(occurrences(file)) for file in run.files), _claimed(run, claims) if claims else 0)


def _claimed(run: Run, claims: Sequence[KubeObject]) -> int:
    """The requests of claims that take a GPU or a part of one."""
    from dralint.kube.dra import claim_spec
    from dralint.lint.facts.resolve import Resolver

    resolver = Resolver(run)
    specs = [spec for spec in map(claim_spec, claims) if spec is not None]
    return sum(bool(need.gpu) for spec in specs for need in resolver.claim_needs(spec))


def said(counts: Tally) -> str:
    """`41 GPU requests: 38 device plugin, 3 DRA`."""
    total = counts.device_plugin + counts.dra
    if not total:
        return "no GPU requests"
    what = "GPU request" if total == 1 else "GPU requests"
    return f"{total} {what}: {counts.device_plugin} device plugin, {counts.dra} DRA"
