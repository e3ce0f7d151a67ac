"""Every rule: its examples, its fix, and how rules are numbered."""

from __future__ import annotations

import json
import os
import re
from importlib import import_module

import pytest

from dralint.lint.rules import load_rules, rule_files
from dralint.resources import directory
from dralint.yamltext.load import load_data

FILES = rule_files(directory("rules"))
NAMES = [
    "admin-access-in-firstavailable",
    "admin-access-namespace-label",
    "allocation-mode-all-with-count",
    "beta-dra-api-version",
    "binding-conditions-unpaired",
    "capacity-request-needs-gate",
    "cel-attribute-type-mismatch",
    "cel-capacity-plain-number",
    "cel-compile-error",
    "cel-cost-limit",
    "cel-gated-function",
    "cel-gfd-spelling",
    "cel-memory-exact-or-decimal",
    "cel-memory-marketing-size",
    "cel-missing-domain",
    "cel-pinned-uuid",
    "cel-quantity-literal",
    "cel-selector-misnested",
    "cel-unguarded-attribute",
    "cel-unknown-attribute",
    "cel-value-unknown",
    "cel-version-as-string",
    "cel-version-literal",
    "claim-device-limit",
    "claim-not-consumed",
    "claim-ref-ambiguous",
    "claim-ref-name-invalid",
    "claim-ref-not-found",
    "claims-outside-containers",
    "classic-dra-fields",
    "config-kind-class-mismatch",
    "config-request-unknown",
    "constraint-both-attributes",
    "constraint-without-attribute",
    "container-claim-repeated",
    "container-claim-undeclared",
    "container-request-unknown",
    "count-exceeds-node",
    "count-zero",
    "device-attribute-values",
    "device-capacity-policy",
    "device-class-name-invalid",
    "device-entries-limit",
    "device-placement",
    "device-toleration-misplaced",
    "deviceclass-no-driver-guard",
    "deviceclass-unknown",
    "double-request-device-plugin-and-claim",
    "dra-api-version-unknown",
    "duplicate-name",
    "extended-resource-amounts",
    "extended-resource-name-invalid",
    "extended-resource-needs-gate",
    "flat-request-in-v1",
    "kubernetes-gate-off",
    "legacy-claim-source",
    "limit-exceeded",
    "malformed-value",
    "matchattribute-unknown",
    "matchattribute-unqualified",
    "matchattribute-wrong-domain",
    "mig-gpu-overlap",
    "mig-memory-label-vs-capacity",
    "mig-parent-constraint-single",
    "mig-profile-on-gpu-class",
    "mig-profile-unknown",
    "missing-field",
    "mps-and-timeslicing-same-device",
    "mps-limits-range",
    "namespace-on-cluster-scoped",
    "nccl-on-mig",
    "nested-request-in-v1beta1",
    "nodename-bypasses-scheduler",
    "number-too-small",
    "opaque-unknown-field",
    "productname-no-match",
    "removed-dra-api-version",
    "request-exactly-or-firstavailable",
    "request-name-not-dns-label",
    "resource-name-without-domain",
    "selector-matches-nothing",
    "shared-claim-across-replicas",
    "sharing-config-mixed",
    "sharing-gate-off",
    "sharing-strategy-spelling",
    "slice-devices-and-counters",
    "slice-placement",
    "taint-rule-selects",
    "template-metadata-field",
    "template-missing-inner-spec",
    "template-shape-in-claim",
    "toleration-exists-with-value",
    "unknown-field",
    "value-not-supported",
    "wrong-type",
]


def examples(which):
    found = []
    for path in FILES:
        rule = load_data(path)
        for number, example in enumerate(rule["examples"][which]):
            note = re.sub(r"\W+", "-", example.get("note", str(number)))
            found.append(pytest.param(rule, example, id=f"{rule['name']}-{note}"))
    return found


@pytest.fixture
def check(dralint, tmp_path, monkeypatch):
    """Runs `check` on an example's files; gives the findings."""
    monkeypatch.chdir(tmp_path)

    def checked(example, *more):
        for name, text in example["files"].items():
            (tmp_path / name).write_text(text)
        # The example's own order: the finding is in the first file unless it says so.
        ran = dralint("check", *example["files"], *example.get("args", ()), *more, "--output-format", "json")
        assert ran.code in (0, 1), ran.err
        return json.loads(ran.out)["findings"]

    return checked


@pytest.mark.parametrize(("rule", "example"), examples("bad"))
def test_a_bad_example_gives_exactly_its_rule_at_its_line(check, rule, example):
    file = example.get("file") or next(iter(example["files"]))
    found = [(each["name"], each["path"], each["line"]) for each in check(example)]
    assert found == [(rule["name"], file, example["line"])]


@pytest.mark.parametrize(("rule", "example"), examples("good"))
def test_a_good_example_gives_nothing(check, rule, example):
    assert check(example) == [], rule["name"]


@pytest.mark.parametrize(("rule", "example"), examples("bad"))
def test_cut_into_one_object_per_file_it_survives_the_prefilter(dralint, tmp_path, rule, example):
    for name, text in example["files"].items():
        for number, piece in enumerate(re.split(r"^---\n", text, flags=re.MULTILINE)):
            (tmp_path / f"{number}-{name}").write_text(piece)
    ran = dralint("check", tmp_path, *example.get("args", ()), "--output-format", "json")
    found = {each["name"] for each in json.loads(ran.out)["findings"]}
    assert found == {rule["name"]}


@pytest.mark.parametrize(("rule", "example"), examples("bad"))
def test_messages_are_filled_in_and_say_what_to_do(check, rule, example):
    (finding,) = check(example)
    for text in (finding["message"], finding["help"], *(each["message"] for each in finding["related"])):
        assert not re.search(r"\{[a-z_.]+\}|\(none\)|None", text), text
    assert len(finding["message"]) < 300


def test_the_rules_of_the_catalogue_are_there():
    assert sorted(rule.name for rule in load_rules()) == NAMES


@pytest.mark.parametrize("path", FILES, ids=os.path.basename)
def test_a_rule_file_is_complete(path):
    rule = load_data(path)
    assert rule["id"] == os.path.basename(path).removesuffix(".yaml")
    assert len(rule["examples"]["bad"]) >= 2
    assert len(rule["examples"]["good"]) >= 2
    assert list(rule)[-1] == "examples"
    if "check" in rule:
        module = import_module(f"dralint.lint.checks.{rule['check']}")
        assert module.check.__doc__
        assert rule["check"] == rule["name"].replace("-", "_")


def test_the_table_of_ids_is_complete_and_in_order():
    with open(os.path.join(directory("rules"), "README.md"), encoding="utf-8") as file:
        rows = re.findall(r"^\| (DRA\d.*) \|$", file.read(), re.MULTILINE)
    expected = []
    for rule in load_rules():
        severity = " or ".join(dict.fromkeys(case.severity for case in reversed(rule.severity)))
        fix = rule.fix.applicability if rule.fix else "none"
        expected.append(f"{rule.id} | {rule.name} | {rule.layer} | {severity} | {fix} | {rule.summary}")
    assert rows == expected
