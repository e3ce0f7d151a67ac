"""Pods with claims: variables that go or are told, access to the node, priority, gangs, updates."""

from __future__ import annotations

import textwrap

import pytest

from dralint.kube.bundle import Context
from dralint.nvidia.target import make_target

POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
%s
  containers:
  - name: main
    image: train:1
    resources: {limits: {nvidia.com/gpu: %d}}
%s
"""


def pod(container: str = "", spec: str = "", count: int = 1) -> str:
    return POD % (textwrap.indent(spec, "  "), count, textwrap.indent(container, "    "))


def told(result):
    return [(note.topic, note.line, note.weight, note.edited) for note in result.notes]


VISIBLE = "NVIDIA_VISIBLE_DEVICES"
GONE = {
    "all": (
        f"env:\n- name: {VISIBLE}\n  value: all\n- {{name: A, value: b}}\n",
        "env:\n- {name: A, value: b}\n",
    ),
    "the only one": (f"env:\n- name: {VISIBLE}\n  value: void\nstdin: true\n", "stdin: true\n"),
    "none": (
        f"env: [{{name: {VISIBLE}, value: none}}, {{name: A, value: b}}]\n",
        "env: [{name: A, value: b}]\n",
    ),
    "empty": (
        f'env: [{{name: A, value: b}}, {{name: {VISIBLE}, value: ""}}]\n',
        "env: [{name: A, value: b}]\n",
    ),
    "no value": (f"env: [{{name: {VISIBLE}}}]\nstdin: true\n", "stdin: true\n"),
}


@pytest.mark.parametrize("name", GONE)
def test_the_variable_goes_where_the_claim_says_the_same(convert_text, name):
    before, after = GONE[name]
    stays = convert_text(pod(before))
    assert stays.text == convert_text(pod(after)).text.replace(
        textwrap.indent(after, "    "), textwrap.indent(before, "    ")
    )
    (note,) = stays.notes
    assert (note.topic, note.weight, note.edited) == ("visible-devices", "warning", False)
    assert note.message.endswith("remove it; --companions removes it")
    gone = convert_text(pod(before), companions=True)
    assert gone.text == convert_text(pod(after)).text
    assert [(each.topic, each.edited, each.line) for each in gone.notes] == [
        ("visible-devices", True, note.line)
    ]


STAYS = {
    "an index": (f"env: [{{name: {VISIBLE}, value: '1'}}]", "so 1 is overridden"),
    "a UUID": (f"env: [{{name: {VISIBLE}, value: GPU-8f1c}}]", "so GPU-8f1c is overridden"),
    "from elsewhere": (
        f"env: [{{name: {VISIBLE}, valueFrom: {{configMapKeyRef: {{name: a, key: b}}}}}}]",
        "from elsewhere",
    ),
    "read by another variable": (
        f"env: [{{name: {VISIBLE}, value: all}}, {{name: A, value: $({VISIBLE})}}]",
        "what else reads it",
    ),
    "read by the command": (
        f"env: [{{name: {VISIBLE}, value: all}}]\ncommand: [sh, -c, 'echo ${VISIBLE}']",
        "what else reads it",
    ),
    "twice, and not the same": (
        f"env: [{{name: {VISIBLE}, value: '1'}}, {{name: {VISIBLE}, value: all}}]",
        "so 1 is overridden",
    ),
}


@pytest.mark.parametrize("name", STAYS)
def test_a_variable_that_says_more_stays(convert_text, name):
    container, words = STAYS[name]
    plain, asked = convert_text(pod(container)), convert_text(pod(container), companions=True)
    assert asked.text == plain.text
    assert asked.notes == plain.notes
    (note,) = asked.notes
    assert (note.topic, note.weight) == ("visible-devices", "warning")
    assert words in note.message


def test_a_variable_that_two_pods_share_by_an_alias_is_not_taken_out(convert_text):
    text = f"""\
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Pod
  metadata: {{name: one}}
  spec:
    containers:
    - name: a
      image: a
      env: &env
      - {{name: A, value: b}}
      - {{name: {VISIBLE}, value: all}}
      resources: {{limits: {{nvidia.com/gpu: 1}}}}
- apiVersion: v1
  kind: Pod
  metadata: {{name: two}}
  spec:
    containers: [{{name: a, image: a, env: *env}}]
"""
    result = convert_text(text, companions=True)
    assert result.outcomes == ["converted"]
    assert f"- {{name: {VISIBLE}, value: all}}" in result.text
    assert any("it cannot be edited safely" in note.message and not note.edited for note in result.notes)


def test_a_pod_that_stays_keeps_its_variables(convert_text):
    text = pod(f"env: [{{name: {VISIBLE}, value: all}}]", "nodeName: here")
    result = convert_text(text, companions=True)
    assert (result.text, result.outcomes, result.notes) == (text, ["needs-decision"], [])


@pytest.mark.parametrize(
    ("value", "count", "words"),
    [
        ("'0'", 1, None),
        ("'0,1'", 2, None),
        ("'1'", 1, "the only device of this container, which is 0"),
        ("'0,3'", 2, "0 to 1"),
        ("GPU-8f1c2d3e", 1, "one device of one node"),
        ("MIG-8f1c2d3e", 1, "one device of one node"),
        ("$(DEVICES)", 1, None),
        ("''", 1, None),
    ],
)
def test_cuda_counts_from_zero(convert_text, value, count, words):
    text = pod(f"env: [{{name: CUDA_VISIBLE_DEVICES, value: {value}}}]", count=count)
    plain, asked = convert_text(text), convert_text(text, companions=True)
    assert asked.text == plain.text
    assert [note.topic for note in asked.notes] == (["visible-devices"] if words else [])
    assert all(words in note.message and note.weight == "warning" for note in asked.notes if words)


def test_a_container_without_a_claim_in_a_pod_with_one(convert_text):
    beside = f"  - {{name: side, image: a, env: [{{name: {VISIBLE}, value: %s}}]}}\n"
    assert told(convert_text(pod() + beside % "all")) == [("visible-devices", 12, "warning", False)]
    assert convert_text(pod() + beside % "void").notes == []


@pytest.mark.parametrize(
    ("value", "claims", "said"),
    [
        ("all", "", True),
        ("none", "", False),
        ("all", "[{name: gpu, resourceClaimTemplateName: gpu}]", False),
        ("all", "[]", True),
        ("all", "null", True),
    ],
)
def test_a_pod_that_asks_for_nothing(convert_text, value, claims, said):
    spec = f"containers: [{{name: a, image: a, env: [{{name: {VISIBLE}, value: {value}}}]}}]"
    spec += f"\n  resourceClaims: {claims}" if claims else ""
    text = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  {spec}\n"
    result = convert_text(text, companions=True)
    assert result.text == text
    assert told(result) == ([("visible-devices", 5, "info", False)] if said else [])


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        (pod("", "volumes: [{name: d, hostPath: {path: /dev/nvidia0}}]"), "host-access"),
        (pod("", "volumes: [{name: d, hostPath: {path: /dev/}}]"), "host-access"),
        (pod("", "volumes: [{name: d, hostPath: {path: /dev/nvidia-caps}}]"), "host-access"),
        (pod("", "volumes: [{name: d, hostPath: {path: /dev/shm}}]"), None),
        (pod("", "volumes: [{name: d, hostPath: {path: /dev/infiniband}}]"), None),
        (pod("", "volumes: [{name: d, emptyDir: {}}]"), None),
        (pod("securityContext: {privileged: true}"), "host-access"),
        (pod("securityContext: {privileged: false}"), None),
        (pod() + "  - {name: b, image: b, securityContext: {privileged: true}}\n", None),
    ],
)
def test_access_to_the_node(convert_text, text, topic):
    plain, asked = convert_text(text), convert_text(text, companions=True)
    assert asked.text == plain.text
    assert [(note.topic, note.weight) for note in asked.notes] == ([(topic, "info")] if topic else [])


@pytest.mark.parametrize(
    ("stack", "weight"), [("unknown", "info"), ("standalone", "info"), ("operator", "warning")]
)
def test_a_runtime_class_that_may_be_missing(convert_text, stack, weight):
    text = pod("", "runtimeClassName: nvidia")
    result = convert_text(text, companions=True, target=make_target(stack=stack))
    assert "runtimeClassName: nvidia" in result.text
    assert told(result) == [("runtime-class", 6, weight, False)]


PRIORITY = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: urgent}\nvalue: 9\n"


@pytest.mark.parametrize(
    ("spec", "more", "said"),
    [
        ("priorityClassName: urgent", "", True),
        ("priorityClassName: urgent", f"{PRIORITY}preemptionPolicy: PreemptLowerPriority\n", True),
        ("priorityClassName: urgent", f"{PRIORITY}preemptionPolicy: Never\n", False),
        ("priorityClassName: urgent\npreemptionPolicy: Never", "", False),
        ("priorityClassName: system-node-critical", "", False),
        ("priorityClassName: ''", "", False),
    ],
)
def test_priority_gets_no_device(convert_text, tmp_path, spec, more, said):
    text = pod("", spec)
    expected = [("preemption", 6, "warning", False)] if said else []
    assert told(convert_text({"pod.yaml": text, **({"class.yaml": more} if more else {})})) == expected
    (tmp_path / ".git").mkdir()
    (tmp_path / "pod.yaml").write_text(text)
    (tmp_path / "class.yaml").write_text(more)
    context = Context([str(tmp_path / "pod.yaml")], [b"nvidia.com", b"preemptionPolicy"])
    assert told(convert_text(text, context=context)) == expected


GANG = """yunikorn.apache.org/task-groups: '[{"name": "w", "minMember": 2, "minResource": {"%s": "1"}}]'"""


def test_a_gang_that_repeats_the_request(convert_text):
    text = pod().replace("  name: train\n", "  name: train\n  annotations:\n    " + GANG + "\n", 1)
    asked = convert_text(text % "nvidia.com/gpu", companions=True)
    assert told(asked) == [("gang", 6, "warning", False)]
    assert "nvidia.com/gpu" in asked.notes[0].message
    assert convert_text(text % "cpu").notes == []
    kept = text.replace("  annotations:\n", '  annotations:\n    dralint.io/keep: ""\n') % "nvidia.com/gpu"
    assert convert_text(kept).notes == []


DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat}
spec:
  %s
  selector: {}
  template: {spec: {containers: [{name: a, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}
"""


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ("{}", 1),
        ("replicas: 3", 1),
        ("replicas: 4", None),
        ("replicas: 0", None),
        ("replicas: ${N}", None),
        ("strategy: {type: Recreate}", None),
        ("strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}", None),
        ("strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 1}}", None),
        ("strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}", 5),
        ("replicas: 8\n  strategy: {rollingUpdate: {maxUnavailable: 10%}}", 6),
        ("strategy: {rollingUpdate: {maxSurge: some}}", None),
    ],
)
def test_an_update_that_needs_a_spare_card(convert_text, fields, line):
    text = DEPLOYMENT % fields if fields != "{}" else DEPLOYMENT.replace("  %s\n", "")
    plain, asked = convert_text(text), convert_text(text, companions=True)
    assert asked.text == plain.text
    assert told(asked) == ([("rollout", line, "info", False)] if line else [])


SCALER = """\
apiVersion: %s
metadata: {name: chat}
spec:
  scaleTargetRef: {name: chat, kind: Deployment}
  %s
"""


@pytest.mark.parametrize(
    ("kind", "metric", "topics"),
    [
        (
            "autoscaling/v2\nkind: HorizontalPodAutoscaler",
            "metrics: [{type: Pods, pods: {metric: {name: DCGM_FI_DEV_GPU_UTIL}}}]",
            ["autoscaling", "metrics"],
        ),
        (
            "keda.sh/v1alpha1\nkind: ScaledObject",
            "triggers: [{type: prometheus, metadata: {query: 'avg(DCGM_FI_PROF_GR_ENGINE_ACTIVE{pod=~\"chat.*\"})'}}]",
            ["autoscaling", "metrics"],
        ),
        (
            "autoscaling/v2\nkind: HorizontalPodAutoscaler",
            "metrics: [{type: Resource, resource: {name: cpu}}]",
            ["autoscaling"],
        ),
    ],
)
def test_a_scaler_by_the_use_of_gpus(convert_text, kind, metric, topics):
    files = {"hpa.yaml": SCALER % (kind, metric), "chat.yaml": DEPLOYMENT % "replicas: 4"}
    result = convert_text(files, companions=True)
    assert result.texts["hpa.yaml"] == files["hpa.yaml"]
    assert [note.topic for note in result.notes] == topics
    assert [note.weight for note in result.notes] == ["info", "warning"][: len(topics)]
    alone = convert_text({"hpa.yaml": files["hpa.yaml"]})
    assert alone.notes == []


@pytest.mark.parametrize("mode", ["claims", "implicit", "extended-resource"])
def test_a_pod_that_asks_by_name(convert_text, mode):
    container = f"env: [{{name: {VISIBLE}, value: all}}]\nsecurityContext: {{privileged: true}}\nstdin: true"
    text = pod(container).replace("  name: train\n", "  name: train\n  annotations:\n    " + GANG + "\n", 1)
    result = convert_text(text % "nvidia.com/gpu", companions=True, mode=mode)
    topics = [note.topic for note in result.notes if note.topic not in ("classes", "gate")]
    assert (VISIBLE in result.text) == (mode == "extended-resource")
    assert [note.edited for note in result.notes if note.topic == "visible-devices"] == [
        mode != "extended-resource"
    ]
    assert all("--companions" not in note.message for note in result.notes)
    assert topics == [*(["gang"] if mode != "extended-resource" else []), "visible-devices", "host-access"]


@pytest.mark.parametrize(("mode", "said"), [("claims", 1), ("implicit", 1), ("extended-resource", 0)])
def test_an_update_is_one_where_the_pod_changes(convert_text, mode, said):
    result = convert_text(DEPLOYMENT % "replicas: 1", mode=mode)
    assert [note.topic for note in result.notes].count("rollout") == said
