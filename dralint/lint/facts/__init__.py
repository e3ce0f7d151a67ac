"""Facts of manifests, as plain data that rules read; schemas/facts.schema.json describes every kind.

A kind of subject and its facts come from one module: `claims` (object, claim, request, reference,
name), `configs` (config, gate_use) and `pod_subjects` (pod, pod_claim, container, container_claim, name).
"""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.objects import KubeObject
from dralint.lint.facts import claims, configs, pod_subjects
from dralint.lint.facts.common import Surroundings
from dralint.lint.run import Run
from dralint.lint.subject import Subject

KINDS = claims.KINDS | configs.KINDS | pod_subjects.KINDS


def _readable(obj: KubeObject) -> bool:
    """Not in a template that only parses by accident: what is there is not what will be applied."""
    return not obj.file.documents[obj.document].template


def subjects(run: Run, kinds: frozenset[str]) -> Iterator[Subject]:
    """The subjects of the named files that are of one of the kinds, file by file, in file order."""
    around = Surroundings(run)
    for file in run.files:
        objects = [obj for obj in file.objects if _readable(obj)]
        for obj in objects:
            if kinds & claims.KINDS:
                yield from claims.subjects(obj, kinds, around)
            if "config" in kinds:
                yield from configs.subjects(obj, around)
            if kinds & pod_subjects.KINDS:
                yield from pod_subjects.subjects(obj, kinds, around)
        if "gate_use" in kinds:
            yield from configs.gate_subjects(objects, around)
