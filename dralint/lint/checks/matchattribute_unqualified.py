"""matchattribute-unqualified: a constraint names an attribute with its domain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.kube.formats import is_full_attribute_name
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.published import attributes, device_types, gpu_driver_name
from dralint.yamltext.operations import Operation, Replace


def _full_name(name: str, run: Run) -> str | None:
    """The attribute of NVIDIA's devices that has this name without its domain."""
    for device_type in device_types(run.target):
        for attribute in attributes(device_type, run.target):
            if attribute.name == name:
                return f"{attribute.domain or gpu_driver_name()}/{name}"
    return None


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for an attribute name that is not domain/identifier; the fix adds the domain that NVIDIA's driver uses."""
    facts: Any = subject.facts
    if facts["format"] != "attribute" or facts["conforms"]:
        return
    full = _full_name(facts["value"], run)
    if full is None or not is_full_attribute_name(full):
        what = "it has no domain" if "/" not in facts["value"] else "it is no such name"
        yield Hit("", {"advice": f"{what}; write {facts['says']}"})
        return
    operations: tuple[Operation, ...] = (Replace(subject.object.document, subject.path, full),)
    yield Hit("", {"advice": f"for NVIDIA's devices write {full}"}, operations=operations)
