"""Opaque configuration of NVIDIA's DRA driver: its kinds, their fields by release, what decoding refuses."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from dralint.nvidia.gates import Release, release
from dralint.resources import directory
from dralint.yamltext.load import load_data
from dralint.yamltext.view import Path, Plain

_DATA = os.path.join(os.path.dirname(__file__), "data", "configs.yaml")


class ConfigKind(NamedTuple):
    """A kind the driver decodes.

    driver   the value of `opaque.driver` whose plugin reads it
    devices  the device types it can be applied to
    """

    kind: str
    driver: str
    devices: tuple[str, ...]
    since: Release


class Strategy(NamedTuple):
    """A sharing strategy: the driver gate it needs, and the block of settings that belongs to it."""

    name: str
    gate: str
    block: str


class Problem(NamedTuple):
    """Why the driver refuses a configuration.

    what      unknown-field | later-field (known to a later release) | wrong-type | api-version |
              unknown-kind | missing (a required field) | value (not one of the allowed values)
    path      the field, relative to the parameters; for `missing` the mapping that lacks it
    name      the field's name or the value that is wrong
    expected  what may stand there: field names, values or types
    since     for later-field: the release that brings it
    """

    what: Literal[
        "unknown-field", "later-field", "wrong-type", "api-version", "unknown-kind", "missing", "value"
    ]
    path: Path
    name: str
    expected: tuple[str, ...] = ()
    since: Release | None = None


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    data: Any = load_data(_DATA)
    return dict(data)


def api_version() -> str:
    """The only API version the driver decodes."""
    return str(_data()["api_version"])


@lru_cache(maxsize=1)
def config_kinds() -> Mapping[str, ConfigKind]:
    """The kinds by name."""
    return {
        entry["kind"]: ConfigKind(
            entry["kind"], entry["driver"], tuple(entry["devices"]), release(entry["since"])
        )
        for entry in _data()["kinds"]
    }


@lru_cache(maxsize=1)
def strategies() -> Mapping[str, Strategy]:
    """The sharing strategies by name."""
    return {
        entry["strategy"]: Strategy(entry["strategy"], entry["gate"], entry["block"])
        for entry in _data()["strategies"]
    }


class Gated(NamedTuple):
    """What needs a gate of the driver, besides strategies: one of `config`, `device_class`, `capacity`.

    capacity  a class whose capacity is asked for
    effect    what happens while the gate is off
    """

    gate: str
    effect: str
    config: str | None
    device_class: str | None
    capacity: str | None


@lru_cache(maxsize=1)
def gated() -> tuple[Gated, ...]:
    """Everything but strategies that needs a gate of the driver."""
    return tuple(
        Gated(
            entry["gate"],
            entry["effect"],
            entry.get("config"),
            entry.get("class"),
            entry.get("capacity"),
        )
        for entry in _data()["gated"]
    )


@lru_cache(maxsize=32)
def _full_schema(kind: str) -> dict[str, Any]:
    path = os.path.join(directory("schemas"), "nvidia", f"{kind}.schema.json")
    with open(path, encoding="utf-8") as file:
        return dict(json.load(file))


def _at_release(schema: Any, point: Release) -> Any:
    if isinstance(schema, list):
        return [_at_release(item, point) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {
            name: _at_release(field, point)
            for name, field in value.items()
            if release(field.get("x-since", "0.0")) <= point
        }
        if key == "properties"
        else _at_release(value, point)
        for key, value in schema.items()
    }


@lru_cache(maxsize=64)
def schema(kind: str, driver_version: str) -> dict[str, Any]:
    """The JSON Schema of a kind, with the fields that a driver version knows."""
    return dict(_at_release(_full_schema(kind), release(driver_version)))


def _part(schema_: dict[str, Any], path: Path) -> dict[str, Any]:
    for step in path:
        found = schema_.get("properties", {}).get(step)
        if not isinstance(found, dict):
            return {}
        schema_ = found
    return schema_


def _unknown_fields(kind: str, known: dict[str, Any], path: Path, names: list[str]) -> list[Problem]:
    expected = tuple(known.get("properties", {}))
    later = _part(_full_schema(kind), path).get("properties", {})
    return [
        Problem("later-field", (*path, name), name, expected, release(later[name]["x-since"]))
        if name in later
        else Problem("unknown-field", (*path, name), name, expected)
        for name in names
    ]


def problems(parameters: Plain, driver: str, driver_version: str) -> list[Problem]:
    """Why the driver, decoding strictly, refuses the parameters of an opaque config; [] if it does not.

    driver: `opaque.driver`. Only NVIDIA's drivers are judged, any other gives [].
    """
    drivers = {kind.driver for kind in config_kinds().values()}
    if driver not in drivers or not isinstance(parameters, dict):
        return []
    kinds = tuple(name for name, kind in config_kinds().items() if kind.driver == driver)
    found: list[Problem] = []
    version, kind = parameters.get("apiVersion"), parameters.get("kind")
    if version != api_version():
        found.append(
            Problem("missing", (), "apiVersion", (api_version(),))
            if version is None
            else Problem("api-version", ("apiVersion",), str(version), (api_version(),))
        )
    if kind is None:
        found.append(Problem("missing", (), "kind", kinds))
    elif kind not in config_kinds():
        found.append(Problem("unknown-kind", ("kind",), str(kind), kinds))
    if found or not isinstance(kind, str):
        return found

    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(schema(kind, driver_version))
    for error in validator.iter_errors(parameters):
        path: Path = tuple(error.absolute_path)
        if error.validator == "additionalProperties" and error.schema.get("additionalProperties") is False:
            names = [name for name in error.instance if name not in error.schema.get("properties", {})]
            found.extend(_unknown_fields(kind, error.schema, path, names))
        elif error.validator == "type":
            types = (
                error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
            )
            expected = tuple(each for each in types if each != "null")
            found.append(Problem("wrong-type", path, str(path[-1]) if path else "", expected))
        elif error.validator == "required":
            missing = [
                Problem("missing", path, name) for name in error.validator_value if name not in error.instance
            ]
            found.extend(each for each in missing if each not in found)
        elif error.validator in ("enum", "minLength", "minimum", "maximum"):
            allowed = error.validator_value if isinstance(error.validator_value, list) else []
            found.append(Problem("value", path, str(error.instance), tuple(map(str, allowed))))
    return found
