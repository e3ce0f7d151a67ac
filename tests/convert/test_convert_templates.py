"""Templates: their names, their place in the file, and what they take over from their user."""

from __future__ import annotations

import json

import pytest
import yaml

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: train%s}
spec:
  containers:
  - {name: main, image: x, resources: {limits: {nvidia.com/gpu: %d}}}
"""
TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: train-gpu%s}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: %d}}]}}}
"""


def templates(text):
    return [
        document["metadata"]["name"]
        for document in yaml.safe_load_all(text)
        if document["kind"] == "ResourceClaimTemplate"
    ]


def test_one_that_stands_there_already_is_used(convert_text):
    text = f"{TEMPLATE % ('', 2)}---\n{POD % ('', 2)}"
    assert templates(convert_text(text).text) == ["train-gpu"]


@pytest.mark.parametrize("namespace", ["", ", namespace: a"])
def test_a_name_that_is_taken_gets_a_hash(convert_text, namespace):
    text = f"{TEMPLATE % (namespace, 1)}---\n{POD % (', namespace: a', 2)}"
    result = convert_text(text)
    taken, made = templates(result.text)
    assert taken == "train-gpu"
    assert made.startswith("train-gpu-")
    assert len(made) == len("train-gpu-") + 8
    assert result.occurrences[0].claim.template == made


def test_another_namespace_takes_no_name(convert_text):
    text = f"{TEMPLATE % (', namespace: b', 1)}---\n{POD % (', namespace: a', 2)}"
    assert templates(convert_text(text).text) == ["train-gpu", "train-gpu"]


@pytest.mark.parametrize(
    ("namespace", "value"),
    [("ml", "ml"), ("'007'", "007"), ('"{{ .Release.Namespace }}"', "{{ .Release.Namespace }}")],
)
def test_the_namespace_is_copied(convert_text, namespace, value):
    made, user = yaml.safe_load_all(convert_text(POD % (f", namespace: {namespace}", 1)).text)
    assert made["metadata"]["namespace"] == user["metadata"]["namespace"] == value


def test_an_absent_namespace_stays_absent(convert_text):
    made, _ = yaml.safe_load_all(convert_text(POD % ("", 1)).text)
    assert made["metadata"] == {"name": "train-gpu"}


APP_WRAPPER = """\
apiVersion: workload.codeflare.dev/v1beta2
kind: AppWrapper
metadata: {name: outer, namespace: one, annotations: {argocd.argoproj.io/sync-wave: "2"}}
spec:
  components:
  - template:
      apiVersion: v1
      kind: Pod
      metadata: {%s}
      spec: {containers: [{name: main, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]}
"""
OPENSHIFT_TEMPLATE = """\
apiVersion: template.openshift.io/v1
kind: Template
metadata: {name: outer, namespace: openshift, annotations: {argocd.argoproj.io/sync-wave: "2"}}
objects:
- apiVersion: v1
  kind: Pod
  metadata: {%s}
  spec: {containers: [{name: main, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]}
"""


def test_beside_an_object_that_holds_its_user(convert_text):
    """The template stands beside the AppWrapper, and is ordered and named like it."""
    made, _ = yaml.safe_load_all(convert_text(APP_WRAPPER % "").text)
    wave = {"argocd.argoproj.io/sync-wave": "2"}
    assert made["metadata"] == {"name": "outer-gpu", "namespace": "one", "annotations": wave}
    made, _ = yaml.safe_load_all(convert_text(APP_WRAPPER % "name: inner, namespace: two").text)
    assert made["metadata"] == {"name": "inner-gpu", "namespace": "two", "annotations": wave}


def test_among_the_objects_of_an_openshift_template(convert_text):
    """They are made in the namespace that the template is used in, not in its own."""
    made, _ = yaml.safe_load(convert_text(OPENSHIFT_TEMPLATE % "name: inner").text)["objects"]
    assert made["metadata"] == {"name": "inner-gpu"}
    result = convert_text(OPENSHIFT_TEMPLATE % "")
    assert result.outcomes == ["needs-decision"]
    assert "name" in result.occurrences[0].reason


def test_a_long_name(convert_text):
    made, user = yaml.safe_load_all(convert_text(POD % ("-" + "x" * 70, 1)).text)
    name = made["metadata"]["name"]
    assert len(name) == 63
    assert name.startswith("train-xxx")
    assert user["spec"]["resourceClaims"] == [{"name": "gpu", "resourceClaimTemplateName": name}]


@pytest.mark.parametrize(
    ("annotations", "expected"),
    [
        ({"helm.sh/hook": "test"}, {"helm.sh/hook": "test", "helm.sh/hook-weight": "-1"}),
        (
            {
                "helm.sh/hook": "pre-install",
                "helm.sh/hook-weight": "-5",
                "helm.sh/hook-delete-policy": "hook-failed",
            },
            {
                "helm.sh/hook": "pre-install",
                "helm.sh/hook-weight": "-6",
                # Left behind by a failed hook it would be in the way of the next run.
                "helm.sh/hook-delete-policy": "before-hook-creation",
            },
        ),
        ({"helm.sh/hook-weight": "3"}, {"helm.sh/hook-weight": "3"}),
        ({"argocd.argoproj.io/sync-wave": "2", "team": "a"}, {"argocd.argoproj.io/sync-wave": "2"}),
        ({"team": "a"}, None),
    ],
)
def test_what_orders_the_user_orders_the_template(convert_text, annotations, expected):
    text = POD % (f", annotations: {json.dumps(annotations)}", 1)
    made, user = yaml.safe_load_all(convert_text(text).text)
    assert made["metadata"].get("annotations") == expected
    assert user["metadata"]["annotations"] == annotations


def test_a_post_renderer_of_helm_4_keeps_the_template_by_its_user(convert_text):
    annotation = "postrenderer.helm.sh/postrender-filename: chat/templates/pod.yaml"
    result = convert_text(POD % (f", annotations: {{{annotation}}}", 1))
    made, _ = yaml.safe_load_all(result.text)
    assert made["metadata"]["annotations"] == yaml.safe_load(annotation)
    assert "# Source" not in result.text


def test_a_typed_list_in_json_has_no_place(convert_text):
    pod = yaml.safe_load(POD % ("", 1))
    text = json.dumps({"apiVersion": "v1", "kind": "PodList", "items": [pod]})
    result = convert_text({"pods.json": text})
    assert result.outcomes == ["needs-decision"]
    assert result.text == text


def test_a_json_object_with_two_needs_becomes_one_list(convert_text):
    spec = yaml.safe_load(POD % ("", 1))["spec"]
    other = yaml.safe_load(POD % ("", 2))["spec"]
    worker_set = {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "llama"},
        "spec": {
            "leaderWorkerTemplate": {"leaderTemplate": {"spec": spec}, "workerTemplate": {"spec": other}}
        },
    }
    result = convert_text({"set.json": json.dumps(worker_set, indent=2)})
    assert result.outcomes == ["converted", "converted"]
    names = [item["metadata"]["name"] for item in json.loads(result.text)["items"]]
    assert names == ["llama-leader-gpu", "llama-worker-gpu", "llama"]


def test_an_empty_namespace_is_an_absent_one(convert_text):
    text = "---\n".join([TEMPLATE % ("", 2), POD % (', namespace: ""', 2)])
    assert templates(convert_text(text).text) == ["train-gpu"]
