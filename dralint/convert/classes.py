"""The DeviceClasses that requests by resource name stand on: their names, and who serves a name already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dralint.convert.claims import device_class
from dralint.convert.installed import Installed
from dralint.convert.model import ClassNeed, Way
from dralint.convert.names import label
from dralint.convert.occurrences import Found
from dralint.convert.verdicts import NOTHING
from dralint.kube.bundle import Bundle, Context
from dralint.kube.dra import CLASS, GROUP, claim_spec
from dralint.kube.names import digest, shorten
from dralint.kube.objects import KubeObject
from dralint.nvidia.classes import device_classes, selected, served_by_stack
from dralint.nvidia.resources import GpuResource, profile_resource
from dralint.nvidia.target import STACKS, Target
from dralint.yamltext.view import Plain, get, string

_OWN, _MIG = "nvidia.com/", "mig-"


def _stem(name: str) -> str:
    """What a class for a resource is called: `nvidia-gpu`, `nvidia-mig-1g-24gb`; two resources never share one."""
    words = label(name.replace("nvidia.com/", "nvidia-")) or "gpu"
    # Where dashes stand for more than dots (`mig-1g.10gb-me`, a team's own names) another name may read the same.
    plain = name.removeprefix(_OWN).removeprefix(_MIG)
    return words if name.startswith(_OWN) and "-" not in plain else f"{words}-{digest(name)}"


def extended_class(resource: GpuResource) -> str:
    """The class that serves a resource by its name: `nvidia-gpu-extended`."""
    return shorten(f"{_stem(resource.name)}-extended")


def implicit_class(resource: GpuResource) -> str:
    """The class whose own name asks for what a resource means: the driver's, or one for a MIG profile."""
    if resource.profile is None:
        return device_class(resource)
    return shorten(_stem(profile_resource(resource.profile) or resource.name))


def selectors(resource: GpuResource) -> tuple[str, ...]:
    """CEL expressions for the devices that a whole GPU or MIG resource means."""
    known = device_classes()[device_class(resource)]
    parts = [
        f"device.driver == '{known.driver}'",
        f"device.attributes['{known.driver}'].type == '{known.type}'",
    ]
    if resource.profile is not None:
        parts.append(f"device.attributes['{known.driver}'].profile == '{resource.profile}'")
    return (" && ".join(parts),)


def object_of(need: ClassNeed) -> dict[str, Plain]:
    """The class as an object."""
    chosen: list[Plain] = [{"cel": {"expression": each}} for each in need.selectors]
    spec: dict[str, Plain] = {"selectors": chosen}
    if need.extended_resource is not None:
        spec["extendedResourceName"] = need.extended_resource
    return {"apiVersion": f"{GROUP}/v1", "kind": CLASS, "metadata": {"name": need.name}, "spec": spec}


class ClassIndex(NamedTuple):
    """DeviceClasses by their name, and by the resource name they serve; the first of several."""

    by_name: Mapping[str, KubeObject]
    by_resource: Mapping[str, KubeObject]


def index_classes(objects: Iterable[KubeObject]) -> ClassIndex:
    """The DeviceClasses among the objects."""
    by_name: dict[str, KubeObject] = {}
    by_resource: dict[str, KubeObject] = {}
    for obj in objects:
        if (obj.group, obj.ref.kind) == (GROUP, CLASS) and not obj.template:
            by_name.setdefault(obj.ref.name or "", obj)
            serves = string(get(obj.node, "spec", "extendedResourceName"))
            if serves is not None:
                by_resource.setdefault(serves, obj)
    return ClassIndex(by_name, by_resource)


def served_by(need: ClassNeed, there: KubeObject | None) -> ClassNeed:
    """The need, served by a class that is there; unchanged for None."""
    if there is None:
        return need
    place = there.file.place(there.node.start)
    return need._replace(name=there.ref.name or need.name, state="served", reason=f"it is there ({place})")


def _by_own_chart(resource: str, target: Target) -> str | None:
    """The class by which some stack serves a name."""
    found = (served_by_stack(resource, stack, target.dra_driver) for stack in STACKS)
    return next((by for by in found if by is not None), None)


def _of_stack(need: ClassNeed, target: Target, hint: str) -> ClassNeed:
    """The need, as far as the driver's installation serves the name, or may serve it.

    hint: what the files say of the stack that is not known, or ""
    """
    by = served_by_stack(need.resource, target.stack, target.dra_driver)
    if by is not None:
        return need._replace(state="served", reason=f"the DRA driver's own chart has {by} for it")
    by = _by_own_chart(need.resource, target) if target.stack == "unknown" else None
    if by is None:
        return need
    how = f"say which by --stack; {hint}" if hint else "say which by --stack"
    reason = f"needed unless the DRA driver's own chart is installed, which has {by} for it: {how}"
    return need._replace(state="told", reason=reason)


class Doubt(NamedTuple):
    """Why a class may not hand out what a resource means; named: among the named files."""

    reason: str
    named: bool


def _expressions(obj: KubeObject) -> list[str]:
    spec = claim_spec(obj)
    return [each.expression for each in spec.selectors if each.expression is not None] if spec else []


class Classes:
    """Who serves the resource names of a run: classes among the named files and in the context, or the driver's."""

    def __init__(self, installed: Installed, bundle: Bundle, context: Context) -> None:
        self._installed = installed
        self._bundles = (bundle, context)
        self._known: ClassIndex | None = None
        self._doubts: dict[tuple[str, str], Doubt | None] = {}
        self._needs: dict[tuple[Way, str, int], ClassNeed | None] = {}

    def _defined(self) -> ClassIndex:
        if self._known is None:
            bundle, context = self._bundles
            self._known = index_classes([*bundle.objects, *context.bundle.objects])
        return self._known

    def need(self, found: Found, way: Way) -> ClassNeed | None:
        """The class that the way asks for; None where the driver's own class is all it needs."""
        resource = found.resource
        if way == "claims" or all(known.type != resource.base for known in device_classes().values()):
            return None
        key = (way, resource.name, id(self._installed.target(found.file)))
        if key not in self._needs:
            self._needs[key] = self._need(found, way)
        return self._needs[key]

    def _need(self, found: Found, way: Way) -> ClassNeed | None:
        by_name, by_resource = self._defined()
        resource = found.resource
        if way == "extended-resource":
            need = ClassNeed(
                extended_class(resource), resource.name, resource.name, selectors(resource), "needed"
            )
            there = by_resource.get(resource.name)
            if there is None:
                target = self._installed.target(found.file)
                unknown = target.stack == "unknown"
                return _of_stack(need, target, self._installed.hint(found.file) if unknown else "")
        else:
            name = implicit_class(resource)
            if name in device_classes():
                return None
            need = ClassNeed(name, resource.name, None, selectors(resource), "needed")
            there = by_name.get(name)
        return served_by(need, there)

    def doubt(self, found: Found) -> Doubt | None:
        """What is strange about the class that serves a resource by its name, where one does."""
        target = self._installed.target(found.file)
        key = (found.resource.name, target.stack)
        if key not in self._doubts:
            self._doubts[key] = self._doubt(found.resource, target)
        return self._doubts[key]

    def _doubt(self, resource: GpuResource, target: Target) -> Doubt | None:
        found = self._defined().by_resource.get(resource.name)
        if found is None:
            return None
        place, named = found.file.place(found.node.start), found.file in self._bundles[0].files
        says = selected(_expressions(found))
        if says.type not in (None, resource.base):
            return Doubt(
                f"the DeviceClass {found.ref.name} serves {resource.name} by devices of the type {says.type} ({place})",
                named,
            )
        if resource.profile is not None and says.profile not in (None, resource.profile):
            return Doubt(
                f"the DeviceClass {found.ref.name} serves {resource.name} by the profile {says.profile} ({place})",
                named,
            )
        by = served_by_stack(resource.name, target.stack, target.dra_driver)
        if by is not None and by != found.ref.name:
            return Doubt(
                f"the DeviceClass {found.ref.name} ({place}) and {by} of the driver's chart both serve {resource.name}: the newer one wins",
                # What only other files say holds no request back.
                named and target is self._installed.said,
            )
        return None

    def of(self, found: Iterable[Found]) -> list[ClassNeed]:
        """The classes that decided requests stand on, by name, each once."""
        needs: dict[str, set[ClassNeed]] = {}
        for each in found:
            if each.verdict is not None and each.verdict.way is not None and each.verdict.reason != NOTHING:
                need = self.need(each, each.verdict.way)
                if need is not None:
                    needs.setdefault(need.name, set()).add(need)
        return [self._joint(sorted(needs[name])) for name in sorted(needs)]

    def _joint(self, needs: Sequence[ClassNeed]) -> ClassNeed:
        """The need of files that may be for clusters with different stacks: one that has it must get no second."""
        if all(each.state == needs[0].state for each in needs):
            return needs[0]
        by = _by_own_chart(needs[0].resource, self._installed.said)
        reason = (
            "the files are for several clusters: needed where a GPUCluster installs the DRA driver, and not where its own chart does, "
            f"which has {by} for it: convert the files of each cluster by themselves, or say which by --stack"
        )
        return needs[0]._replace(state="told", reason=reason)
