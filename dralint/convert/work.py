"""What is to be converted: the pods of a file with the GPU requests of their containers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from dralint.convert.claims import PodClaims
from dralint.convert.classes import Classes
from dralint.convert.dump.owners import Owners
from dralint.convert.installed import Installed
from dralint.convert.kustomize.joint import Joint
from dralint.convert.kustomize.overlays import Kustomizations
from dralint.convert.model import Way
from dralint.convert.node_labels import NodeLabels
from dralint.convert.occurrences import Found, Verdict
from dralint.convert.options import Options
from dralint.convert.replaced import User, Users
from dralint.convert.sharing.choosing import Choosing
from dralint.convert.sharing.evidence import Evidence
from dralint.convert.templates import Template
from dralint.kube.bundle import Bundle, Context
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.places import GROUPS, Container, PodSpec, containers, operator_pods, pod_specs
from dralint.nvidia.resources import GpuResource
from dralint.yamltext.view import Plain

if TYPE_CHECKING:  # they are pods themselves
    from dralint.convert.kustomize.count_patches import CountPatch
    from dralint.convert.merging import Merged

# Init containers start first.
_START_ORDER = tuple(sorted(GROUPS, key=["initContainers", "containers", "ephemeralContainers"].index))


class SharedClaim(NamedTuple):
    """One claim for all pods of a workload: the driver's strategy, and how many pods a GPU served before."""

    strategy: str
    replicas: int


class Ground(NamedTuple):
    """What the decisions of a run stand on.

    evidence        what the named files and those given say of units that are no whole devices
    kustomizations  those that may use the files
    owners          the objects that ask for GPUs, to be found as owners of others
    classes         who serves resource names
    users           the objects whose resources replace those of others
    merged          what objects say for all of their templates
    installed       who installs the DRA driver
    """

    options: Options
    bundle: Bundle
    context: Context
    evidence: Evidence
    kustomizations: Kustomizations
    owners: Owners
    classes: Classes
    users: Users
    merged: Merged
    installed: Installed


@dataclass(eq=False)
class Apart:
    """The templates of a pod that is a patch: they stand in a file of their own, since a patch can add none.

    namespace    of its base; None: not known, or given by the kustomization
    annotations  those that make the templates stand in the cluster before the workload
    tolerated    the base has the toleration, and a list in the patch would take the place of the base's
    templates    what the last plan writes
    """

    namespace: str | None
    annotations: dict[str, str]
    tolerated: bool
    templates: list[Template] = field(default_factory=list)


@dataclass(eq=False)
class PodWork:
    """A pod spec with GPU requests.

    containers  all of the pod, in the order they start in
    asked       the requests by container index, in the order of the text
    claims      what replaces them, once that is decided; None where no claim is needed
    labels      what the claims take over of the pod's demands on node labels; None where there are none
    gpu_count   the count to write for an operator that cannot see it any more; None: nothing to write
    count_patches  patches that only set the count, and are converted with it
    joints      changes elsewhere that go together with its conversion
    patch       the object is a patch for another one, and stays
    apart       the object is a patch that gives GPUs to its base; None: it is none, or stays
    shared      the pods get one claim together; None: a claim each
    capacity    by resource what its requests ask of a device's capacity: name and number
    way         how its requests move to DRA, unless they stay
    renamed     for requests by name the new name of each
    why         what speaks against claims, "" where nothing does
    followers   objects whose resources go once the pod has claims, since they ask for the same
    following   their requests
    namespace   of its templates, where that is known to be another one than the object's
    counted_by  objects that leave it to the operator to count the pod's limits
    """

    pod: PodSpec
    containers: list[Container]
    asked: dict[int, list[Found]] = field(default_factory=dict)
    claims: PodClaims | None = None
    labels: NodeLabels | None = None
    gpu_count: int | None = None
    joints: list[Joint] = field(default_factory=list)
    patch: bool = False
    apart: Apart | None = None
    count_patches: list[CountPatch] = field(default_factory=list)
    shared: SharedClaim | None = None
    capacity: dict[GpuResource, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    way: Way = "claims"
    renamed: dict[Found, str] = field(default_factory=dict)
    why: str = ""
    followers: list[User] = field(default_factory=list)
    following: list[Found] = field(default_factory=list)
    namespace: Plain = None
    counted_by: list[User] = field(default_factory=list)

    @cached_property
    def choosing(self) -> Choosing:
        """What the pod demands of its node's labels."""
        return Choosing(self.pod)

    @property
    def file(self) -> ParsedFile:
        return self.pod.object.file

    @property
    def found(self) -> Iterator[Found]:
        """The requests of all containers."""
        for requests in self.asked.values():
            yield from requests

    @property
    def undecided(self) -> bool:
        """No request has a verdict: the pod is to be converted, unless something is still found."""
        return all(each.verdict is None for each in self.found)

    def decide(self, verdict: Verdict) -> None:
        """Give the verdict to the requests that have none."""
        for each in self.found:
            each.verdict = each.verdict or verdict


def _in_start_order(pod: PodSpec) -> list[Container]:
    return sorted(containers(pod), key=lambda container: _START_ORDER.index(container.group))


def _pods_of(obj: KubeObject) -> list[PodWork]:
    return [PodWork(pod, _in_start_order(pod)) for pod in (*pod_specs(obj), *operator_pods(obj))]


def pods_with_requests(found: Sequence[Found]) -> tuple[list[PodWork], list[Found]]:
    """The pods that the requests stand in, in the order of the text, and the requests in no container."""
    works: dict[KubeObject, list[PodWork]] = {}
    places: dict[tuple[int, tuple[str | int, ...]], tuple[PodWork, int]] = {}
    outside: list[Found] = []
    for each in found:
        obj = each.object
        if obj is not None and obj not in works:
            works[obj] = _pods_of(obj)
            for work in works[obj]:
                for index, container in enumerate(work.containers):
                    places.setdefault((obj.document, (*container.path, "resources")), (work, index))
        place = places.get((each.document, each.place))
        if place is None:
            outside.append(each)
        else:
            place[0].asked.setdefault(place[1], []).append(each)
    return [work for pods in works.values() for work in pods if work.asked], outside
