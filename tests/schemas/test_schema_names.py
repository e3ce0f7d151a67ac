"""The schemas of dralint's own files have names that need no host, and point to each other by them."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = sorted((ROOT / "schemas").glob("*.schema.json"))


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_the_name_is_a_urn(path):
    schema = json.loads(path.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:dralint:schema:{path.name.removesuffix('.schema.json')}"


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_references_lead_to_schemas_that_are_there(path):
    names = {f"urn:dralint:schema:{each.name.removesuffix('.schema.json')}" for each in SCHEMAS}
    for reference in re.findall(r'"\$ref": "([^"#]+)', path.read_text(encoding="utf-8")):
        assert reference in names
