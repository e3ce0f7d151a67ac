"""Every rule: its examples, its fix, and how rules are numbered."""

from __future__ import annotations

import json
import os
import re
import subprocess
from importlib import import_module

import pytest

from dralint.lint.rules import load_rules, rule_files
from dralint.resources import directory
from dralint.yamltext.load import load_data

FILES = rule_files(directory("rules"))
NAMES = [
    "admin-access-in-app-namespace",
    "admin-access-in-firstavailable",
    "admin-access-namespace-label",
    "all-alpha-gates",
    "allocation-mode-all-shared-node",
    "allocation-mode-all-with-count",
    "autoscaler-scale-from-zero",
    "beta-dra-api-version",
    "binding-conditions-unpaired",
    "capacity-request-needs-gate",
    "cdi-disabled",
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
    "claim-template-changed-in-place",
    "claims-outside-containers",
    "class-asked-by-two-names",
    "classic-dra-fields",
    "clusterpolicy-with-gpucluster",
    "computedomain-config-authored",
    "computedomain-fixed-numnodes",
    "computedomain-invalid",
    "computedomain-many-pods-per-node",
    "computedomain-namespace",
    "computedomain-on-pcie",
    "computedomain-shared-by-jobs",
    "computedomain-template-handmade",
    "config-kind-class-mismatch",
    "config-never-used",
    "config-request-unknown",
    "config-subrequest-scope",
    "constraint-both-attributes",
    "constraint-one-claim-only",
    "constraint-without-attribute",
    "consumable-shares-setting",
    "container-claim-repeated",
    "container-claim-undeclared",
    "container-request-unknown",
    "containers-use-different-requests",
    "count-exceeds-node",
    "count-vs-parallelism",
    "count-zero",
    "cuda-visible-devices-left",
    "daemonset-claims-autoscaling",
    "device-attribute-values",
    "device-capacity-policy",
    "device-class-as-resource-name",
    "device-class-name-invalid",
    "device-entries-limit",
    "device-placement",
    "device-plugin-and-dra-in-policy",
    "device-toleration-misplaced",
    "deviceclass-no-driver-guard",
    "deviceclass-unknown",
    "document-lost-after-dots",
    "document-lost-after-return",
    "double-request-device-plugin-and-claim",
    "dra-api-version-unknown",
    "driver-gate-needs-kubernetes-gate",
    "driver-gate-not-boolean",
    "driver-gate-off",
    "driver-gate-unknown",
    "driver-gates-doubtful",
    "driver-gates-exclude",
    "driver-root-mismatch",
    "duplicate-extended-resource-name",
    "duplicate-name",
    "dynamic-mig-gates",
    "dynamic-mig-static-layout",
    "extended-and-quota-name-confusion",
    "extended-init-containers-overcount",
    "extended-resource-amounts",
    "extended-resource-name-invalid",
    "extended-resource-needs-gate",
    "extended-resource-not-mapped",
    "flat-request-in-v1",
    "fm-partition-shape",
    "fractional-gpu-not-portable",
    "gpu-driver-branch-ends",
    "gpu-driver-lacks",
    "gpu-driver-too-old",
    "gpu-labels-left",
    "gpu-override-forced",
    "gpu-resource-unserved",
    "gpucluster-invalid",
    "gpucluster-unknown-field",
    "gpus-by-two-ways",
    "gpus-split-over-containers",
    "gpus-without-override",
    "karpenter-dra-off",
    "kind-in-wrong-group",
    "knative-rejects-claims",
    "kserve-managed-dra",
    "kserve-runtime-drops-claims",
    "kubelet-older-than-dra-api",
    "kubernetes-end-of-life",
    "kubernetes-gate-off",
    "kubernetes-too-old-for-dra",
    "kueue-class-unmapped",
    "kueue-extended-with-counters",
    "kueue-inadmissible-claim",
    "legacy-claim-source",
    "limit-exceeded",
    "malformed-value",
    "manual-claim-on-job",
    "matchattribute-unknown",
    "matchattribute-unqualified",
    "matchattribute-wrong-domain",
    "metrics-lose-pod-labels",
    "mig-count-above-one",
    "mig-extended-name-unmapped",
    "mig-gpu-overlap",
    "mig-layout-misses-profile",
    "mig-memory-label-vs-capacity",
    "mig-multi-profile-placement",
    "mig-parent-constraint-single",
    "mig-profile-on-gpu-class",
    "mig-profile-unknown",
    "missing-field",
    "mixed-allocator-same-node",
    "mps-and-timeslicing-same-device",
    "mps-limits-range",
    "mps-with-shares-or-dynamic-mig",
    "namespace-on-cluster-scoped",
    "nccl-on-mig",
    "nested-request-in-v1beta1",
    "nim-double-request",
    "nim-dra-invalid",
    "nodename-bypasses-scheduler",
    "number-too-small",
    "nvidia-runtimeclass-left",
    "nvidiadriver-deprecated-field",
    "nvidiadriver-invalid",
    "opaque-driver-mismatch",
    "opaque-unknown-field",
    "operator-chart-refuses",
    "operator-counts-zero-gpus",
    "operator-draft-setting",
    "plugin-config-two-ways",
    "preemption-lost",
    "productname-no-match",
    "quota-misses-claims",
    "removed-dra-api-version",
    "request-exactly-or-firstavailable",
    "request-name-not-dns-label",
    "resource-name-malformed",
    "resource-name-without-domain",
    "rollout-needs-spare-gpu",
    "scheduler-without-dra",
    "selector-matches-nothing",
    "separator-malformed",
    "separator-with-content",
    "shared-claim-across-replicas",
    "shared-claim-plus-own-claim-order",
    "shared-claim-reservedfor-limit",
    "shared-count-is-not-gpus",
    "shared-request-above-one",
    "shared-resource-suffix",
    "shares-conflicting-config",
    "sharing-config-mixed",
    "sharing-config-per-pod-template",
    "sharing-gate-off",
    "sharing-strategy-spelling",
    "slice-devices-and-counters",
    "slice-placement",
    "stale-allocatable-after-removal",
    "standalone-chart-refuses",
    "standalone-driver-beside-operator",
    "taint-rule-selects",
    "target-gates-exclude",
    "template-after-workload",
    "template-metadata-field",
    "template-missing-inner-spec",
    "template-shape-in-claim",
    "timeslicing-on-mig",
    "timeslicing-replicas-not-portable",
    "toleration-exists-with-value",
    "toleration-lost",
    "two-classes-with-config",
    "unknown-field",
    "value-not-supported",
    "vfio-config-and-webhook",
    "vfio-several-configs",
    "vgpu-not-portable",
    "visible-devices-env-left",
    "vm-device-count",
    "webhook-skips-dra-pods",
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


def committed(folder, texts):
    """Commits texts, if there are any, and gives the options that name the commit as the base."""
    if not texts:
        return ()
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    for words in (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", "before"]):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
    return ("--base", "HEAD")


def pieces(texts):
    """Texts cut into one document per file."""
    return {
        f"{number}-{name}": piece
        for name, text in texts.items()
        for number, piece in enumerate(re.split(r"^---\n", text, flags=re.MULTILINE))
    }


@pytest.fixture
def check(dralint, tmp_path, monkeypatch):
    """Runs `check` on an example's files; gives the findings."""
    monkeypatch.chdir(tmp_path)

    def checked(example, *more):
        base = committed(tmp_path, example.get("before", {}))
        for name, text in example["files"].items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(text.encode())
        # The example's own order: the finding is in the first file unless it says so.
        ran = dralint(
            "check", *example["files"], *example.get("args", ()), *base, *more, "--output-format", "json"
        )
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
def test_cut_into_one_object_per_file_it_survives_the_prefilter(
    dralint, tmp_path, monkeypatch, rule, example
):
    monkeypatch.chdir(tmp_path)
    base = committed(tmp_path, pieces(example.get("before", {})))
    for name, text in pieces(example["files"]).items():
        (tmp_path / name).write_bytes(text.encode())
    ran = dralint("check", tmp_path, *example.get("args", ()), *base, "--output-format", "json")
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
