"""Facts are total and as schemas/facts.schema.json says, whatever the manifest holds."""

from __future__ import annotations

import json
import os

import pytest
from jsonschema import Draft202012Validator

from dralint.kube.bundle import Bundle, Context
from dralint.kube.read import parse
from dralint.lint.facts import KINDS, subjects
from dralint.lint.rules import load_rules, rule_files
from dralint.lint.run import Run
from dralint.nvidia.target import make_target
from dralint.resources import directory
from dralint.source.file import SourceFile
from dralint.yamltext.load import load_data

with open(os.path.join(directory("schemas"), "facts.schema.json"), encoding="utf-8") as file:
    SCHEMA = json.load(file)
VALIDATORS = {
    kind: Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]}) for kind in KINDS
}
# Cut at every line, an example is a manifest with something missing; each must still give total facts.
EXAMPLES = [
    (text, rule["name"])
    for path in rule_files(directory("rules"))
    for rule in [load_data(path)]
    for example in rule["examples"]["bad"]
    for text in example["files"].values()
]
ODD = """
apiVersion: v1
kind: Pod
metadata: [x]
spec:
  nodeName: 5
  resourceClaims: [null, 7, {}, {name: 3}, {name: x, source: 4}, {name: y, resourceClaimName: {}}]
  containers:
  - null
  - resources: {claims: [null, {name: 4}, {request: [1]}, {}], limits: {nvidia.com/gpu: {}}, requests: 5}
  - {resources: {claims: {}, limits: [], requests: {nvidia.com/gpu: null}}, env: {}, args: 5, command: [{}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
spec:
  devices:
    requests: [null, 3, {name: 4}, {exactly: 5}, {firstAvailable: [null, {}]}, {exactly: {selectors: [1, {cel: 3}]}}]
    config: [null, {}, {opaque: 4}, {opaque: {driver: gpu.nvidia.com, parameters: 4}, requests: [{}, 3]}]
    constraints: [3, {requests: {}}, {requests: [4]}]
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
spec: 4
---
{apiVersion: resource.k8s.io/v9, kind: ResourceClaim}
"""


def check(text):
    files = [parse(SourceFile("it.yaml", None, text.encode()))]
    run = Run(files, Bundle(files), Context.none(), make_target())
    found = 0
    for subject in subjects(run, KINDS):
        errors = [error.message for error in VALIDATORS[subject.kind].iter_errors(subject.facts)]
        assert errors == [], (subject.kind, subject.path)
        found += 1
    return found


def test_the_schema_is_one_and_describes_every_kind():
    Draft202012Validator.check_schema(SCHEMA)
    assert set(SCHEMA["x-kinds"]) == KINDS
    for kind in KINDS:
        definition = SCHEMA["$defs"][kind]
        assert set(definition["required"]) == set(definition["properties"])


def test_rules_read_kinds_that_exist():
    assert {kind for rule in load_rules() for kind in rule.subjects} <= KINDS


@pytest.mark.parametrize(("text", "name"), EXAMPLES)
def test_facts_of_the_examples(text, name):
    assert check(text) > 0, name
    lines = text.split("\n")
    for count in range(len(lines)):
        check("\n".join(lines[:count]))


def test_facts_of_what_has_the_wrong_shape():
    assert check(ODD) > 10


def test_facts_of_the_corpus(shared):
    found = 0
    for folder, _, names in os.walk(shared / "corpus"):
        for name in names:
            if name.endswith((".yaml", ".yml")):
                with open(os.path.join(folder, name), encoding="utf-8") as handle:
                    found += check(handle.read())
    assert found > 1000
