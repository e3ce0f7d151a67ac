"""Runtimes of Kubeflow Trainer: with claims nothing tells the number of processes but the field for it."""

from __future__ import annotations

import pytest
import yaml

from tests.convert.judge import at, sees

RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: {kind}
metadata: {{name: torch}}
spec:
{policy}
  template:
    spec:
      replicatedJobs:
      - name: {name}
        template:
          spec:
            template:
              spec:
                containers:
                - name: node
                  image: x
                  resources:
                    limits:
                      nvidia.com/gpu: {count}
"""
POD = "spec.template.spec.replicatedJobs.0.template.spec.template.spec"


def runtime(policy, kind="TrainingRuntime", name="node", count=4):
    return RUNTIME.format(policy=policy, kind=kind, name=name, count=count)


def number(text, kind="TrainingRuntime"):
    documents = list(yaml.safe_load_all(text))
    return at(next(each for each in documents if each["kind"] == kind), "spec.mlPolicy.torch.numProcPerNode")


@pytest.mark.parametrize("kind", ["TrainingRuntime", "ClusterTrainingRuntime"])
@pytest.mark.parametrize(
    ("policy", "written"),
    [
        pytest.param("  mlPolicy:\n    torch:\n      numProcPerNode: auto # all cards", 4, id="auto"),
        pytest.param("  mlPolicy: {numNodes: 2, torch: {numProcPerNode: gpu}}", 4, id="gpu"),
        pytest.param("  mlPolicy:\n    numNodes: 1\n    torch: {}", 4, id="absent"),
        pytest.param(
            "  mlPolicy:\n    torch:\n      elastic: {minNodes: 1}", 4, id="absent beside another field"
        ),
        pytest.param("  mlPolicy: {torch: {numProcPerNode: 2}}", 2, id="a number"),
        pytest.param("  mlPolicy: {torch: {numProcPerNode: cpu}}", "cpu", id="cpu"),
        pytest.param('  mlPolicy: {torch: {numProcPerNode: "auto"}}', 4, id="in quotes"),
        pytest.param('  "mlPolicy": {"torch": {"numProcPerNode": "auto"}}', 4, id="as in JSON"),
        pytest.param("  mlPolicy:\n    torch:\n      numProcPerNode: 'gpu'", 4, id="in single quotes"),
        pytest.param(
            "  mlPolicy:\n    torch:\n      numProcPerNode: |-\n        auto", "auto", id="a block scalar"
        ),
        pytest.param("  mlPolicy: {torch: {numProcPerNode: !!str auto}}", "auto", id="a tag"),
        pytest.param("  mlPolicy: {mpi: {}}", None, id="MPI"),
        pytest.param("  mlPolicy: {torch: null}", None, id="null"),
        pytest.param("  mlPolicy: {numNodes: 1}", None, id="no policy"),
    ],
)
def test_the_number_of_processes(convert_text, kind, policy, written):
    text = runtime(policy, kind)
    result = convert_text(text)
    place = (kind, f"{POD}.containers.0", f"{POD}.resourceClaims")
    assert result.outcomes == ["converted"]
    assert sees(result.text, *place) == sees(text, *place) == {"nvidia.com/gpu": 4}
    assert number(result.text, kind) == written
    told = any("numProcPerNode" in note.message for note in result.notes)
    assert told == (written != 4)


@pytest.mark.parametrize(("mode", "written"), [("extended-resource", "auto"), ("implicit", "auto")])
def test_by_name_the_limits_tell_it(convert_text, mode, written):
    text = runtime("  mlPolicy: {torch: {numProcPerNode: auto}}")
    assert number(convert_text(text, mode=mode).text) == written


def test_another_job_of_the_runtime_counts_for_nothing(convert_text):
    text = runtime("  mlPolicy: {torch: {numProcPerNode: auto}}", name="dataset-initializer")
    result = convert_text(text)
    assert number(result.text) == "auto"
    assert "operator" in result.topics


def test_a_zero_writes_nothing(convert_text):
    assert number(convert_text(runtime("  mlPolicy: {torch: {}}", count=0)).text) is None
