"""Subjects of containers that get GPUs by claims: `gpu_container`."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import container_claims
from dralint.kube.objects import KubeObject
from dralint.kube.places import Container, containers, pod_specs
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.needs import Need
from dralint.lint.facts.operators import devices_of
from dralint.lint.facts.parallelism import ranks
from dralint.lint.facts.pods import Pod, resolved
from dralint.lint.subject import Subject
from dralint.yamltext.node import SCALAR
from dralint.yamltext.view import Path, Plain, children, get, string

KINDS = frozenset({"gpu_container"})
_VARIABLES = ("NVIDIA_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES")
Anchors = dict[str, tuple[KubeObject, Path]]


def _variables(container: Container) -> dict[str, tuple[str, Path]]:
    """The values of variables that choose devices, where the manifest has them, and their paths."""
    found: dict[str, tuple[str, Path]] = {}
    for index, each in enumerate(children(get(container.node, "env"))):
        name, value = string(get(each, "name")), get(each, "value")
        if name in _VARIABLES and value is not None and value.kind == SCALAR:
            found[name] = (value.text, (*container.path, "env", index))
    return found


def _wanted(pod: Pod, index: int) -> list[list[list[Need]]]:
    """Per claim the container lists, per candidate, the GPUs it takes."""
    return [
        [[need for need in needs if need.gpu is not False and not need.admin] for needs in pod.wanted(claim)]
        for claim in pod.container_claims[index]
    ]


def _container(pod: Pod, index: int, around: Surroundings) -> Subject | None:
    container, obj = pod.containers[index], pod.spec.object
    wanted = [each for each in _wanted(pod, index) if any(each)]
    if not any(need.gpu for each in wanted for needs in each for need in needs):
        return None
    counts = [devices_of(each) for each in wanted]
    types = {need.type for each in wanted for needs in each for need in needs}
    variables = _variables(container)
    parallel = ranks(container)
    anchors: Anchors = {name.lower(): (obj, path) for name, (_, path) in variables.items()}
    if parallel is not None:
        anchors["ranks"] = (obj, parallel.path)
    resolution = pod.resolution(pod.container_claims[index][0].name)
    if resolution.claims:
        anchors["claim"] = (resolution.claims[0].object, resolution.claims[0].path)
    facts: dict[str, Plain] = {
        "name": container.name,
        "role": container.group,
        "devices": None if None in counts else sum(count for count in counts if count is not None),
        "types": [*sorted(each or "unknown" for each in types)],
        "nvidia_visible_devices": variables.get(_VARIABLES[0], (None,))[0],
        "cuda_visible_devices": variables.get(_VARIABLES[1], (None,))[0],
        "ranks": None if parallel is None else parallel.number,
        "ranks_text": None if parallel is None else parallel.text,
        "pod": pod.facts,
    }
    return around.subject("gpu_container", obj, container.path, facts, anchors)


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The containers of an object that get GPUs by claims."""
    for spec in pod_specs(obj):
        if not any(map(container_claims, containers(spec))):
            continue
        pod = resolved(spec, around.resolver)
        for index in range(len(pod.containers)):
            found = _container(pod, index, around)
            if found is not None:
                yield found
