"""The judges of the corpus check can say no: each is shown a wrong conversion and has to see it."""

import lines
import pods
import pytest
import reading

BEFORE = b"""\
apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  initContainers:
  - name: i
    resources:
      limits: {cpu: 1, nvidia.com/gpu: 1}
  containers:
  - name: c
    resources:
      limits:
        nvidia.com/gpu: 2   # two
"""
AFTER = b"""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: a-gpu
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
      - name: gpu-2
        exactly:
          deviceClassName: gpu.nvidia.com
---
apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  initContainers:
  - name: i
    resources:
      limits: {cpu: 1}
      claims:
      - name: gpu
        request: gpu
  containers:
  - name: c
    resources:
      claims:
      - name: gpu
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: a-gpu
"""


def devices(data, made):
    (pod,) = pods.pod_specs(data)
    return pods.devices(pod, made)


def test_a_right_conversion_passes():
    made = pods.templates(AFTER)
    assert list(lines.strangers(BEFORE, AFTER)) == []
    assert pods.rest(BEFORE, made) == pods.rest(AFTER, made)
    assert devices(BEFORE, {}) == devices(AFTER, made)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"        request: gpu\n", b""),
        (b"      - name: gpu-2\n        exactly:\n          deviceClassName: gpu.nvidia.com\n", b""),
        (
            b"deviceClassName: gpu.nvidia.com\n---",
            b"deviceClassName: gpu.nvidia.com\n          count: 2\n---",
        ),
        (b"  - name: c\n    resources:\n      claims:\n      - name: gpu\n", b"  - name: c\n"),
    ],
    ids=["init container sees both", "one held", "three held", "main container sees none"],
)
def test_other_devices_are_seen(old, new):
    assert old in AFTER
    wrong = AFTER.replace(old, new)
    assert devices(BEFORE, {}) != devices(wrong, pods.templates(wrong))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"kind: Pod\n", b"kind:  Pod\n"),
        (b"limits: {cpu: 1}", b"limits: {cpu: 2}"),
        (b"limits: {cpu: 1}", b"limits: {}"),
        (b"  resourceClaims:\n", b"  hostNetwork: true\n  resourceClaims:\n"),
        (b"  - name: c\n", b"  - name: c   # comment\n"),
    ],
    ids=["blank", "value", "entry", "field", "comment"],
)
def test_other_lines_are_seen(old, new):
    assert old in AFTER
    assert list(lines.strangers(BEFORE, AFTER.replace(old, new)))


@pytest.mark.parametrize(
    "line",
    [
        "# nvidia.com/gpu: 1",
        "- key: nvidia.com/gpu",
        "image: nvidia/cuda",
        "cpu: 1",
        "# comment",
        "resources: {cpu: 1}",
    ],
)
def test_lines_that_may_not_go_are_seen(line):
    assert list(lines.strangers(f"a: 1\n{line}\n".encode(), b"a: 1\n")) == [f"- {line}"]


def test_other_values_are_seen():
    made = pods.templates(AFTER)
    assert pods.rest(BEFORE, made) != pods.rest(AFTER.replace(b"cpu: 1", b"cpu: 2"), made)


def test_line_endings_are_seen():
    assert lines.endings(b"a\r\nb\r\n") != lines.endings(b"a\r\nb\n")
    assert lines.endings(b"a\nb") != lines.endings(b"a\nb\n")


def test_requests_are_counted_by_place_and_name():
    data = b"""\
kind: List
items:
- kind: Pod
  spec:
    containers:
    - resources: &r
        limits: {nvidia.com/gpu: 1}
        requests: {nvidia.com/gpu: 1, nvidia.com/mig-1g.10gb.me: 1}
    - resources: *r
    - resources:
        <<: *r
        requests: {nvidia.com/gpu: 1}
    - resources:
        limits: {nvidia.com/gpumem: 1, nvidia.com/gpu.shared: 1, nvidia.com/other: 1}
        limits: {nvidia.com/pgpu: 1}
- kind: ResourceQuota
  spec:
    limits: {nvidia.com/gpu: 1}
"""
    assert reading.tally(reading.requests(data)) == {
        "nvidia.com/gpu": 3,
        "nvidia.com/mig-1g.10gb.me": 2,
        "nvidia.com/pgpu": 1,
    }


def test_sidecars_are_held_beside_what_comes_after_them():
    data = b"""\
kind: Pod
spec:
  initContainers:
  - {name: early, resources: {limits: {nvidia.com/gpu: 3}}}
  - {name: side, restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}}
  - {name: late, resources: {limits: {nvidia.com/gpu: 3}}}
  containers:
  - {name: main, resources: {limits: {nvidia.com/gpu: 1}}}
"""
    held, _ = devices(data, {})
    assert held == {"nvidia.com/gpu": 4}


TEMPLATE = AFTER[: AFTER.index(b"---\n") + 4]
# Before, after, and after with the limit beside the claim.
OPERATORS = {
    "NIMService": (
        b"kind: NIMService\nspec: {resources: {limits: {nvidia.com/gpu: 2}}}\n",
        b"kind: NIMService\nspec: {draResources: [{resourceClaimTemplateName: a-gpu}]}\n",
        (
            b"kind: NIMService\nspec: {resources: {limits: {nvidia.com/gpu: 2}},"
            b" draResources: [{resourceClaimTemplateName: a-gpu}]}\n"
        ),
    ),
    "NIMPipeline": (
        b"kind: NIMPipeline\nspec: {services: [{spec: {resources: {limits: {nvidia.com/gpu: 2}}}}]}\n",
        b"kind: NIMPipeline\nspec: {services: [{spec: {draResources: [{resourceClaimTemplateName: a-gpu}]}}]}\n",
        (
            b"kind: NIMPipeline\nspec: {services: [{spec: {resources: {limits: {nvidia.com/gpu: 2}},"
            b" draResources: [{resourceClaimTemplateName: a-gpu}]}}]}\n"
        ),
    ),
    "InferenceService": (
        b"kind: InferenceService\nspec: {predictor: {model: {resources: {limits: {nvidia.com/gpu: 2}}}}}\n",
        (
            b"kind: InferenceService\nspec: {predictor: {model: {resources: {claims: [{name: gpu}]}},"
            b" resourceClaims: [{name: gpu, resourceClaimTemplateName: a-gpu}]}}\n"
        ),
        (
            b"kind: InferenceService\nspec: {predictor: {model: {resources: {claims: [{name: gpu}],"
            b" limits: {nvidia.com/gpu: 2}}}, resourceClaims: [{name: gpu, resourceClaimTemplateName: a-gpu}]}}\n"
        ),
    ),
}


@pytest.mark.parametrize("kind", OPERATORS)
def test_pods_that_operators_make(kind):
    before, after, twice = (TEMPLATE * (index > 0) + text for index, text in enumerate(OPERATORS[kind]))
    made = pods.templates(after)
    assert devices(before, {}) == devices(after, made)
    assert pods.rest(before, made) == pods.rest(after, made)
    assert devices(before, {}) != devices(twice, made)
    assert devices(before, {}) != devices(after.replace(b"a-gpu}", b"b-gpu}"), made)
