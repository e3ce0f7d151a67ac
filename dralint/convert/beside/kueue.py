"""Kueue: it counts claims under the name that its configuration gives to their DeviceClass."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from dralint.convert.beside.companion import Companion, beside_data, companion
from dralint.convert.claims import CLAIMED, device_class
from dralint.convert.sharing.sharing import counts_parts
from dralint.convert.work import Ground
from dralint.errors import Place
from dralint.kube.bundle import Bundle
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.paths import follow, steps
from dralint.nvidia.node_labels import Device, node_label
from dralint.nvidia.resources import GpuResource, classify
from dralint.yamltext.compose import compose
from dralint.yamltext.node import MAP, SCALAR, SEQ, Node, deref
from dralint.yamltext.operations import Append, Operation, Put
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Plain, children, entries, get, string

# A string that holds a configuration is small; a larger one is something else.
_MAX_STRING = 100_000
_MAPPINGS = "deviceClassMappings"
# The modes in which pods that Kueue admits have claims.
_CLAIMS = ("auto", "claims")


class Setting(NamedTuple):
    """A configuration of Kueue; inside: it stands in a string of the object, at the node `at`."""

    obj: KubeObject
    root: Node
    at: Node
    inside: bool

    @property
    def mapped(self) -> dict[str, str]:
        """By DeviceClass the name that it is counted under."""
        found: dict[str, str] = {}
        for each in children(get(self.root, "resources", _MAPPINGS)):
            name = string(get(each, "name"))
            for item in children(get(each, "deviceClassNames")):
                of_class = string(item)
                if name is not None and of_class is not None:
                    found.setdefault(of_class, name)
        return found

    @property
    def switched_off(self) -> bool:
        """Whether it turns Kueue's support for claims off."""
        gate = get(self.root, "featureGates", beside_data()["kueue_configuration"]["gate"])
        return gate is not None and gate.kind == SCALAR and resolve(gate) is False


class Kueue(NamedTuple):
    """What some files say of Kueue.

    settings  its configurations
    covered   the GPU resources that its queues cover, each with its first queue
    counted   by DeviceClass the name that it is counted under, and where that is said
    """

    settings: tuple[Setting, ...]
    covered: Mapping[GpuResource, KubeObject]
    counted: Mapping[str, tuple[str, Place]]


def _is_configuration(root: Node) -> bool:
    known = beside_data()["kueue_configuration"]
    version, kind = string(get(root, "apiVersion")) or "", string(get(root, "kind"))
    return (version.rpartition("/")[0], kind) == (known["group"], known["kind"])


def _settings(file: ParsedFile) -> Iterator[Setting]:
    word = beside_data()["kueue_configuration"]["group"]
    for obj in file.objects if file.holds(word.encode()) else ():
        if _is_configuration(obj.node):
            yield Setting(obj, obj.node, obj.node, inside=False)
        data = get(obj.node, "data") if (obj.group, obj.ref.kind) == ("", "ConfigMap") else None
        for entry in entries(data).values() if data is not None and data.kind == MAP else ():
            text = string(entry.value) or ""
            if word not in text or len(text) > _MAX_STRING:
                continue
            for document in compose(text):
                if (
                    document.problem is None
                    and document.root is not None
                    and _is_configuration(document.root)
                ):
                    yield Setting(obj, document.root, entry.key, inside=True)


@lru_cache(maxsize=1)
def _queue_paths() -> Sequence[tuple[str, ...]]:
    return tuple(map(steps, beside_data()["queue_resources"]["paths"]))


def _is_queue(obj: KubeObject) -> bool:
    return any((obj.group, obj.ref.kind) == (each["group"], each["kind"]) for each in beside_data()["queues"])


def _covered(obj: KubeObject) -> dict[GpuResource, Node]:
    """The GPU resources that a queue covers, each with the node that says so first."""
    found: dict[GpuResource, Node] = {}
    for path in _queue_paths() if _is_queue(obj) else ():
        for match in follow(obj.node, path):
            resource = classify(string(match.node) or "")
            if resource is not None:
                found.setdefault(resource, deref(match.node))
    return found


# The named files of a run, and its context.
@lru_cache(maxsize=2)
def kueue_of(bundle: Bundle) -> Kueue:
    """What the files of a bundle say of Kueue."""
    covered: dict[GpuResource, KubeObject] = {}
    for obj in bundle.objects:
        for resource in _covered(obj):
            covered.setdefault(resource, obj)
    settings = tuple(each for file in bundle.files for each in _settings(file))
    counted: dict[str, tuple[str, Place]] = {}
    for setting in settings:
        place = setting.obj.file.place(setting.at.start)
        for of_class, name in setting.mapped.items():
            counted.setdefault(of_class, (name, place))
    return Kueue(settings, covered, counted)


def counted_as(of_class: str, ground: Ground) -> tuple[str, Place] | None:
    """The name that Kueue counts a class under, as the named files say it, or else the context."""
    found = kueue_of(ground.bundle).counted.get(of_class)
    return found or kueue_of(ground.context.bundle).counted.get(of_class)


def queue_companions(obj: KubeObject, ground: Ground, mapped: Collection[str]) -> Iterator[Companion]:
    """A queue that covers a GPU resource, where Kueue does not count claims under that name.

    mapped  the classes that Kueue counts so after an edit of this run
    """
    covered = _covered(obj) if ground.options.mode in _CLAIMS else {}
    names = {resource.name for resource in covered}
    slices = [resource.name for resource in covered if resource.base == "mig"]
    for resource, node in covered.items():
        if resource.base not in CLAIMED or resource.shared:
            message = f"the queue covers {resource.name}, and claims are counted under the names of {_MAPPINGS} only"
            yield companion(obj, node, "quota", message)
            continue
        of_class = device_class(resource)
        if of_class in mapped:
            continue
        counted = counted_as(of_class, ground)
        if counted is not None and counted[0] not in names:
            message = f"Kueue counts claims of {of_class} as {counted[0]} ({counted[1]}), which this queue does not cover"
            yield companion(obj, node, "quota", message)
        elif counted is None and resource.base == "gpu":
            message = f"claims of {of_class} count as {resource.name} here only if {_MAPPINGS} of Kueue's configuration says so; the queue can stay as it is"
            yield companion(obj, node, "quota", message)
        elif counted is None and resource.name == slices[0]:
            message = f"Kueue counts the class {of_class} under one name, for all MIG profiles together: {', '.join(slices)} cannot stay apart without DeviceClasses of your own"
            yield companion(obj, node, "quota", message)


def flavor_companions(obj: KubeObject, ground: Ground) -> Iterator[Companion]:
    """A flavor by which Kueue lets pods select nodes by labels of GPU Feature Discovery."""
    known = beside_data()["flavors"]
    if (obj.group, obj.ref.kind) != (known["group"], known["kind"]):
        return
    labels = get(obj.node, *steps(known["labels"]))
    for label, entry in entries(labels).items() if labels is not None and labels.kind == MAP else ():
        told = node_label(label, Device("gpu"), ground.options.target)
        if told is not None and told.reads is not None:
            message = f"Kueue lets the pods of this flavor select nodes by {label}: where GPU Feature Discovery does not run beside the DRA driver nothing sets it, and they wait for ever"
            yield companion(obj, entry.key, "node-labels", message)


def _operation(setting: Setting, entry: Plain) -> Operation | None:
    """What adds a mapping to a configuration; None where its place is taken by something else."""
    obj = setting.obj
    resources = get(setting.root, "resources")
    if resources is None or resources.kind != MAP:
        empty = resources is None or (resources.kind == SCALAR and resolve(resources) is None)
        return Put(obj.document, obj.path, "resources", {_MAPPINGS: [entry]}) if empty else None
    listed = get(resources, _MAPPINGS)
    path = (*obj.path, "resources")
    if listed is not None and listed.kind == SEQ:
        return Append(obj.document, (*path, _MAPPINGS), entry)
    empty = listed is None or (listed.kind == SCALAR and resolve(listed) is None)
    return Put(obj.document, path, _MAPPINGS, [entry]) if empty else None


def configuration_companions(obj: KubeObject, ground: Ground) -> Iterator[Companion]:
    """A configuration of Kueue that does not map the class of a GPU which queues among the named files cover."""
    kueue = kueue_of(ground.bundle)
    for setting in kueue.settings if ground.options.mode in _CLAIMS else ():
        if setting.obj is not obj:
            continue
        for resource, queue in kueue.covered.items():
            if resource.base != "gpu" or resource.shared or device_class(resource) in setting.mapped:
                continue
            yield _unmapped(setting, resource, queue, ground)
            break


def _unmapped(setting: Setting, resource: GpuResource, queue: KubeObject, ground: Ground) -> Companion:
    of_class, name = device_class(resource), resource.name
    place = queue.file.place(queue.node.start)
    entry: Plain = {"name": name, "deviceClassNames": [of_class]}
    missing = f"Kueue does not know the class {of_class}, and admits no claim of it ({queue.ref.kind} covers {name}, {place})"
    how = f"resources.{_MAPPINGS} needs name: {name}, deviceClassNames: [{of_class}]"
    taken = name in setting.mapped.values()
    shared = counts_parts(resource, ground)
    if setting.switched_off:
        message = f"{missing}: {beside_data()['kueue_configuration']['gate']} is off, and {how}"
    elif setting.inside:
        message = f"{missing}: {how}; it stands in a string, which is never edited"
    elif shared:
        message = f"{missing}: a unit of {name} may be a share of a GPU, so the class needs a name of its own"
    elif taken:
        message = f"{missing}: {name} stands there for other classes"
    else:
        operation = _operation(setting, entry)
        done = f"Kueue counts claims of {of_class} as {name} now, as {queue.ref.kind} {queue.ref.name} does ({place}): restart its manager, which reads this when it starts"
        return companion(
            setting.obj, _place(setting), "quota", f"{missing}: {how}", [operation] if operation else [], done
        )
    return companion(setting.obj, _place(setting), "quota", message)


def _place(setting: Setting) -> Node:
    """The node that a note on a configuration points to."""
    if setting.inside:
        return setting.at
    resources = get(setting.root, "resources")
    listed = get(resources, _MAPPINGS)
    return next((each for each in (listed, resources) if each is not None), setting.at)
