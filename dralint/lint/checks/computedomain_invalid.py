"""computedomain-invalid: what the API server refuses or drops of a ComputeDomain."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from typing import Any

from dralint.kube.objects import KubeObject
from dralint.lint.facts.patched import is_patch
from dralint.lint.facts.placeholders import templated
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.nearest import did_you_mean
from dralint.resources import directory
from dralint.yamltext.view import Path, field_path, plain


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    with open(
        os.path.join(directory("schemas"), "nvidia", "ComputeDomain.schema.json"), encoding="utf-8"
    ) as file:
        return Draft202012Validator(json.load(file))


def _told(error: Any) -> Iterator[tuple[Path, str]]:
    """Paths and what is wrong there, of one error of the schema."""
    path: Path = tuple(error.absolute_path)
    where = field_path(path)
    if error.validator == "additionalProperties":
        known = tuple(error.schema["properties"])
        for name in error.instance:
            if name not in known and not name.startswith("$"):  # a directive of a patch
                advice = did_you_mean(name, known) or f"known here: {', '.join(known)}"
                yield (*path, name), f"a ComputeDomain has no field {field_path((*path, name))}; {advice}"
    elif error.validator == "const":
        yield path, f"{where} is {error.instance}, the driver serves only {error.validator_value}"
    elif error.validator == "enum":
        yield path, f"{where} is {error.instance}, and can be {' or '.join(error.validator_value)}"
    elif error.validator == "minimum":
        yield path, f"{where} is less than {error.validator_value}"
    elif error.validator == "type":
        yield path, f"{where} is no {error.validator_value}"


def _missing(error: Any) -> Iterator[tuple[Path, str]]:
    """The same, of fields that must be there."""
    for name in error.validator_value:
        if name not in error.instance:
            path: Path = tuple(error.absolute_path)
            says = f"{field_path((*path, name))} is missing: it names the template that the controller makes"
            yield path, says


def _may_be_patch(obj: KubeObject, run: Run) -> bool:
    """Whether it is named as a patch, or there is another of its name that it may only change."""
    name, kind = obj.ref.name, obj.ref.kind
    if name is None or kind is None or is_patch(obj):
        return True
    found = (run.bundle, run.context.bundle)
    others = (other for bundle in found for other in bundle.find(kind, None, name, obj.group))
    return any(
        (other.file.file.name, other.path, other.document) != (obj.file.file.name, obj.path, obj.document)
        for other in others
    )


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for each field of a ComputeDomain that its definition does not allow, and for a missing one.

    Nothing is missing of an object that may be a patch of another one.
    """
    obj = subject.object
    if obj.template:
        return
    told: dict[tuple[Path, str], None] = {}
    for error in _validator().iter_errors(plain(obj.node)):
        if error.validator == "required":
            if not _may_be_patch(obj, run):
                told.update(dict.fromkeys(_missing(error)))
        elif not (isinstance(error.instance, str) and templated(error.instance)):
            told.update(dict.fromkeys(_told(error)))
    for path, says in told:
        yield Hit((*subject.path, *path), {"says": says})
