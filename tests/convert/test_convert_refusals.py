"""What cannot be edited safely stays as it is, with the reason; the rest of the file goes on."""

from __future__ import annotations

import pytest

from dralint.convert.verdicts import NOTHING

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: %s}
spec:
  containers:
%s"""
PLAIN = """\
  - name: main
    image: x
    resources:
      limits:
        nvidia.com/gpu: 1
"""


def pod(name: str, containers: str = PLAIN) -> str:
    return POD % (name, containers)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(
            pod("a", PLAIN.replace("limits:", "limits: &gpu")) + "common: *gpu\n",
            10,
            id="an anchor that serves something else",
        ),
        pytest.param(
            "common: &gpu {limits: {nvidia.com/gpu: 1}}\n"
            + pod("a", "  - {name: main, image: x, resources: {<<: *gpu}}\n"),
            7,
            id="a merged map",
        ),
        pytest.param(
            pod("a", PLAIN + "    resources:\n      limits: {nvidia.com/gpu: 2}\n"),
            None,
            id="resources twice",
        ),
    ],
)
def test_a_refused_pod_stays_whole(convert_text, text, line):
    both = f"{text}---\n{pod('b')}"
    result = convert_text(both)
    assert result.text.startswith(text)
    refused = [each for each in result.occurrences if each.outcome.value == "unsupported"]
    assert refused
    assert "(line " in refused[-1].reason
    assert line is None or refused[-1].line == line
    assert result.occurrences[-1].outcome.value == "converted"
    assert "name: b-gpu" in result.text
    assert "name: a-gpu" not in result.text


def test_an_alias_between_two_containers(convert_text):
    text = pod(
        "a",
        "  - name: one\n    image: x\n    resources: &gpu\n      limits: {nvidia.com/gpu: 1}\n"
        "  - name: two\n    image: x\n    resources: *gpu\n",
    )
    result = convert_text(text)
    assert result.text == text
    assert result.outcomes == ["unsupported", "unsupported"]
    assert [each.line for each in result.occurrences] == [9, 12]


def test_a_template_is_written_with_the_first_user_that_is_converted(convert_text):
    text = """\
        apiVersion: leaderworkerset.x-k8s.io/v1
        kind: LeaderWorkerSet
        metadata: {name: llama}
        spec:
          leaderWorkerTemplate:
            leaderTemplate:
              spec:
                containers:
                - name: leader
                  image: x
                  resources: {limits: {nvidia.com/gpu: 1}}
                  resources: {limits: {nvidia.com/gpu: 8}}
            workerTemplate:
              spec:
                containers:
                - name: worker
                  image: x
                  resources: {limits: {nvidia.com/gpu: 8}}
        """
    result = convert_text(text)
    assert result.outcomes == ["unsupported", "converted"]
    assert result.text.count("kind: ResourceClaimTemplate") == 1
    assert result.occurrences[1].claim.template == "llama-worker-gpu"


def test_a_file_that_must_not_be_edited(convert_text):
    text = pod("a").encode("utf-16")
    assert convert_text({"a.yaml": text}).outcomes == ["unsupported"]


@pytest.mark.parametrize(
    ("parameters", "outcome", "written"),
    [
        ("", "converted", 'rayStartParams:\n        num-gpus: "2"'),
        ("rayStartParams: {}\n", "converted", 'rayStartParams: {num-gpus: "2"}'),
        ("rayStartParams:\n", "converted", 'rayStartParams:\n        num-gpus: "2"'),
        ("rayStartParams: {block: 'true'}\n", "converted", "{block: 'true', num-gpus: "),
        ("rayStartParams: {num-gpus: '2'}\n", "converted", "rayStartParams: {num-gpus: '2'}"),
        ("rayStartParams: {num-gpus: '0'}\n", "needs-decision", "rayStartParams: {num-gpus: '0'}"),
        ("rayStartParams: {num-gpus: '{{ n }}'}\n", "needs-decision", "{{ n }}"),
    ],
)
def test_ray_is_told_the_count(convert_text, parameters, outcome, written):
    text = f"""\
apiVersion: ray.io/v1
kind: RayCluster
metadata: {{name: tune}}
spec:
  workerGroupSpecs:
    - groupName: gpu
{"      " + parameters if parameters else ""}      template:
        spec:
          containers:
            - {{name: ray, image: x, resources: {{limits: {{nvidia.com/gpu: 2}}}}}}
"""
    result = convert_text(text)
    assert result.outcomes == [outcome]
    assert written in result.text


def test_ray_is_told_nothing_for_zero(convert_text):
    text = """\
        apiVersion: ray.io/v1
        kind: RayCluster
        metadata: {name: tune}
        spec:
          headGroupSpec:
            template:
              spec:
                containers:
                - {name: ray, image: x, resources: {limits: {cpu: 1, nvidia.com/gpu: 0}}}
        """
    result = convert_text(text)
    assert result.outcomes == ["converted"]
    assert result.occurrences[0].reason == NOTHING
    assert "rayStartParams" not in result.text
