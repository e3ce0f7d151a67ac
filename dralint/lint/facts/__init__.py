"""Facts of manifests, as plain data that rules read; schemas/facts.schema.json describes every kind.

A kind of subject and its facts come from one module, which is loaded when a rule that runs reads one of its kinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from dralint.kube.objects import KubeObject
from dralint.lint.facts.common import Surroundings
from dralint.lint.run import Run
from dralint.lint.subject import Subject

# The kinds of each module, as its own KINDS says (a test compares): by object, in this order, and by file.
BY_OBJECT: Mapping[str, tuple[str, ...]] = {
    "claims": ("object", "claim", "request", "reference", "name"),
    "asks": ("ask", "selector_entry", "toleration", "constraint"),
    "configs": ("config",),
    "slices": ("slice", "device", "attribute", "capacity"),
    "fields": ("field",),
    "typed": ("typed",),
    "pod_subjects": ("pod", "pod_claim", "container", "container_claim", "name"),
    "pod_resources": ("pod_resource",),
}
BY_FILE: Mapping[str, tuple[str, ...]] = {"configs": ("gate_use",), "gated": ("kubernetes_gate_use",)}
KINDS = frozenset(kind for table in (BY_OBJECT, BY_FILE) for kinds in table.values() for kind in kinds)


def _readable(obj: KubeObject) -> bool:
    """Not in a template that only parses by accident: what is there is not what will be applied."""
    return not obj.file.documents[obj.document].template


def _modules(table: Mapping[str, tuple[str, ...]], kinds: frozenset[str]) -> list[Any]:
    return [import_module(f"{__name__}.{name}") for name, own in table.items() if not kinds.isdisjoint(own)]


def subjects(run: Run, kinds: frozenset[str]) -> Iterator[Subject]:
    """The subjects of the named files that are of one of the kinds, file by file, in file order."""
    around = Surroundings(run)
    of_object, of_file = _modules(BY_OBJECT, kinds), _modules(BY_FILE, kinds)
    for file in run.files:
        objects = [obj for obj in file.objects if _readable(obj)]
        for obj in objects:
            for module in of_object:
                yield from module.subjects(obj, kinds, around)
        for module in of_file:
            yield from module.file_subjects(objects, around)
