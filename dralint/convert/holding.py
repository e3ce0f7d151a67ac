"""Can this pod spec hold a claim? What the kinds' data says."""

from __future__ import annotations

from dralint.kube.places import PodSpec


def can_hold_claims(pod: PodSpec) -> bool:
    """Whether claims can be written into the pod spec, as kube/data/kinds has it."""
    return pod.claims is not None
