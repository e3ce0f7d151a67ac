"""Fixes of rules: what they make of every bad example, and that nothing is found afterwards."""

from __future__ import annotations

import json
import re

import pytest

from dralint.lint.rules import rule_files
from dralint.resources import directory
from dralint.yamltext.load import load_data

# Examples that no edit can repair for certain, with the reason.
NO_FIX = {
    "request-name-not-dns-label": set(),
    "sharing-strategy-spelling": {"an empty timeSlicingConfig"},
    "opaque-unknown-field": {
        "a field of a later driver",
        "time slices do not exist for MIG devices",
        "classic DRA's version",
    },
    "config-kind-class-mismatch": {"a claim with both kinds of device", "passed over without a word"},
    "claim-not-consumed": {None},
    "template-shape-in-claim": {"the template's labels were kept as well"},
    "removed-dra-api-version": {"classic"},
    "container-request-unknown": {"the request of a ComputeDomain's template is named channel"},
    "unknown-field": {"of a later release", "a class config is for all requests"},
    "wrong-type": {"no unit of Kubernetes"},
    "matchattribute-unqualified": {"a dash is in no identifier"},
    "container-claim-repeated": {"the whole after a part"},
    "cel-selector-misnested": {"nothing at all"},
    "device-toleration-misplaced": {"two requests to choose from"},
    "cel-compile-error": {
        "a method that CEL does not have, in a folded block",
        "a text and not a condition",
        "quotes are missing; another vendor",
        "a device has no name here; a plain scalar of several lines",
    },
    "cel-cost-limit": {
        "in a literal block",
        "loops, over devices of another driver",
    },
    "cel-version-as-string": {
        "a method of texts",
    },
    "cel-quantity-literal": {
        "of a data sheet",
    },
    "cel-unknown-attribute": {
        "gone since release 25.8; the driver's own demos still have it",
        "a gate that nobody told about",
        "of another type of device",
    },
    "cel-attribute-type-mismatch": {
        "a number",
    },
    "cel-value-unknown": {
        "the card is another attribute",
    },
    "cel-gfd-spelling": {
        "of a shared GPU",
    },
    "productname-no-match": {
        "several cards could be meant",
        "a pattern in the wrong case",
        "a card that is not there",
    },
    "mig-profile-unknown": {
        "no such profile",
        "another card's profile",
        "the cluster has another one",
    },
    "cel-memory-exact-or-decimal": {
        "a decimal unit",
    },
    "matchattribute-wrong-domain": {
        "a GPU with a network card",
    },
    "driver-gate-unknown": {"of a later release"},
    "matchattribute-unknown": {
        "a whole GPU and a slice",
        "an attribute of old drivers",
    },
}
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule['name']}-{number}")
    for rule in map(load_data, rule_files(directory("rules")))
    if "fix" in rule
    for number, example in enumerate(rule["examples"]["bad"])
]


@pytest.fixture
def findings(dralint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def checked(example, texts):
        for name, text in texts.items():
            (tmp_path / name).write_text(text)
        ran = dralint("check", *texts, *example.get("args", ()), "--output-format", "json")
        assert ran.code in (0, 1), ran.err
        return json.loads(ran.out)["findings"]

    return checked


def applied(text, edits):
    """The text with edits from the report: lines and columns from 1, columns in characters."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    spans = [
        (
            starts[each["line"] - 1] + each["column"] - 1,
            starts[each["endLine"] - 1] + each["endColumn"] - 1,
            each,
        )
        for each in edits
    ]
    for start, end, edit in sorted(spans, key=lambda span: span[:2], reverse=True):
        text = text[:start] + edit["text"] + text[end:]
    return text


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_a_fix_leaves_nothing_to_find(findings, snapshot, rule, example):
    (finding,) = findings(example, example["files"])
    fix = finding["fix"]
    if example.get("note") in NO_FIX.get(rule["name"], ()):
        assert fix is None
        return
    assert fix is not None
    if rule["fix"]["applicability"] == "unsafe":
        assert fix["applicability"] == "unsafe"
    texts = dict(example["files"])
    texts[finding["path"]] = applied(texts[finding["path"]], fix["edits"])
    assert findings(example, texts) == []
    assert f"# {fix['applicability']}\n{texts[finding['path']]}" == snapshot


BETA = """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: x}
spec:
  devices:
    requests:
    - name: gpu
      deviceClassName: gpu.nvidia.com%s
"""


@pytest.mark.parametrize(
    ("comment", "applicability"),
    [("", "safe"), ("  # the big one", "unsafe"), ("\n      # the big one", "safe")],
)
def test_a_fix_that_loses_a_comment_is_unsafe(findings, comment, applicability):
    (finding,) = findings({}, {"x.yaml": BETA % comment})
    assert finding["fix"]["applicability"] == applicability
    assert ("# the big one" in applied(BETA % comment, finding["fix"]["edits"])) == (
        "#" in comment and applicability == "safe"
    )


def test_all_requests_of_an_object_are_nested_by_one_fix(findings):
    text = BETA % "\n    - {name: b, deviceClassName: mig.nvidia.com, count: 2}"
    (finding,) = findings({}, {"x.yaml": text})
    after = applied(text, finding["fix"]["edits"])
    assert re.findall("exactly", after) == ["exactly", "exactly"]
    assert findings({}, {"x.yaml": after}) == []


def test_v1beta1_with_nested_requests_is_v1_in_all_but_the_name(findings):
    text = BETA % "\n    - {name: b, exactly: {deviceClassName: mig.nvidia.com}}"
    found = findings({}, {"x.yaml": text})
    assert [each["name"] for each in found] == ["beta-dra-api-version", "nested-request-in-v1beta1"]
    for each in found:
        after = applied(text, each["fix"]["edits"])
        assert findings({}, {"x.yaml": after}) == []


def test_what_classic_dra_left_in_v1alpha3_is_not_dropped_by_a_fix(findings):
    text = BETA.replace("v1beta1", "v1alpha3").replace("spec:\n", "spec:\n  controller: x\n") % ""
    assert [(each["name"], each["fix"]) for each in findings({}, {"x.yaml": text})] == [
        ("removed-dra-api-version", None),
        ("classic-dra-fields", None),
    ]


def test_a_claim_is_listed_in_the_only_container(findings):
    pod = """\
apiVersion: v1
kind: Pod
metadata: {name: x}
spec:
  resourceClaims: [{name: card, resourceClaimName: card}]
  containers:
  - name: main
    image: registry.example/x:1
%s---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: card}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}
"""
    for resources in (
        "",
        "    resources: {}\n",
        "    resources:\n      limits: {memory: 1Gi}\n",
        "    resources:\n      claims: []\n",
    ):
        text = pod % resources
        (finding,) = findings({}, {"x.yaml": text})
        assert (finding["severity"], finding["fix"]["applicability"]) == ("error", "unsafe")
        after = applied(text, finding["fix"]["edits"])
        assert findings({}, {"x.yaml": after}) == []
