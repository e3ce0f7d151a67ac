"""Whole files before (cases/) and after (the snapshot), as a person would review them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

CASES = sorted((Path(__file__).parent / "cases").iterdir())


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(convert_text, snapshot, case):
    result = convert_text({case.name: case.read_text()})
    assert result.text == snapshot
    report = "\n".join(
        f"{each.line}: {each.outcome}: {each.container}: {each.reason}"
        + (f" ({each.claim.name} of {each.claim.template}, {each.claim.count})" if each.claim else "")
        for each in result.occurrences
    )
    assert report == snapshot(name="report")


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_templates_pass_the_schema_of_kubernetes(convert_text, case):
    import kubernetes_validate

    text = convert_text({case.name: case.read_text()}).text
    documents = [json.loads(text)] if case.suffix == ".json" else list(yaml.safe_load_all(text))
    objects = [
        item
        for document in documents
        for item in (document["items"] if document["kind"] == "List" else document.get("objects", [document]))
    ]
    templates = [each for each in objects if each.get("kind") == "ResourceClaimTemplate"]
    assert templates
    for template in templates:
        kubernetes_validate.validate(template, "1.36", strict=True)
