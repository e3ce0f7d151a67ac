"""Which of a pod's demands on node labels its claims take over, as `--node-labels` has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dralint.convert.claims import Choice
from dralint.convert.options import Options
from dralint.convert.translate.demands import Constraints, Demand
from dralint.convert.translate.judge import Asked
from dralint.convert.translate.read import constraints_of
from dralint.convert.translate.removals import removals
from dralint.convert.translate.translate import Translation, translate
from dralint.kube.places import PodSpec
from dralint.nvidia.node_labels import Device
from dralint.nvidia.resources import GpuResource, classify
from dralint.yamltext.node import Node
from dralint.yamltext.view import Path

_PRIORITIZED = "DRAPrioritizedList"


class NodeLabels(NamedTuple):
    """What becomes of a pod's demands on labels.

    before       as they stand in the text
    translation  what the claims take over
    choices      by resource, for those whose requests get selectors
    removes      what the claims take over goes from the pod
    """

    before: Constraints
    translation: Translation
    choices: Mapping[GpuResource, Choice]
    removes: bool

    def gone(self, pod: Path, root: Node) -> list[Path]:
        """The entries and items to remove from the pod spec at `pod`."""
        return removals(pod, root, self.before, self.translation.left) if self.removes else []


def _device(resource: GpuResource) -> Device:
    """Of a MIG device by the name of a whole GPU the labels are those of MIG strategy single."""
    if resource.base != "mig":
        return Device("gpu")
    named = classify(resource.name)
    return Device("mig" if named is not None and named.base == "mig" else "slice", resource.profile)


def _held(demand: Demand, why: str) -> Demand:
    return demand._replace(held=demand.held or why)


def _hold(constraints: Constraints, why: str) -> Constraints:
    """The same, with nothing that may move."""
    return Constraints(
        tuple(_held(each, why) for each in constraints.selector),
        None
        if constraints.terms is None
        else tuple(
            term._replace(demands=tuple(_held(each, why) for each in term.demands))
            for term in constraints.terms
        ),
        tuple(
            each._replace(
                term=each.term._replace(demands=tuple(_held(one, why) for one in each.term.demands))
            )
            for each in constraints.preferred
        ),
    )


def node_labels(
    pod: PodSpec, needs: Mapping[GpuResource, int], options: Options, held: str = ""
) -> NodeLabels | None:
    """What becomes of the demands of a pod that gets claims; None where it makes none.

    needs: at least how many devices of each resource the pod holds; held: why all of them stay
    """
    before = constraints_of(pod)
    if not needs or not (before.selector or before.terms or before.preferred):
        return None
    if options.node_labels == "keep":
        held = held or "--node-labels keep leaves it"
    if held:
        before = _hold(before, held)
    asked = [Asked(_device(resource), devices) for resource, devices in needs.items()]
    first_available = options.first_available and bool(options.target.kubernetes_gate(_PRIORITIZED))
    found = translate(before, asked, options.target, first_available=first_available)
    choices = {
        resource: Choice(selectors, alternatives)
        for resource, selectors, alternatives in zip(needs, found.selectors, found.alternatives, strict=True)
        if selectors or alternatives
    }
    return NodeLabels(before, found, choices, options.node_labels == "translate")
