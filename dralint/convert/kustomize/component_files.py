"""The files of a kustomize Component: what is patched, what is added, and which fields hold names."""

from __future__ import annotations

from collections.abc import Iterable

from dralint.convert.kustomize.applied import pattern
from dralint.convert.kustomize.changes import Change
from dralint.convert.kustomize.component import Component
from dralint.convert.kustomize.kustomization import MADE, NameField
from dralint.kube.dra import GROUP
from dralint.yamltext.render import BlockStyle, mapping_lines, sequence_lines
from dralint.yamltext.view import Plain

KUSTOMIZATION, TEMPLATES, NAMES = "kustomization.yaml", "templates.yaml", "claim-names.yaml"
_STYLE = BlockStyle(step=2, dash=2, gap=1)
_USE = """\
# Where a kustomization lists the base under `resources`, list this directory under `components`. A test that fails
# there says that something changed the object before: make the component anew, or place it nearer to the base.
"""
_NAMES = """\
# kustomize does not know that these fields are names: without this a prefix, a suffix or a hash would be
# added to the name of a template and not to the references to it.
"""


def _lines(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def field_specs(fields: Iterable[NameField]) -> dict[str, list[Plain]]:
    """The fields as kustomize's configuration has them, by the kind of what they name."""
    specs: dict[str, list[Plain]] = {}
    for field in fields:
        group: dict[str, Plain] = {"group": field.group} if field.group else {}
        specs.setdefault(field.names, []).append({**group, "kind": field.kind, "path": field.path})
    return specs


def name_reference(kind: str, specs: list[Plain]) -> dict[str, Plain]:
    """An entry of `nameReference`: the fields that name objects of a kind of DRA."""
    return {"group": GROUP, "kind": kind, "fieldSpecs": specs}


def name_references(fields: Iterable[NameField]) -> str:
    """A configuration of kustomize: the fields that name claims and their templates."""
    entries: list[Plain] = [name_reference(kind, specs) for kind, specs in field_specs(fields).items()]
    return _lines(mapping_lines({"nameReference": entries}, 0, _STYLE))


def _patch(component: Component, change: Change) -> list[str]:
    obj = change.object
    target: dict[str, Plain] = {"group": obj.group} if obj.group else {}
    target |= {"version": obj.version, "kind": obj.ref.kind, "name": pattern(obj.ref.name or "")}
    if obj.ref.namespace:
        target["namespace"] = pattern(obj.ref.namespace)
    steps: list[Plain] = [*component.patch_of(change)]
    lines = mapping_lines({"target": target}, 4, _STYLE)
    return [
        f"  - {lines[0][4:]}",
        *lines[1:],
        "    patch: |-",
        *(f"      {line}" for line in sequence_lines(steps, 0, _STYLE)),
    ]


def files_of(component: Component) -> dict[str, str]:
    """The texts of the component's files by name."""
    templates, fields = component.added, component.name_fields
    head: dict[str, Plain] = {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component"}
    files: dict[str, str] = {}
    if templates:
        head["resources"] = [TEMPLATES]
        files[TEMPLATES] = MADE + "---\n".join(_lines(mapping_lines(item, 0, _STYLE)) for item in templates)
    if fields:
        head["configurations"] = [NAMES]
        files[NAMES] = MADE + _NAMES + name_references(fields)
    patches = [line for change in component.changes for line in _patch(component, change)]
    text = _lines([*mapping_lines(head, 0, _STYLE), "patches:", *patches])
    return {KUSTOMIZATION: MADE + _USE + text, **files}
