"""Every field of Kubernetes' schemas at once: nothing is wrong there; one that is misspelt is, and no other."""

from __future__ import annotations

import json
import random

import pytest

from dralint.kube.bundle import Bundle, Context
from dralint.kube.read import parse
from dralint.kube.schemas import _file, versions
from dralint.lint.engine import lint
from dralint.lint.rules import load_rules
from dralint.lint.run import Run
from dralint.lint.select import select
from dralint.lint.shapes import specific
from dralint.nvidia.target import make_target
from dralint.source.file import SourceFile

REFERENCE = "#/$defs/"
OF_FIELDS = ("unknown-field", "wrong-type")
KINDS = [
    pytest.param(version, name, id=f"{version}-{name}")
    for version in versions()
    for name in _file(version)["kinds"]
]
WRONG = [1, 1.5, "x", True, [], ["a"], {}, {"q": 1}]


def filled(schema, known, chance):
    """A value with every field of a schema; those whose content is free have some."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(REFERENCE)
        if name.endswith(".Quantity"):
            return chance.choice(["1Gi", "500m", 3, "2", "1e3", 0.5])
        return filled(known[name], known, chance)
    types = schema.get("type", ())
    types = [types] if isinstance(types, str) else types
    if "properties" in schema:
        return {
            name: filled(part, known, chance)
            for name, part in schema["properties"].items()
            if name != "status"
        }
    if "object" in types:
        values = schema.get("additionalProperties")
        return {"key": filled(values, known, chance)} if isinstance(values, dict) else {"free": {"deep": [1]}}
    if "array" in types:
        return [filled(schema["items"], known, chance) for _ in range(chance.choice([1, 2]))]
    simple = {"string": "x-y", "integer": 2, "number": 1.5, "boolean": True}
    return next((simple[each] for each in types if each in simple), {"free": 1})


def whole(version, name, chance):
    """An object of a kind, by `apiVersion/kind`, with every field."""
    file = _file(version)
    api_version, _, kind = name.rpartition("/")
    found = filled({"$ref": file["kinds"][name]}, file["$defs"], chance)
    return {**found, "apiVersion": api_version, "kind": kind}


def check(manifest, version, *names):
    files = [parse(SourceFile("it.json", None, json.dumps(manifest).encode()))]
    run = Run(files, Bundle(files), Context.none(), make_target(str(version)))
    return lint(run, select(load_rules(), names, (), migration=False))


def mappings(schema, value, known, path=()):
    """The mappings of a value whose fields a schema names, with their paths and that schema."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(REFERENCE)
        if name.endswith(".Quantity"):
            return
        schema = known[name]
    if "properties" in schema:
        if schema.get("additionalProperties") is False:
            yield path, value, schema
        for name, each in value.items():
            yield from mappings(schema["properties"].get(name, {}), each, known, (*path, name))
    elif isinstance(schema.get("additionalProperties"), dict):
        for name, each in value.items():
            yield from mappings(schema["additionalProperties"], each, known, (*path, name))
    elif "items" in schema:
        for index, each in enumerate(value):
            yield from mappings(schema["items"], each, known, (*path, index))


def written(path):
    return "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in path).removeprefix(".")


@pytest.mark.parametrize(("version", "name"), KINDS)
def test_nothing_is_wrong_with_what_is_there(version, name):
    for seed in range(3):
        assert check(whole(version, name, random.Random(seed)), version, *OF_FIELDS) == []


@pytest.mark.parametrize(("version", "name"), KINDS)
def test_a_misspelt_field_is_told_where_it_is_and_nothing_else(version, name):
    chance = random.Random(name)
    file = _file(version)
    for _ in range(10):
        manifest = whole(version, name, chance)
        places = [*mappings({"$ref": file["kinds"][name]}, manifest, file["$defs"])]
        path, place, _ = chance.choice([each for each in places if each[0] and each[1]])
        field = chance.choice([*place])
        at = chance.randrange(len(field))
        # A letter twice is no other field's name.
        wrong = field[:at] + field[at] + field[at:]
        place[wrong] = place.pop(field)
        (finding,) = check(manifest, version, *OF_FIELDS)
        assert (finding.name, finding.field) == ("unknown-field", written((*path, wrong)))
        assert f"did you mean {field}?" in finding.message


def has_type(value, types):
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number"}
    return names[type(value)] in types or (type(value) is int and "number" in types)


@pytest.mark.parametrize(("version", "name"), KINDS)
def test_a_value_of_another_type_is_told_by_some_rule(version, name):
    chance = random.Random(name)
    file = _file(version)
    others = {entry["rule"] for entry in specific()}
    for _ in range(10):
        manifest = whole(version, name, chance)
        places = [*mappings({"$ref": file["kinds"][name]}, manifest, file["$defs"])]
        path, place, schema = chance.choice([each for each in places if each[0] and each[1]])
        field = chance.choice([*place])
        part = schema["properties"][field]
        part = file["$defs"][part["$ref"].removeprefix(REFERENCE)] if "$ref" in part else part
        types = part.get("type", ["string", "number", "integer"])
        place[field] = chance.choice([each for each in WRONG if not has_type(each, types)])
        found = check(manifest, version, *OF_FIELDS, *others)
        places = {each.field for each in found if each.name == "wrong-type" or each.name in others}
        assert written((*path, field)) in places, (types, place[field])


@pytest.mark.parametrize("selector", [{"cel": "true"}, {"cel": 1.5}, {"cel": []}, {"expression": "true"}])
@pytest.mark.parametrize("kind", ["ResourceClaim", "DeviceClass", "DeviceTaintRule"])
def test_a_selector_without_its_shape_is_told_wherever_it_stands(kind, selector):
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com", "selectors": [selector]}}
    manifest = {
        "ResourceClaim": {
            "apiVersion": "resource.k8s.io/v1",
            "spec": {"devices": {"requests": [request]}},
        },
        "DeviceClass": {"apiVersion": "resource.k8s.io/v1", "spec": {"selectors": [selector]}},
        # The last release that has selectors there.
        "DeviceTaintRule": {
            "apiVersion": "resource.k8s.io/v1alpha3",
            "spec": {
                "deviceSelector": {"selectors": [selector]},
                "taint": {"key": "example.com/a", "effect": "NoExecute"},
            },
        },
    }[kind]
    manifest |= {"kind": kind, "metadata": {"name": "it"}}
    (finding,) = check(manifest, "1.34", "api")
    assert finding.field.endswith(f"selectors[0].{next(iter(selector))}")
