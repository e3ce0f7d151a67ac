"""What a conversion takes for granted because nobody said it, a sentence each."""

from __future__ import annotations

from collections.abc import Sequence

from dralint.convert.modes import assumptions
from dralint.convert.notes.pod_notes import with_claims
from dralint.convert.occurrences import Found
from dralint.convert.options import Options
from dralint.convert.requests import is_zero
from dralint.convert.sharing.sharing import unit_assumptions
from dralint.convert.work import PodWork
from dralint.nvidia.target import Target

WHOLE_GPUS = "one unit of nvidia.com/gpu is one whole GPU"


def assumptions_of(
    found: Sequence[Found], works: Sequence[PodWork], options: Options, target: Target
) -> list[str]:
    """The assumptions of a run, about its target first."""
    stated = target.assumptions()
    ways = [each.verdict.way for each in found if each.verdict is not None and not is_zero(each)]
    if any(ways):
        stated += unit_assumptions(found, options, WHOLE_GPUS)
    if any(way in ("claims", "implicit") for way in ways):
        stated.append("the DRA driver's classes gpu.nvidia.com and mig.nvidia.com are installed")
    claiming = [work.pod.kind for work in works if with_claims(work)]
    stated += dict.fromkeys(each for kind in claiming if kind is not None for each in kind.assumes)
    stated += assumptions(ways, options)
    if any(work.labels is not None and work.labels.choices for work in works):
        stated.append("the GPUs of a node are of one kind, the one that its labels tell")
    return stated
