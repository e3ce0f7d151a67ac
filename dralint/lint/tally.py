"""How many GPU requests the named files hold, for the summary."""

from __future__ import annotations

from typing import NamedTuple

from dralint.convert.occurrences import occurrences
from dralint.kube.dra import claim_spec
from dralint.lint.facts.resolve import Resolver
from dralint.lint.run import Run


class Tally(NamedTuple):
    """GPU requests: occurrences of the device plugin's resource names, and requests of claims for a GPU."""

    device_plugin: int
    dra: int


def tally(run: Run) -> Tally:
    """Counts once what stands once: the requests of a ResourceClaim or ResourceClaimTemplate."""
    resolver = Resolver(run)
    dra = 0
    for obj in run.bundle.objects:
        if obj.ref.kind in ("ResourceClaim", "ResourceClaimTemplate"):
            spec = claim_spec(obj)
            dra += sum(bool(need.gpu) for need in resolver.claim_needs(spec)) if spec else 0
    return Tally(sum(len(occurrences(file)) for file in run.files), dra)


def said(counts: Tally) -> str:
    """`41 GPU requests: 38 device plugin, 3 DRA`."""
    total = counts.device_plugin + counts.dra
    if not total:
        return "no GPU requests"
    what = "GPU request" if total == 1 else "GPU requests"
    return f"{total} {what}: {counts.device_plugin} device plugin, {counts.dra} DRA"
