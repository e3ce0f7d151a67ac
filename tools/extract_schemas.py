#!/usr/bin/env python3
"""Cuts out of the PyPI package kubernetes-validate what dralint ships in schemas/kubernetes/.

One file per Kubernetes version: every kind of resource.k8s.io and the parts of a pod that concern claims, in the
strict form (unknown fields refused), with all they refer to and without the descriptions. Usage:

    pip install kubernetes-validate
    python tools/extract_schemas.py [DIRECTORY]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

VERSIONS = ("1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37")
POD_PARTS = (
    "io.k8s.api.core.v1.PodResourceClaim",
    "io.k8s.api.core.v1.ResourceRequirements",
    "io.k8s.api.core.v1.Toleration",
)
KEPT_EXTENSIONS = (
    "x-kubernetes-group-version-kind",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
)
NOTICE = (
    "Extracted by tools/extract_schemas.py from the JSON schemas of Kubernetes {version}.0 in the Python package "
    "kubernetes-validate, without descriptions. Copyright The Kubernetes Authors, licensed under the Apache License, "
    "Version 2.0 (http://www.apache.org/licenses/LICENSE-2.0)."
)
_PREFIX = "#/$defs/"
_OF_NAMES = ("properties", "patternProperties")
_OF_SCHEMA = ("additionalProperties", "items", "not")
_OF_SCHEMAS = ("allOf", "anyOf", "oneOf")


def definitions(version: str) -> dict[str, Any]:
    """All definitions of a Kubernetes version ("1.36") by name, as the package has them."""
    folder = files("kubernetes_validate") / "kubernetes-json-schema" / f"v{version}.0-local-strict"
    found: dict[str, Any] = json.loads((folder / "_definitions.json").read_text("utf-8"))["$defs"]
    return found


def bare(schema: Any) -> Any:
    """A schema without what only people read; a property that is called `description` stays."""
    if not isinstance(schema, dict):
        return schema
    kept: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword == "description" or (keyword.startswith("x-") and keyword not in KEPT_EXTENSIONS):
            continue
        if keyword in _OF_NAMES:
            kept[keyword] = {name: bare(child) for name, child in value.items()}
        elif keyword in _OF_SCHEMA:
            kept[keyword] = bare(value)
        elif keyword in _OF_SCHEMAS:
            kept[keyword] = [bare(child) for child in value]
        else:
            kept[keyword] = value
    return kept


def references(schema: Any) -> Iterator[str]:
    """The names of the definitions that a schema refers to."""
    if isinstance(schema, dict):
        target = schema.get("$ref")
        if isinstance(target, str):
            yield target.removeprefix(_PREFIX)
        for value in schema.values():
            yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)


def kinds(available: dict[str, Any]) -> dict[str, str]:
    """`apiVersion/kind` of every kind of resource.k8s.io but the lists, to the name of its definition."""
    found: dict[str, str] = {}
    for name, schema in available.items():
        for entry in schema.get("x-kubernetes-group-version-kind", ()):
            if entry["group"] == "resource.k8s.io" and not entry["kind"].endswith("List"):
                found[f"resource.k8s.io/{entry['version']}/{entry['kind']}"] = name
    # DeleteOptions and the like carry the group of every API; they are no kinds of this one.
    return {key: name for key, name in sorted(found.items()) if ".api.resource." in name}


def extract(version: str) -> dict[str, Any]:
    """The schema file of one Kubernetes version; `kinds` says where each apiVersion/kind is defined."""
    available = definitions(version)
    of_kind = kinds(available)
    wanted: dict[str, Any] = {}
    queue = [*of_kind.values(), *POD_PARTS]
    while queue:
        name = queue.pop()
        if name not in wanted:
            wanted[name] = bare(available[name])
            queue.extend(references(wanted[name]))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": NOTICE.format(version=version),
        "kinds": {key: _PREFIX + name for key, name in of_kind.items()},
        "$defs": {name: wanted[name] for name in sorted(wanted)},
    }


def render(schema: dict[str, Any]) -> str:
    """The file's text: a line for each kind and definition, so that a diff between versions can be read."""
    lines = ["{"]
    for key, value in schema.items():
        if isinstance(value, dict):
            entries = [f"{json.dumps(name)}: {_compact(child)}" for name, child in value.items()]
            lines.append(f"{json.dumps(key)}: {{\n" + ",\n".join(entries) + "\n},")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)},")
    return "\n".join(lines).removesuffix(",") + "\n}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def main(arguments: list[str]) -> int:
    """Writes a file for each version; the directory is schemas/kubernetes/ unless another one is named."""
    default = Path(__file__).resolve().parent.parent / "schemas" / "kubernetes"
    target = Path(arguments[0]) if arguments else default
    target.mkdir(parents=True, exist_ok=True)
    for version in VERSIONS:
        (target / f"{version}.json").write_text(render(extract(version)), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
