"""Public manifests, read in place: nothing is found in those that only use the device plugin."""

from __future__ import annotations

import json

# Everything there is to find in the corpus, each read and judged to be right.
FOUND = {
    # gpu.nvidia.com with the parameters of the example driver: NVIDIA's driver cannot decode them.
    (
        "run-ai__fake-gpu-operator/test/e2e/fixtures/manifests/spacepartitioning-pod.yaml",
        "opaque-unknown-field",
    ),
    ("run-ai__fake-gpu-operator/test/e2e/fixtures/manifests/timeslicing-pod.yaml", "opaque-unknown-field"),
    # v1beta1, for a test cluster that turns it on.
    (
        "run-ai__fake-gpu-operator/test/e2e/mock/fixtures/manifests/nvidia-smi-resourceclaim-pod.yaml",
        "beta-dra-api-version",
    ),
}


def test_what_is_found_in_the_corpus(dralint, shared, monkeypatch):
    monkeypatch.chdir(shared / "corpus")
    ran = dralint("check", "--complete", "--migration", "--output-format", "json", ".")
    findings = json.loads(ran.out)["findings"]
    assert {(each["path"].removeprefix("./"), each["name"]) for each in findings} == FOUND
    assert len(findings) == len(FOUND)
