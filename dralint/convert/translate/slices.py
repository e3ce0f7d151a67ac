"""Whether a pod's labels say that its nvidia.com/gpu are MIG devices, as with MIG strategy single."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from dralint.convert.translate.demands import Constraints, Demand
from dralint.convert.translate.values import is_cut
from dralint.nvidia.node_labels import only_on_slices

_PRODUCT = "nvidia.com/gpu.product"


def means_slices(constraints: Constraints) -> Literal["no", "yes", "in part"]:
    """Whether a pod's nvidia.com/gpu are MIG devices by the labels it demands (MIG strategy single)."""
    if any(map(_of_slices, constraints.selector)):
        return "yes"
    terms = [any(map(_of_slices, term.demands)) for term in constraints.terms or () if not term.empty]
    if not any(terms):
        return "in part" if any(map(_in_part, _all(constraints))) else "no"
    return "yes" if all(terms) else "in part"


def _all(constraints: Constraints) -> Iterator[Demand]:
    yield from constraints.selector
    for term in constraints.terms or ():
        yield from term.demands


def _of_slices(demand: Demand) -> bool:
    if demand.key == _PRODUCT:
        return demand.operator == "In" and bool(demand.values) and all(map(is_cut, demand.values))
    return only_on_slices(demand.key) and demand.operator in ("In", "Exists", "Gt", "Lt")


def _in_part(demand: Demand) -> bool:
    return demand.key == _PRODUCT and demand.operator == "In" and any(map(is_cut, demand.values))
