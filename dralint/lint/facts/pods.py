"""A pod spec with its claims resolved, and what its containers get from them."""

from __future__ import annotations

from collections.abc import Sequence

from dralint.kube.dra import ContainerClaim, container_claims, pod_claims
from dralint.kube.places import PodSpec, containers
from dralint.lint.facts.needs import Need, need_facts
from dralint.lint.facts.resolve import UNKNOWN, Resolution, Resolver, is_completed, managed_pod_claims
from dralint.nvidia.classes import device_classes
from dralint.yamltext.node import MAP, SEQ, Node, deref
from dralint.yamltext.view import Plain, children, get, string


def _mentioned(node: Node, *path: str) -> set[str]:
    """The names in every list at that path anywhere below, for kinds that are no plain pod spec."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        current = deref(waiting.pop())
        if current.kind == MAP:
            names = (string(get(claim, "name")) for claim in children(get(current, *path)))
            found.update(name for name in names if name is not None)
        if current.kind in (MAP, SEQ):
            waiting.extend(current.items)
    return found


class Pod:
    """A pod spec with its claims resolved.

    mains    the containers that are neither init nor ephemeral ones
    partial  no main container has an image, or the kind is completed by another object: a part of a pod
    managed  claims that a controller adds to the pod
    """

    def __init__(self, spec: PodSpec, resolver: Resolver) -> None:
        self.spec = spec
        self.containers = containers(spec)
        self.claims = pod_claims(spec)
        self.resolutions: list[Resolution] = [resolver.pod_claim(spec, claim) for claim in self.claims]
        self.mains = [each for each in self.containers if each.group == "containers"]
        self.partial = is_completed(spec.object) or not any(get(each.node, "image") for each in self.mains)
        self.container_claims: list[list[ContainerClaim]] = [
            container_claims(each) for each in self.containers
        ]
        self.managed = managed_pod_claims(spec.object)
        self.facts: dict[str, Plain] = {
            "part": spec.part,
            "schema": spec.schema,
            "replicas": spec.replicas,
            "many": spec.many,
            "number": "several pods" if spec.replicas is None else f"{spec.replicas} pods",
            "main_containers": len(self.mains),
            "partial": self.partial,
            "claims": [claim.name for claim in self.claims],
            "node_name": string(get(spec.node, "nodeName")),
        }

    def resolution(self, name: str | None) -> Resolution:
        """What the pod's claim of that name leads to; of two with one name the last counts."""
        found = UNKNOWN
        for claim, resolution in zip(self.claims, self.resolutions, strict=True):
            if claim.name == name:
                found = resolution
        return found

    def consumed(self) -> set[str]:
        """The claims that a container lists."""
        names = {claim.name for claims in self.container_claims for claim in claims if claim.name is not None}
        return names if self.spec.schema == "full" else names | self._elsewhere("resources", "claims")

    def declared(self) -> set[str]:
        """The claims that the pod has, those of a controller included."""
        names = {claim.name for claim in self.claims if claim.name is not None} | set(self.managed)
        return names if self.spec.schema == "full" else names | self._elsewhere("resourceClaims")

    def _elsewhere(self, *path: str) -> set[str]:
        return _mentioned(self.spec.object.node, *path)

    def wanted(self, claim: ContainerClaim) -> list[list[Need]]:
        """The needs that a container's claim gives it access to, per candidate of the claim."""
        return [
            [need for need in needs if claim.request is None or need.request == claim.request]
            for needs in self.resolution(claim.name).needs
        ]

    def mig_devices(self) -> int:
        """The MIG devices that all containers of one pod get."""
        return sum(mig_devices(resolution.needs) for resolution in self.resolutions)


def takes_gpu(candidates: Sequence[Sequence[Need]]) -> bool | None:
    """Whether a claim takes a GPU or a part of one, whichever candidate it is; None: it cannot be told."""
    answers = set()
    for needs in candidates:
        taken = [need.gpu for need in needs if not need.admin]
        answers.add(True if True in taken else None if None in taken else False)
    return answers.pop() if len(answers) == 1 else None


def mig_devices(candidates: Sequence[Sequence[Need]]) -> int:
    """The least number of MIG devices a claim gives, whichever candidate it is."""
    counts = (
        sum(need.number or 1 for need in needs if need.type == "mig" and not need.admin)
        for needs in candidates
    )
    return min(counts, default=0)


def _nvidia(needs: Sequence[Need]) -> bool | None:
    """Whether any of the needs is of NVIDIA's drivers; None: it cannot be told."""
    known = {each.driver for each in device_classes().values()}
    if any(need.driver in known for need in needs):
        return True
    return None if not needs or any(need.driver is None for need in needs) else False


def claim_facts(resolution: Resolution) -> dict[str, Plain]:
    """What the claim behind a name is; see `claim_facts` in schemas/facts.schema.json."""
    needs = [need for of_candidate in resolution.needs for need in of_candidate]
    return {
        "state": resolution.state,
        "gpu": takes_gpu(resolution.needs),
        "nvidia": _nvidia(needs),
        "drivers": [*sorted({need.driver for need in needs if need.driver is not None})],
        "admin": bool(needs) and all(need.admin for need in needs),
        "candidates": [[need_facts(need) for need in of_candidate] for of_candidate in resolution.needs],
        "shares": any(
            get(config.parameters, "sharing") is not None
            for spec in resolution.claims
            for config in spec.configs
        ),
    }
