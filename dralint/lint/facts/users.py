"""Which pods of the named files use a claim or a template."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from dralint.kube.dra import CLAIM, TEMPLATE, PodClaim, pod_claims
from dralint.kube.places import PodSpec, pod_specs
from dralint.lint.run import Run

_WORD = b"resourceClaim"


class Use(NamedTuple):
    """A pod spec's entry that names a claim or a template."""

    pod: PodSpec
    claim: PodClaim

    @property
    def workload(self) -> tuple[str | None, str | None]:
        """Kind and name: what is the same in the overlays of one workload."""
        return self.pod.object.ref.kind, self.pod.object.ref.name


class Users:
    """Uses by kind and name; made once, when a rule asks."""

    def __init__(self, run: Run) -> None:
        self._by_name: dict[tuple[str, str], list[Use]] = defaultdict(list)
        for file in run.bundle.files:
            if not file.holds(_WORD):
                continue
            for obj in file.objects:
                if obj.template or obj.file.documents[obj.document].template:
                    continue
                for pod in pod_specs(obj):
                    for claim in pod_claims(pod):
                        self._add(pod, claim)

    def _add(self, pod: PodSpec, claim: PodClaim) -> None:
        for kind, name in ((CLAIM, claim.claim_name), (TEMPLATE, claim.template_name)):
            if name is not None:
                self._by_name[kind, name].append(Use(pod, claim))

    def of(self, kind: str, name: str, namespace: str | None) -> list[Use]:
        """The uses of a name in a namespace; an absent namespace matches any."""
        found = self._by_name.get((kind, name), [])
        return [
            use for use in found if namespace is None or use.pod.object.ref.namespace in (None, namespace)
        ]
