"""What every subject knows: the target, the run, and the object it stands in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from dralint.kube.neighbours import directory, project
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.reach import Reach
from dralint.kube.versions import GROUP, ApiState, api_version_state, api_versions_of
from dralint.lint.run import Run
from dralint.lint.subject import Subject
from dralint.yamltext.view import Path, Plain

if TYPE_CHECKING:
    from dralint.lint.facts.kueue import Kueue
    from dralint.lint.facts.plugin_configs import SharedResource
    from dralint.lint.facts.resolve import ClaimView, Resolver
    from dralint.lint.facts.users import Users
    from dralint.lint.installations import Installations


_CLAIMS = ("ResourceClaim", "ResourceClaimTemplate")


# How many pods an autoscaler keeps of a workload, by the workload's group, kind and name.
Scaled = Mapping[tuple[str, str, str], list[tuple[KubeObject, int]]]


def _of_namespace(scalers: Iterable[tuple[KubeObject, int]], obj: KubeObject) -> list[tuple[KubeObject, int]]:
    """The autoscalers that can be in the namespace of an object."""
    namespace = obj.ref.namespace
    return [each for each in scalers if namespace is None or each[0].ref.namespace in (None, namespace)]


def _object_facts(obj: KubeObject) -> dict[str, Plain]:
    ref = obj.ref
    return {
        "api_version": ref.api_version,
        "group": obj.group,
        "version": obj.version,
        "kind": ref.kind,
        "namespace": ref.namespace,
        "name": ref.name,
    }


class Surroundings:
    """What the facts of all subjects of a run share."""

    def __init__(self, run: Run) -> None:
        self.run = run
        target = run.target
        self._target: dict[str, Plain] = {
            "kubernetes": str(target.kubernetes),
            "kubernetes_minor": target.kubernetes.minor,
            "dra_driver": target.dra_driver,
            "stack": target.stack,
        }

        self._states: dict[tuple[str, str], dict[str, Plain]] = {}
        # Subjects come object by object.
        self._last: tuple[KubeObject | None, dict[str, Plain]] = (None, {})

    @cached_property
    def resolver(self) -> Resolver:
        """What names mean; loaded for the kinds of subject that refer to others."""
        from dralint.lint.facts.resolve import Resolver

        return Resolver(self.run)

    @cached_property
    def installations(self) -> Installations:
        """What the files install; loaded for the rules about it."""
        from dralint.lint.installations import Installations

        return Installations(self.run)

    @cached_property
    def kueue(self) -> Kueue:
        """What Kueue's configuration says, that of the context where the named files have none."""
        from dralint.lint.facts.kueue import Kueue

        named = Kueue(self.run.bundle.files)
        return named if named.known else Kueue(self.run.context.bundle.files)

    @cached_property
    def shared_resources(self) -> Reach[SharedResource]:
        """What the device plugin's configurations share, those of the context included."""
        from dralint.lint.facts.plugin_configs import shared_resources

        found = shared_resources([*self.run.bundle.files, *self.run.context.bundle.files])
        return Reach(found, lambda shared: shared.object.file)

    @cached_property
    def autoscaled(self) -> bool:
        """Whether the named files speak of the cluster autoscaler."""
        return any(file.holds(b"cluster-autoscaler") for file in self.run.bundle.files)

    @cached_property
    def _autoscalers(self) -> Scaled:
        """What autoscalers among the named files keep running."""
        from dralint.lint.facts.autoscalers import least

        return least(self.run.bundle.objects)

    @cached_property
    def _autoscalers_around(self) -> Scaled:
        """What autoscalers of the context keep running."""
        from dralint.lint.facts.autoscalers import least

        return least(self.run.context.bundle.objects)

    def scaled_to(self, obj: KubeObject) -> int | None:
        """How many pods an autoscaler always keeps of a workload; None without one.

        One of the named files counts before those of the context, which must be for the same cluster surely.
        """
        key = (obj.group, obj.ref.kind or "", obj.ref.name or "")
        named = _of_namespace(self._autoscalers.get(key, ()), obj)
        found = [each for each in named if project(each[0].file) == project(obj.file)]
        if not found:
            around = _of_namespace(self._autoscalers_around.get(key, ()), obj)
            found = Reach(around, lambda each: each[0].file).sure(obj.file)
        return min((number for _, number in found), default=None)

    @cached_property
    def gpu_claims(self) -> list[tuple[KubeObject, ClaimView]]:
        """The claims and templates among the named files that take a GPU."""
        claims = [obj for obj in self.run.bundle.objects if obj.group == GROUP and obj.ref.kind in _CLAIMS]
        views = ((obj, self.resolver.view(obj)) for obj in claims if not obj.template)
        return [
            (obj, view) for obj, view in views if view is not None and any(need.gpu for need in view.needs)
        ]

    @cached_property
    def _files_with_dra(self) -> list[ParsedFile]:
        """A file of each directory that has claims for GPUs."""
        return [*{directory(obj.file): obj.file for obj, _ in self.gpu_claims}.values()]

    @cached_property
    def gpu_slices(self) -> Mapping[str, list[KubeObject]]:
        """The ResourceSlices of NVIDIA's GPU plugin among the named files, by node."""
        from dralint.lint.facts.nodes import gpu_slices

        return gpu_slices(self.run.bundle.objects)

    @cached_property
    def _reach_of_dra(self) -> Reach[ParsedFile]:
        return Reach(self._files_with_dra, lambda file: file)

    def uses_dra(self, obj: KubeObject) -> bool:
        """Whether a claim or template among the named files that is for the object's cluster takes a GPU."""
        near = self._reach_of_dra.tiers(obj.file)
        return any(project(file) == project(obj.file) for tier in near for file in tier)

    @cached_property
    def users(self) -> Users:
        """Which pods use a claim or a template."""
        from dralint.lint.facts.users import Users

        return Users(self.run)

    def api_state(self, obj: KubeObject) -> dict[str, Plain]:
        """What the target makes of the object's API version; `unknown` outside resource.k8s.io."""
        key = (obj.ref.api_version or "", obj.ref.kind or "")
        if key not in self._states:
            version = self.run.target.kubernetes
            in_group = obj.group == GROUP
            state = api_version_state(*key, version) if in_group else ApiState("unknown")
            served = [
                each
                for each in (api_versions_of(key[1], version) if in_group else ())
                if api_version_state(each, key[1], version).state == "served"
            ]
            self._states[key] = {
                "state": state.state,
                "deprecated": state.deprecated,
                "deprecated_in": None if state.deprecated_in is None else str(state.deprecated_in),
                "introduced": None if state.introduced is None else str(state.introduced),
                "removed_in": None if state.removed_in is None else str(state.removed_in),
                "served": served[0] if served else None,
            }
        return self._states[key]

    def subject(
        self,
        kind: str,
        object_: KubeObject,
        path: Path,
        facts: dict[str, Plain],
        anchors: dict[str, tuple[KubeObject, Path]] | None = None,
    ) -> Subject:
        """A subject with the facts that all kinds have: `target`, `complete` and `object`."""
        facts["target"] = self._target
        facts["complete"] = self.run.complete
        if object_ is not self._last[0]:
            self._last = object_, _object_facts(object_)
        facts["object"] = self._last[1]
        return Subject(kind, facts, object_, path, anchors or {})


def namespaces(objects: Iterable[KubeObject]) -> list[Plain]:
    """The namespaces that the manifests of objects name, sorted."""
    return [*sorted({obj.ref.namespace for obj in objects if obj.ref.namespace is not None})]
