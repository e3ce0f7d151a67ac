"""GPUClusters against their schema: what the API server refuses, and what it drops."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from dralint.resources import directory
from dralint.yamltext.view import Path


class Problem(NamedTuple):
    """What is wrong at a field; name: of the field that is dropped, "" for what is refused; missing: it is not there."""

    path: Path
    says: str
    name: str = ""
    known: tuple[str, ...] = ()
    missing: bool = False


@cache
def _schema() -> Any:
    with open(os.path.join(directory("schemas"), "gpucluster.schema.json"), encoding="utf-8") as file:
        return json.load(file)


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(_schema())


def not_deployed() -> tuple[str, ...]:
    """Parts of a ClusterPolicy that a GPUCluster has no place for."""
    return tuple(_schema()["properties"]["spec"]["x-not-deployed"])


def _said(error: Any) -> str:
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        return f"{', '.join(missing)} is missing"
    if error.validator == "const":
        return f"the name must be {error.validator_value}: there is one GPUCluster"
    if error.validator == "pattern":
        return "it has letters, digits and dashes only, no registry and no tag"
    if error.validator in ("minimum", "maximum"):
        return "a port is 1 to 65535"
    return f"it is no {error.validator_value}"


def problems(data: Any) -> Iterator[Problem]:
    """The problems of a GPUCluster as plain data, in no order."""
    for error in _validator().iter_errors(data):
        path: Path = tuple(error.absolute_path)
        if error.validator == "additionalProperties":
            known = tuple(error.schema["properties"])
            for name in error.instance:
                if name not in known:
                    yield Problem((*path, name), "", str(name), known)
        else:
            yield Problem(path, _said(error), missing=error.validator == "required")
    spec = data.get("spec") if isinstance(data, dict) else None
    given = spec if isinstance(spec, dict) else {}
    for name in not_deployed():
        if name in given:
            yield Problem(("spec", name), "", name)
