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
    "selectors": ("selector",),
    "class_uses": ("class_use",),
    "configs": ("config",),
    "slices": ("slice", "device", "attribute", "capacity"),
    "fields": ("field",),
    "typed": ("typed",),
    "pod_subjects": ("pod", "pod_claim", "container", "container_claim", "name"),
    "pod_resources": ("pod_resource",),
    "workloads": ("workload",),
    "claim_uses": ("claim_use",),
    "gpu_containers": ("gpu_container",),
    "kueue": ("queue_use",),
    "installs": ("install", "gate_setting"),
    "plugin_configs": ("shared_resource",),
    "mig_layouts": ("mig_layouts",),
    "compute_domains": ("compute_domain",),
    "served": ("nim_service", "nim_resource", "managed_dra"),
    "quotas": ("quota",),
    "class_names": ("class_resource",),
    "nodes": ("node", "namespace"),
    "addons": ("addon",),
    "policies": ("policy",),
    "virtual_machines": ("vm_device",),
}
BY_FILE: Mapping[str, tuple[str, ...]] = {"configs": ("gate_use",), "gated": ("kubernetes_gate_use",)}
# By the text of a file, and once for the whole run.
BY_TEXT: Mapping[str, tuple[str, ...]] = {"separators": ("separator",)}
BY_RUN: Mapping[str, tuple[str, ...]] = {"targets": ("platform",)}
_TABLES = (BY_OBJECT, BY_FILE, BY_TEXT, BY_RUN)
KINDS = frozenset(kind for table in _TABLES for kinds in table.values() for kind in kinds)


def _readable(obj: KubeObject) -> bool:
    """Not in a template that only parses by accident: what is there is not what will be applied."""
    return not obj.file.documents[obj.document].template


def _modules(table: Mapping[str, tuple[str, ...]], kinds: frozenset[str]) -> list[Any]:
    return [import_module(f"{__name__}.{name}") for name, own in table.items() if not kinds.isdisjoint(own)]


def subjects(run: Run, kinds: frozenset[str]) -> Iterator[Subject]:
    """The subjects of the named files that are of one of the kinds, file by file, in file order."""
    around = Surroundings(run)
    of_object, of_file, of_text = (_modules(table, kinds) for table in (BY_OBJECT, BY_FILE, BY_TEXT))
    for file in run.files:
        objects = [obj for obj in file.objects if _readable(obj)]
        for obj in objects:
            for module in of_object:
                yield from module.subjects(obj, kinds, around)
        for module in of_file:
            yield from module.file_subjects(objects, around)
        for module in of_text:
            yield from module.text_subjects(file, around)
    for module in _modules(BY_RUN, kinds):
        yield from module.run_subjects(around)
