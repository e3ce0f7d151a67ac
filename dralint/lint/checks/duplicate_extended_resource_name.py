"""duplicate-extended-resource-name: of two classes with one name the newer one serves it, without a word."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from dralint.kube.dra import CLASS, GROUP
from dralint.kube.neighbours import beside
from dralint.kube.objects import KubeObject
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.classes import device_classes
from dralint.yamltext.view import get, string

_NAME = "duplicate-extended-resource-name"
_AT = "spec.extendedResourceName"


def _classes(run: Run) -> dict[str, list[KubeObject]]:
    """The classes of the named files by the resource name they serve, in their order."""
    if _NAME not in run.shared:
        found: dict[str, list[KubeObject]] = defaultdict(list)
        for obj in run.bundle.objects:
            served = string(get(obj.node, "spec", "extendedResourceName")) if obj.ref.kind == CLASS else None
            if served is not None and obj.group == GROUP and not obj.template:
                found[served].append(obj)
        run.shared[_NAME] = found
    known: dict[str, list[KubeObject]] = run.shared[_NAME]
    return known


def _others(obj: KubeObject, name: str, run: Run) -> Iterator[KubeObject]:
    """Earlier classes of the same cluster with that name: in one directory, or with --complete."""
    for other in _classes(run)[name]:
        if other is obj:
            return
        if other.ref.name != obj.ref.name and beside(other, obj, complete=run.complete):
            yield other


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for the second class with a name, or for one with the name of a class that the stack installs."""
    obj, name = subject.object, subject.facts["extended_resource"]
    if subject.facts["what"] != "class" or not isinstance(name, str):
        return
    for other in _others(obj, name, run):
        place = (other, (*other.path, "spec", "extendedResourceName"), "the other class")
        yield Hit(_AT, {"other": str(other.ref.name)}, related=(place,))
        return
    for known in device_classes().values():
        if known.extended_resource.get(run.target.stack) == name and known.name != obj.ref.name:
            yield Hit(_AT, {"other": f"{known.name} of the driver's chart"})
