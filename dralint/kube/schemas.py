"""Unknown fields and wrong types, by Kubernetes' own JSON Schemas (schemas/kubernetes/<version>.json)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, Literal, NamedTuple

from dralint.kube.quantity import parse_quantity
from dralint.kube.versions import Version
from dralint.resources import directory
from dralint.yamltext.view import Path, Plain

_REFERENCE = "#/$defs/"
_QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity"
# A cluster writes it, not a manifest.
_STATUS = "status"
# Of longer lists and mappings, which the API refuses for their length, the beginning is read.
_LOOKED_AT = 1000


class Problem(NamedTuple):
    """What the API server, reading strictly, does not accept.

    what        unknown: a field that is not there; type: a value of another type; quantity: a text that is none
    definition  of the mapping that has the field, without the API group: `v1.DeviceRequest`
    path        of the field, from what was read
    expected    unknown: the fields there are; type: the types there may be
    """

    what: Literal["unknown", "type", "quantity"]
    definition: str
    path: Path
    expected: tuple[str, ...] = ()


@cache
def versions() -> tuple[Version, ...]:
    """The Kubernetes releases there are schemas for, oldest first."""
    names = os.listdir(os.path.join(directory("schemas"), "kubernetes"))
    return tuple(sorted(Version(name.removesuffix(".json")) for name in names if name[:1].isdigit()))


def schema_version(version: Version) -> Version | None:
    """The newest of them that is no newer than a release; None where all are."""
    older = [each for each in versions() if each <= version]
    return older[-1] if older else None


@cache
def _file(version: Version) -> Mapping[str, Any]:
    path = os.path.join(directory("schemas"), "kubernetes", f"{version}.json")
    with open(path, encoding="utf-8") as file:
        loaded: dict[str, Any] = json.load(file)
    return loaded


@cache
def _nearest_file(name: str, section: str, version: Version) -> Version | None:
    """The schema version of a release, or else the newest that has the name: a kind that came or went."""
    wanted = schema_version(version)
    having = [each for each in reversed(versions()) if name in _file(each)[section]] if wanted else []
    return wanted if wanted in having else next(iter(having), None)


def definition_of(api_version: str, kind: str, version: Version) -> str | None:
    """The definition of a kind of resource.k8s.io; None where no release has it."""
    key = f"{api_version}/{kind}"
    found = _nearest_file(key, "kinds", version)
    return None if found is None else str(_file(found)["kinds"][key]).removeprefix(_REFERENCE)


def fields_of(definition: str, version: Version) -> frozenset[str]:
    """The fields of a definition; none where no release has it."""
    found = _nearest_file(definition, "$defs", version)
    return frozenset(_file(found)["$defs"][definition].get("properties", ())) if found else frozenset()


def _inlined(name: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """A definition with what it refers to in place, which spares following references for each value."""
    if name == _QUANTITY:
        return {"type": ["string", "number", "null"], "format": "quantity"}
    return {**_with_parts(known[name], known), "x-definition": _short(name)}


def _with_parts(schema: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        return _inlined(str(schema["$ref"]).removeprefix(_REFERENCE), known)
    found: dict[str, Any] = {key: schema[key] for key in ("type", "additionalProperties") if key in schema}
    if isinstance(found.get("additionalProperties"), dict):
        found["additionalProperties"] = _with_parts(found["additionalProperties"], known)
    if "items" in schema:
        found["items"] = _with_parts(schema["items"], known)
    if "properties" in schema:
        found["properties"] = {
            name: {} if name == _STATUS else _with_parts(part, known)
            for name, part in schema["properties"].items()
        }
    return found


def _short(name: str) -> str:
    return ".".join(name.rsplit(".", 2)[1:])


@cache
def _schema(name: str, version: Version) -> Mapping[str, Any]:
    return _inlined(name, _file(version)["$defs"])


def _is_quantity(value: object) -> bool:
    return not isinstance(value, str) or parse_quantity(value) is not None


_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "number": (int, float),
}  # fmt: skip


def _is_of(value: Plain, name: str) -> bool:
    if name == "integer":
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        return whole and not isinstance(value, bool)
    return isinstance(value, _TYPES[name]) and not (name == "number" and isinstance(value, bool))


def _problems(value: Plain, schema: Mapping[str, Any], path: Path, outer: str) -> Iterator[Problem]:
    """What jsonschema finds in a value, for the keywords of `_with_parts`: tests compare.

    It takes 60 ms to import, and for one wrong field longer than everything else that is done with an object.
    """
    wanted = schema.get("type")
    if wanted is not None:
        names = (wanted,) if isinstance(wanted, str) else wanted
        if not any(_is_of(value, name) for name in names):
            allowed = tuple(name for name in names if name != "null")
            yield Problem("type", schema.get("x-definition", outer), path, allowed)
    if isinstance(value, dict):
        known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
        for key, each in value.items():
            if key in known:
                yield from _problems(each, known[key], (*path, key), outer)
            elif more is False:
                yield Problem("unknown", schema.get("x-definition", outer), (*path, key), tuple(known))
            elif more is not True:
                yield from _problems(each, more, (*path, key), outer)
    elif isinstance(value, list):
        if "items" in schema:
            for index, each in enumerate(value):
                yield from _problems(each, schema["items"], (*path, index), outer)
    elif "format" in schema and not _is_quantity(value):
        yield Problem("quantity", schema.get("x-definition", outer), path)


def _as_read(value: Plain) -> Plain:
    """A null in a mapping is no field: the API server reads it so. Of what is too long the beginning."""
    if isinstance(value, dict):
        kept = islice(value.items(), _LOOKED_AT)
        return {key: _as_read(each) for key, each in kept if each is not None}
    return [_as_read(each) for each in islice(value, _LOOKED_AT)] if isinstance(value, list) else value


def problems(value: Plain, definition: str, version: Version) -> list[Problem]:
    """What a Kubernetes release does not accept in a value of a definition (`io.k8s.api.resource.v1.DeviceClass`)."""
    found = _nearest_file(definition, "$defs", version)
    if found is None:
        return []
    return list(_problems(_as_read(value), _schema(definition, found), (), _short(definition)))


def known_since(value: Plain, definition: str, version: Version) -> dict[Path, Version]:
    """The unknown fields of a value that a later release knows, with the first that does."""
    unknown = {each.path for each in problems(value, definition, version) if each.what == "unknown"}
    found: dict[Path, Version] = {}
    for later in versions() if unknown else ():
        if later > version and definition in _file(later)["$defs"]:
            still = {each.path for each in problems(value, definition, later) if each.what == "unknown"}
            # Where what holds the field is gone, nobody looks at the field.
            told = {path for path in unknown if any(path[:end] in still for end in range(1, len(path) + 1))}
            found.update(dict.fromkeys(unknown - told, later))
            unknown &= told
    return found
