"""Which pods of the named files use a claim or a template."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from heapq import nsmallest
from itertools import islice
from typing import NamedTuple

from dralint.kube.dra import CLAIM, TEMPLATE, PodClaim, pod_claims
from dralint.kube.namespaced import Namespaced
from dralint.kube.objects import KubeObject
from dralint.kube.places import PodSpec, pod_specs
from dralint.lint.run import Run

_WORD = b"resourceClaim"
# Each use has a list of its own of the others: of a long one it shows the beginning.
_SHOWN = 20
Workload = tuple[str | None, str | None]


class Use(NamedTuple):
    """A pod spec's entry that names a claim or a template; claims: how many the pod spec has."""

    pod: PodSpec
    claim: PodClaim
    claims: int

    @property
    def workload(self) -> Workload:
        """Kind and name: what is the same in the overlays of one workload."""
        return self.pod.object.ref.kind, self.pod.object.ref.name


class Uses:
    """All uses of one claim or template.

    pods  how many pod specs there are, those of overlays counted once
    """

    def __init__(self, uses: Sequence[Use]) -> None:
        self.all = uses
        self.pods = len({(*use.workload, use.pod.part) for use in uses})

    @cached_property
    def workloads(self) -> dict[Workload, KubeObject]:
        """An object of each workload."""
        return {use.workload: use.pod.object for use in self.all}

    def others(self, own: Workload) -> Iterator[KubeObject]:
        """The objects of other workloads."""
        others = (obj for workload, obj in self.workloads.items() if workload != own)
        return islice(others, _SHOWN)

    @cached_property
    def _fewest(self) -> list[tuple[int, Workload]]:
        """The two workloads of which a pod has the fewest claims, with their number."""
        fewest: dict[Workload, int] = {}
        for use in self.all:
            fewest[use.workload] = min(use.claims, fewest.get(use.workload, use.claims))
        return nsmallest(
            2, ((claims, workload) for workload, claims in fewest.items()), key=lambda each: each[0]
        )

    def fewest_claims(self, own: Workload) -> int | None:
        """The least number of claims that a pod of another workload has; None without one."""
        return next((claims for claims, workload in self._fewest if workload != own), None)


class Users:
    """Uses by kind and name; made once, when a rule asks."""

    def __init__(self, run: Run) -> None:
        self._by_name: dict[tuple[str, str], Namespaced[Use]] = {}
        self._of: dict[tuple[str, str, str | None], Uses] = {}
        for file in run.bundle.files:
            if not file.holds(_WORD):
                continue
            for obj in file.objects:
                if obj.template or obj.file.documents[obj.document].template:
                    continue
                for pod in pod_specs(obj):
                    self._add(pod)

    def _add(self, pod: PodSpec) -> None:
        claims = pod_claims(pod)
        for claim in claims:
            for kind, name in ((CLAIM, claim.claim_name), (TEMPLATE, claim.template_name)):
                if name is not None:
                    known = self._by_name.setdefault((kind, name), Namespaced())
                    known.add(pod.object.ref.namespace, Use(pod, claim, len(claims)))

    def of(self, kind: str, name: str, namespace: str | None) -> Uses:
        """The uses of a name in a namespace; an absent namespace matches any."""
        key = (kind, name, namespace)
        if key not in self._of:
            found = self._by_name.get((kind, name))
            self._of[key] = Uses(() if found is None else found.of(namespace))
        return self._of[key]
