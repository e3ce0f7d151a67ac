"""The target as the files show it: GPUClusters, chart values and releases among them set stack and gates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from dralint.kube.objects import KubeObject, ParsedFile

if TYPE_CHECKING:
    from dralint.nvidia.installs import Install
    from dralint.nvidia.target import Stack, Target

# A file without one of these installs nothing; they are few so that looking costs little.
_TELLING = (b"GPUCluster", b"gpuCluster", b"featureGates", b"gpuResourcesEnabledOverride", b"dra-driver")


def telling(files: Iterable[ParsedFile]) -> list[ParsedFile]:
    """The files that can say something about the DRA driver's installation."""
    return [file for file in files if any(word in file.file.data for word in _TELLING)]


def _readable(obj: KubeObject) -> bool:
    return not obj.template


def _driver_installs(files: Sequence[ParsedFile]) -> list[Install]:
    from dralint.nvidia.installs import installs

    found = [each for file in files for obj in file.objects if _readable(obj) for each in installs(obj)]
    return [each for each in found if each.stack is not None]


def _gates(found: Iterable[Install]) -> Mapping[str, bool]:
    """Of several installations that disagree the one that has a gate on counts: better silent than wrong."""
    gates: dict[str, bool] = {}
    for install in found:
        for gate in install.gates:
            if gate.value is not None:
                gates[gate.name] = gates.get(gate.name, False) or gate.value
    return gates


def _source(install: Install) -> str:
    return f"{install.kind.title} in {install.object.file.file.name}"


def learned(target: Target, files: Iterable[ParsedFile]) -> Target:
    """The target with what the files say about the DRA driver, where nobody said it otherwise."""
    able = telling(files)
    found = _driver_installs(able) if able else []
    if target.stack != "unknown":
        found = [each for each in found if each.stack == target.stack]
    if not found:
        return target
    from dralint.nvidia.target import learned as with_installation

    stacks: set[Stack] = {each.stack for each in found}  # type: ignore[misc]  # the data has these words
    versions = {version for each in found if (version := each.dra_driver) is not None}
    sources = list(dict.fromkeys(map(_source, found)))
    source = sources[0] if len(sources) == 1 else f"{sources[0]} and {len(sources) - 1} more"
    return with_installation(
        target,
        stacks.pop() if len(stacks) == 1 else None,
        _gates(found),
        versions.pop() if len(versions) == 1 else None,
        source,
    )
