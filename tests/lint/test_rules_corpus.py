"""Public manifests, read in place: nothing is found in those that only use the device plugin."""

from __future__ import annotations

import json
from collections import Counter

import pytest

FAKE = "run-ai__fake-gpu-operator/test/e2e"
# Everything there is to find in the corpus, each read and judged to be right.
FOUND = {
    # gpu.nvidia.com with the parameters of the example driver: NVIDIA's driver cannot decode them.
    (f"{FAKE}/fixtures/manifests/spacepartitioning-pod.yaml", "opaque-unknown-field", "error"),
    (f"{FAKE}/fixtures/manifests/timeslicing-pod.yaml", "opaque-unknown-field", "error"),
    # v1beta1, for a test cluster that turns it on.
    (f"{FAKE}/mock/fixtures/manifests/nvidia-smi-resourceclaim-pod.yaml", "beta-dra-api-version", "warning"),
    # numNodes is 1 and deprecated.
    (f"{FAKE}/fixtures/manifests/compute-domain-kwok-pod.yaml", "computedomain-fixed-numnodes", "info"),
    (f"{FAKE}/fixtures/manifests/compute-domain-with-pod.yaml", "computedomain-fixed-numnodes", "info"),
}
# What --migration adds, each read and judged to be right.
MIGRATION = {
    # Two time-slicing configurations of five and eight replicas.
    "timeslicing-replicas-not-portable": 2,
    # Claims of test pods without a toleration.
    "toleration-lost": 10,
    "mig-extended-name-unmapped": 1,
    # Pods of a vGPU scheduler.
    "fractional-gpu-not-portable": 6,
}


def found(dralint, shared, monkeypatch, *options):
    monkeypatch.chdir(shared / "corpus")
    ran = dralint("check", *options, "--output-format", "json", ".")
    assert ran.code == 1, ran.err
    return json.loads(ran.out)["findings"]


@pytest.mark.parametrize("options", [(), ("--complete",)], ids=["plain", "complete"])
def test_what_is_found_in_the_corpus(dralint, shared, monkeypatch, options):
    findings = found(dralint, shared, monkeypatch, *options)
    assert {(each["path"].removeprefix("./"), each["name"], each["severity"]) for each in findings} == FOUND
    assert len(findings) == len(FOUND)


def test_what_a_migration_has_to_think_of(dralint, shared, monkeypatch):
    findings = found(dralint, shared, monkeypatch, "--complete", "--migration")
    added = [each for each in findings if each["layer"] == "migration"]
    assert Counter(each["name"] for each in added) == MIGRATION
    assert len(findings) - len(added) == len(FOUND)


def test_it_does_not_matter_where_it_is_read_from(dralint, shared, monkeypatch):
    """Seen from further away the repositories are still none of each other's business."""
    monkeypatch.chdir(shared)
    ran = dralint("check", "--complete", "--migration", "--output-format", "json", "corpus")
    findings = json.loads(ran.out)["findings"]
    assert Counter(each["name"] for each in findings if each["layer"] == "migration") == MIGRATION
    told = {
        (each["path"].removeprefix("corpus/"), each["name"], each["severity"])
        for each in findings
        if each["layer"] != "migration"
    }
    assert told == FOUND
