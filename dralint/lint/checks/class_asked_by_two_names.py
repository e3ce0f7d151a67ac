"""class-asked-by-two-names: the names that a DeviceClass has as an extended resource, in one pod."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.kube.dra import CLASS
from dralint.kube.objects import KubeObject
from dralint.kube.places import containers, pod_specs
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.classes import device_classes
from dralint.yamltext.node import MAP
from dralint.yamltext.view import entries, get, string


def _defined(name: str, run: Run) -> KubeObject | None:
    found = run.bundle.find(CLASS, None, name) or run.context.bundle.find(CLASS, None, name)
    return found[0] if found else None


def _installed(name: str, run: Run) -> str | None:
    known = device_classes().get(name)
    return known.extended_resource.get(run.target.stack) if known is not None else None


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for the name that a class has by itself, where the same pod uses the one that the class gives."""
    facts: Any = subject.facts
    if facts["place"] != "container" or facts["name"] != facts["right"]:
        return
    of = facts["device_class"]
    defined = _defined(of, run)
    other = string(get(defined.node, "spec", "extendedResourceName")) if defined else _installed(of, run)
    if not other:
        return
    own = next(pod for pod in pod_specs(subject.object) if subject.path[: len(pod.path)] == pod.path)
    limits = (get(each.node, "resources", "limits") for each in containers(own))
    asked = {
        name for mapping in limits if mapping is not None and mapping.kind == MAP for name in entries(mapping)
    }
    side = subject.path[-2]
    if other in asked and (side == "limits" or facts["name"] not in asked):
        related = (
            ()
            if defined is None
            else ((defined, (*defined.path, "spec", "extendedResourceName"), "the class has both names"),)
        )
        yield Hit("", {"other": other}, related=related)
