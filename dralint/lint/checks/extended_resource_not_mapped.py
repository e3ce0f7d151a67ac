"""extended-resource-not-mapped: on a GPUCluster nobody serves nvidia.com/gpu unless a class does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.kube.dra import CLASS, GROUP
from dralint.kube.objects import ParsedFile
from dralint.lint.installations import Installations
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.classes import device_classes
from dralint.yamltext.view import get, string

_INSTALLATIONS = "extended_resource_not_mapped"
_IMPLICIT = "deviceclass.resource.kubernetes.io/"


def served(name: str, run: Run) -> bool:
    """Whether a class among the files, or one that the stack installs, has the name."""
    installed = {each.extended_resource.get(run.target.stack) for each in device_classes().values()}
    if name in installed:
        return True
    return any(
        string(get(obj.node, "spec", "extendedResourceName")) == name
        for bundle in (run.bundle, run.context.bundle)
        for obj in bundle.objects
        if (obj.group, obj.ref.kind) == (GROUP, CLASS)
    )


def _plugin_runs(file: ParsedFile, run: Run) -> bool:
    """Whether something installs the device plugin for the file's cluster, which is still to be moved then."""
    if _INSTALLATIONS not in run.shared:
        run.shared[_INSTALLATIONS] = Installations(run)
    installations: Installations = run.shared[_INSTALLATIONS]
    return any(each.stack is None and each.runs_device_plugin for each in installations.of(file))


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a GPU resource of a container on a GPUCluster that no DeviceClass serves.

    MIG resources have mig-extended-name-unmapped.
    """
    facts: Any = subject.facts
    for request in facts["plugin_requests"]:
        name = request["resource"]
        if request["base"] not in ("gpu", "pgpu") or served(name, run):
            continue
        if not _plugin_runs(subject.object.file, run):
            implicit = f"{_IMPLICIT}gpu.nvidia.com"
            yield Hit("@device_plugin", {"resource": name, "implicit": implicit})
        return
