"""A pod spec with its claims resolved, and what its containers get from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice

from dralint.kube.dra import ContainerClaim, container_claims, pod_claims
from dralint.kube.places import PodSpec, containers
from dralint.lint.facts.lending import is_patched, lent_claims
from dralint.lint.facts.needs import Need, need_facts
from dralint.lint.facts.patched import is_patch
from dralint.lint.facts.resolve import UNKNOWN, Resolution, Resolver, is_completed, managed_pod_claims
from dralint.nvidia.classes import device_classes
from dralint.yamltext.view import Plain, get, string

# Of longer lists, which no person writes, facts show the beginning.
_SHOWN = 100
# Facts are made object by object, and several kinds of them are of its pods.
_REMEMBERED = 16


class Pod:
    """A pod spec with its claims resolved.

    mains    the containers that are neither init nor ephemeral ones
    partial  no main container has an image, or another object or a patch completes it, or it is one: a part of a pod
    """

    def __init__(self, spec: PodSpec, resolver: Resolver) -> None:
        self.spec = spec
        self.containers = containers(spec)
        self.claims = pod_claims(spec)
        self.resolutions: list[Resolution] = [resolver.pod_claim(spec, claim) for claim in self.claims]
        self.mains = [each for each in self.containers if each.group == "containers"]
        self.partial = (
            is_completed(spec.object)
            or is_patched(spec)
            or not any(get(each.node, "image") for each in self.mains)
            or is_patch(spec.object)
        )
        self.container_claims: list[list[ContainerClaim]] = [
            container_claims(each) for each in self.containers
        ]
        self._lent = {claim.name: claim for claim in lent_claims(spec)}
        self._resolver = resolver
        self._by_name = {claim.name: index for index, claim in enumerate(self.claims)}
        self._facts: dict[str | None, dict[str, Plain]] = {}
        self._requests: dict[str | None, list[str]] = {}
        self._wanted: dict[tuple[str | None, str | None], list[list[Need]]] = {}
        self.facts: dict[str, Plain] = {
            "part": spec.part,
            "schema": spec.schema,
            "replicas": spec.replicas,
            "many": spec.many,
            "number": "several pods" if spec.replicas is None else f"{spec.replicas} pods",
            "main_containers": len(self.mains),
            "partial": self.partial,
            "claims": [claim.name for claim in self.claims[:_SHOWN]],
            "node_name": string(get(spec.node, "nodeName")),
        }

    def resolution(self, name: str | None) -> Resolution:
        """What the pod's claim of that name leads to; of two with one name the last counts."""
        index = self._by_name.get(name)
        if index is not None:
            return self.resolutions[index]
        lent = self._lent.get(name)
        return UNKNOWN if lent is None else self._resolver.pod_claim(self.spec, lent)

    def claim_facts(self, name: str | None) -> dict[str, Plain]:
        """The facts of the pod's claim of that name."""
        if name not in self._facts:
            self._facts[name] = claim_facts(self.resolution(name))
        return self._facts[name]

    @cached_property
    def consumed(self) -> set[str]:
        """The claims that a container lists."""
        names = {claim.name for claims in self.container_claims for claim in claims if claim.name is not None}
        return names | self._elsewhere("resources", "claims")

    @cached_property
    def _picks(self) -> dict[str | None, dict[int, set[str | None]]]:
        found: dict[str | None, dict[int, set[str | None]]] = {}
        for number, claims in enumerate(self.container_claims):
            for claim in claims:
                found.setdefault(claim.name, {}).setdefault(number, set()).add(claim.request)
        return found

    def picks(self, name: str | None) -> Mapping[int, set[str | None]]:
        """The requests that containers, by their number, pick of the claim of that name; None: all of them."""
        return self._picks.get(name, {})

    @cached_property
    def gpu_users(self) -> list[tuple[int, str | None]]:
        """The containers, by their number, that a claim gives a GPU, with the first such claim of each."""
        found: list[tuple[int, str | None]] = []
        for index, claims in enumerate(self.container_claims):
            if self.containers[index].group == "ephemeralContainers":
                continue  # They cannot have claims.
            taking = (claim.name for claim in claims if takes_gpu(self.wanted(claim)) is True)
            found += [(index, name) for name in islice(taking, 1)]
            if len(found) > _SHOWN:
                break
        return found

    def gpus_beside(self, index: int) -> list[Plain]:
        """The other containers that a claim gives a GPU, as facts."""
        return [
            {
                "name": self.containers[other].name,
                "role": self.containers[other].group,
                "sidecar": self.containers[other].sidecar,
                "before": other < index,
                "claim": claim,
            }
            for other, claim in self.gpu_users
            if other != index
        ]

    @cached_property
    def declared(self) -> set[str]:
        """The claims that the pod has, those that a controller adds to it included."""
        names = {name for name in (*self._by_name, *self._lent) if name is not None}
        return names | set(managed_pod_claims(self.spec.object)) | self._elsewhere("resourceClaims")

    def _elsewhere(self, *path: str) -> frozenset[str]:
        """The names in lists at that path anywhere in the object, for kinds that are no plain pod spec."""
        return frozenset() if self.spec.schema == "full" else self._resolver.mentioned(self.spec.object, path)

    def wanted(self, claim: ContainerClaim) -> list[list[Need]]:
        """The needs that a container's claim gives it access to, per candidate of the claim."""
        key = (claim.name, claim.request)
        if key not in self._wanted:
            self._wanted[key] = [
                [need for need in needs if claim.request is None or need.request == claim.request]
                for needs in self.resolution(claim.name).needs
            ]
        return self._wanted[key]

    def request_names(self, name: str | None) -> list[str]:
        """The names of the requests that the claim of that name has, of all its candidates, sorted."""
        if name not in self._requests:
            needs = self.resolution(name).needs
            names = {need.request for of_candidate in needs for need in of_candidate if need.request}
            self._requests[name] = sorted(names)[:_SHOWN]
        return self._requests[name]

    def mig_devices(self) -> int:
        """The MIG devices that all containers of one pod get."""
        return sum(mig_devices(resolution.needs) for resolution in self.resolutions)


@lru_cache(maxsize=_REMEMBERED)
def resolved(spec: PodSpec, resolver: Resolver) -> Pod:
    """A pod spec with its claims resolved, once for all that ask."""
    return Pod(spec, resolver)


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
        "candidates": [
            [need_facts(need) for need in of_candidate[:_SHOWN]] for of_candidate in resolution.needs[:_SHOWN]
        ],
        "shares": any(
            get(config.parameters, "sharing") is not None
            for spec in resolution.claims
            for config in spec.configs
        ),
    }
