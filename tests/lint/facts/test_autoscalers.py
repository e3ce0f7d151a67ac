"""An autoscaler counts among the named files and in the context, but not that of another cluster."""

from __future__ import annotations

import json

import pytest

WORKLOAD = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: serve, namespace: team}
spec:
  selector: {matchLabels: {app: serve}}
  template:
    metadata: {labels: {app: serve}}
    spec:
      containers:
      - name: main
        image: registry.example/serve:1
        resources: {claims: [{name: gpu}]}
      resourceClaims: [{name: gpu, resourceClaimName: gpu}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu, namespace: team}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}
"""
SCALER = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: serve, namespace: %s}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: serve}
  minReplicas: %d
  maxReplicas: 9
"""


@pytest.fixture
def shared(tmp_path, monkeypatch, dralint):
    """The messages of shared-claim-across-replicas on the workload, with other files in its git work tree."""

    def run(files, *options):
        (tmp_path / ".git").mkdir()
        for name, text in {"clusters/a/serve.yaml": WORKLOAD, **files}.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        monkeypatch.chdir(tmp_path)
        ran = dralint("check", "--output-format", "json", *options, "clusters/a/serve.yaml")
        found = json.loads(ran.out)["findings"]
        return [each["message"].partition(" of")[0] for each in found if each["rule"] == "DRA404"]

    return run


@pytest.mark.parametrize("where", ["clusters/a/scale.yaml", "clusters/a/more/scale.yaml", "scale.yaml"])
def test_one_of_the_context_counts(shared, where):
    assert shared({where: SCALER % ("team", 3)}) == ["3 or more pods"]


@pytest.mark.parametrize(
    ("where", "scaler", "options"),
    [
        ("clusters/a/scale.yaml", SCALER % ("team", 1), ()),
        ("clusters/a/scale.yaml", SCALER % ("other", 3), ()),
        ("clusters/b/scale.yaml", SCALER % ("team", 3), ()),
        ("samples/scale.yaml", SCALER % ("team", 3), ()),
        ("clusters/a/scale.yaml", SCALER % ("team", 3), ("--context", "none")),
    ],
    ids=["one pod", "another namespace", "another cluster", "a sample", "no context"],
)
def test_one_that_is_not_for_the_workload_does_not(shared, where, scaler, options):
    assert shared({where: scaler}, *options) == []


def test_one_of_the_named_files_counts_first(shared):
    files = {
        "clusters/a/serve.yaml": f"{WORKLOAD}---\n{SCALER % ('team', 1)}",
        "clusters/a/x.yaml": SCALER % ("team", 5),
    }
    assert shared(files) == []
