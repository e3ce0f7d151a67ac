"""What a definition does not take is found without jsonschema, and is what jsonschema finds."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from dralint.kube import schemas
from dralint.kube.schemas import Problem
from dralint.kube.versions import newest

VERSION = schemas.schema_version(newest())
KINDS = sorted(set(schemas._file(VERSION)["kinds"].values()))
OTHER = (None, True, 1, 1.5, 2.0, "text", "10Gi", [], ["text"], {}, {"unknown": 1})


def made(schema, chance, wrong):
    """A value of a schema; one in `wrong` parts of it is any other."""
    if chance.random() < wrong:
        return chance.choice(OTHER)
    wanted = schema.get("type")
    name = chance.choice(wanted) if isinstance(wanted, list) else wanted
    if name == "object":
        some = [each for each in schema.get("properties", {}).items() if chance.random() < 0.5]
        more = schema.get("additionalProperties", True)
        some += [("unknown", {})] if more is False and chance.random() < wrong else []
        value = {key: made(part, chance, wrong) for key, part in some}
        return value | ({"more": made(more, chance, wrong)} if isinstance(more, dict) else {})
    if name == "array":
        return [made(schema.get("items", {}), chance, wrong) for _ in range(chance.randint(0, 2))]
    usual = {"string": "1Gi", "boolean": True, "integer": 3, "number": 2.5, "null": None}
    return usual.get(name, "anything")


def said_by_jsonschema(value, schema, outer):
    """The problems of a value as the errors of jsonschema tell them."""
    checker = FormatChecker(formats=())
    checker.checks("quantity")(schemas._is_quantity)
    for error in Draft202012Validator(schema, format_checker=checker).iter_errors(value):
        definition, path = error.schema.get("x-definition", outer), tuple(error.absolute_path)
        if error.validator == "additionalProperties":
            known = error.schema.get("properties", {})
            for name in error.instance:
                if name not in known:
                    yield Problem("unknown", definition, (*path, name), tuple(known))
        elif error.validator == "type":
            wanted = error.validator_value
            names = wanted if isinstance(wanted, list) else [wanted]
            yield Problem("type", definition, path, tuple(name for name in names if name != "null"))
        else:
            assert error.validator == "format"
            yield Problem("quantity", definition, path)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_found_is_what_jsonschema_finds(kind):
    name = kind.removeprefix("#/$defs/")
    schema = schemas._schema(name, VERSION)
    chance = random.Random(kind)
    seen = set()
    for number in range(150):
        value = made(schema, chance, (0, 0.02, 0.2)[number % 3])
        found = sorted(schemas._problems(value, schema, (), "outer"), key=repr)
        assert found == sorted(said_by_jsonschema(value, schema, "outer"), key=repr), value
        seen |= {each.what for each in found} or {"fits"}
    assert seen >= {"fits", "unknown", "type"}


def test_every_keyword_that_is_kept_is_known():
    """Another one would be passed over without jsonschema."""
    waiting = [schemas._schema(kind.removeprefix("#/$defs/"), VERSION) for kind in KINDS]
    while waiting:
        schema = waiting.pop()
        keywords = {"type", "format", "items", "properties", "additionalProperties", "x-definition"}
        assert set(schema) <= keywords, schema
        assert schema.get("format", "quantity") == "quantity"
        parts = [
            schema.get("items"),
            schema.get("additionalProperties"),
            *schema.get("properties", {}).values(),
        ]
        waiting += [part for part in parts if isinstance(part, dict)]


def test_no_object_needs_jsonschema():
    program = """
import sys
from dralint.kube.schemas import problems
from dralint.kube.versions import newest
claim = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "spec": {"devices": {"requests": []}}}
definition = "io.k8s.api.resource.v1.ResourceClaim"
print(problems(claim, definition, newest()))
claim["spec"]["device"] = {}
print([each.path for each in problems(claim, definition, newest())], "jsonschema" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "[('spec', 'device')] False"]
