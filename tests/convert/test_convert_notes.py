"""Notes: what a claim does not bring, and what must follow the workloads."""

from __future__ import annotations

import itertools
import textwrap
from types import SimpleNamespace

import pytest

from dralint.convert.sharing.cluster import read_cluster
from dralint.kube.bundle import Bundle
from tests.convert.conftest import parsed

POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: train
%s
spec:
  containers:
  - name: main
    image: train:1
    resources: {limits: {nvidia.com/gpu: 1}}
%s
"""


def pod(spec: str = "", metadata: str = "") -> str:
    return POD % (textwrap.indent(metadata, "  "), textwrap.indent(spec, "  "))


@pytest.mark.parametrize(
    ("text", "topic", "line"),
    [
        (pod("runtimeClassName: nvidia"), "runtime-class", 11),
        (pod("priorityClassName: urgent"), "preemption", 11),
        (pod("schedulerName: volcano"), "scheduler", 11),
        (pod("  env:\n  - {name: NVIDIA_VISIBLE_DEVICES, value: all}"), "visible-devices", 12),
        (pod("nodeSelector:\n  nvidia.com/gpu.family: ampere"), "selectors", 12),
        (pod("nodeSelector:\n  nvidia.com/gpu.machine: DGX-A100"), "node-labels", 12),
        (pod("", "labels: {kueue.x-k8s.io/queue-name: team}"), "quota", 5),
        (pod().replace("nvidia.com/gpu: 1", "nvidia.com/mig-1g.5gb: 2"), "mig", 10),
    ],
)
def test_of_converted_pods(convert_text, text, topic, line):
    result = convert_text(text)
    assert result.outcomes == ["converted"]
    assert [note.line for note in result.notes if note.topic == topic] == [line]
    weight = "info" if topic in ("runtime-class", "selectors", "mig") else "warning"
    assert {note.weight for note in result.notes if note.topic == topic} == {weight}


@pytest.mark.parametrize("spec", ["runtimeClassName: kata", "schedulerName: default-scheduler"])
def test_what_needs_no_note(convert_text, spec):
    assert convert_text(pod(spec)).notes == []


def test_pods_that_stay_have_no_notes(convert_text):
    text = pod("runtimeClassName: nvidia", 'annotations: {dralint.io/keep: ""}')
    assert convert_text(text).notes == []


@pytest.mark.parametrize(
    ("text", "topic", "line"),
    [
        (
            "apiVersion: v1\nkind: ResourceQuota\nspec:\n  hard:\n    cpu: 1\n    requests.nvidia.com/gpu: 4\n",
            "quota",
            6,
        ),
        (
            "apiVersion: v1\nkind: LimitRange\nspec:\n  limits:\n  - max: {nvidia.com/gpu: 1}\n",
            "quota",
            5,
        ),
        (
            (
                "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\n"
                "spec: {quota: {hard: {requests.nvidia.com/gpu: 4}}}\n"
            ),
            "quota",
            3,
        ),
        (
            (
                "apiVersion: kueue.x-k8s.io/v1beta1\nkind: ClusterQueue\nspec:\n  resourceGroups:\n"
                "  - coveredResources: [cpu, nvidia.com/gpu]\n"
            ),
            "quota",
            5,
        ),
        (
            "apiVersion: karpenter.sh/v1\nkind: NodePool\nspec:\n  limits: {cpu: 1, nvidia.com/gpu: 8}\n",
            "inventory",
            4,
        ),
        (
            (
                "apiVersion: v1\nkind: Node\nstatus:\n  capacity:\n    nvidia.com/gpu: 8\n"
                "  allocatable:\n    nvidia.com/gpu: 8\n"
            ),
            "inventory",
            5,
        ),
        (
            (
                "apiVersion: v1\nkind: ConfigMap\ndata:\n  pod: |\n    resources:\n      limits:\n"
                '        "nvidia.com/gpu": 1\n'
            ),
            "string",
            4,
        ),
        (
            "- op: replace\n  path: /spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu\n  value: 2\n",
            "string",
            2,
        ),
        (
            (
                "kind: Kustomization\npatches:\n- patch: |\n    - op: remove\n"
                "      path: /spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu\n"
            ),
            "string",
            3,
        ),
    ],
)
def test_of_what_must_follow(convert_text, text, topic, line):
    result = convert_text(text)
    assert result.occurrences == []
    assert result.text == text
    assert [(note.topic, note.line) for note in result.notes] == [(topic, line)]
    assert [note.weight for note in result.notes] == ["info" if topic == "inventory" else "warning"]


def test_text_that_asks_for_nothing_is_no_note(convert_text):
    text = "kind: ConfigMap\ndata:\n  readme: |\n    Nodes with nvidia.com/gpu are tainted.\n"
    assert convert_text(text).notes == []


def test_what_only_records_what_was_applied_is_no_note(convert_text):
    record = 'kubectl.kubernetes.io/last-applied-configuration: \'{"limits":{"nvidia.com/gpu":"1"}}\''
    assert convert_text(pod("", f"annotations: {{{record}}}")).notes == []
    other = record.replace("kubectl.kubernetes.io", "example.com")
    assert convert_text(pod("", f"annotations: {{{other}}}")).topics == {"string"}


def test_a_job_of_volcano_has_a_scheduler_of_its_own(convert_text):
    text = (
        "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: train}\nspec:\n  tasks:\n"
        "  - {name: w, template: {spec: {containers: [{name: a, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}}\n"
    )
    assert convert_text(text).topics == {"scheduler"}


def test_what_scales_a_converted_workload(convert_text):
    deployment = (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\nspec:\n  strategy: {type: Recreate}\n"
        "  template: {spec: {containers: [{name: a, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}\n"
    )
    scaler = (
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: chat}\n"
        "spec:\n  scaleTargetRef: {kind: Deployment, name: %s}\n"
    )
    result = convert_text(
        {"chat.yaml": deployment, "chat-hpa.yaml": scaler % "chat", "other.yaml": scaler % "other"}
    )
    assert [(note.path, note.topic, note.line) for note in result.notes] == [
        ("chat-hpa.yaml", "autoscaling", 5)
    ]


@pytest.mark.parametrize("namespaces", [["a", "b"], ["b", "a"], ["a"], ["b"], [""]])
def test_a_scaler_belongs_to_the_workload_of_its_namespace(convert_text, namespaces):
    workload = (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat, namespace: %s}\nspec:\n  strategy: {type: Recreate}\n"
        "  template: {spec: {containers: [{name: a, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}\n"
    )
    scaler = (
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: chat, namespace: a}\n"
        "spec: {scaleTargetRef: {kind: Deployment, name: chat}}\n"
    )
    texts = [workload % namespace for namespace in namespaces]
    notes = convert_text("---\n".join([*texts, scaler])).notes
    assert [note.topic for note in notes] == ([] if namespaces == ["b"] else ["autoscaling"])


@pytest.mark.parametrize(
    ("version", "told"),
    [("apps/v1", True), ("apps/v1beta2", True), ("", True), ("example.com/v1", False), ("v1", False)],
)
@pytest.mark.parametrize("kind", ["HorizontalPodAutoscaler", "ScaledObject", "VerticalPodAutoscaler"])
def test_a_scaler_belongs_to_the_workload_of_its_group(convert_text, kind, version, told):
    workload = (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\nspec:\n  strategy: {type: Recreate}\n"
        "  template: {spec: {containers: [{name: a, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}\n"
    )
    group, field = {
        "HorizontalPodAutoscaler": ("autoscaling/v2", "scaleTargetRef"),
        "ScaledObject": ("keda.sh/v1alpha1", "scaleTargetRef"),
        "VerticalPodAutoscaler": ("autoscaling.k8s.io/v1", "targetRef"),
    }[kind]
    written = f"apiVersion: {version}, " if version else ""
    scaler = (
        f"apiVersion: {group}\nkind: {kind}\nmetadata: {{name: chat}}\n"
        f"spec: {{{field}: {{{written}kind: Deployment, name: chat}}}}\n"
    )
    notes = convert_text({"chat.yaml": workload, "scaler.yaml": scaler}).notes
    assert [note.topic for note in notes] == (["autoscaling"] if told else [])


def test_one_name_for_two_needs_in_two_files(convert_text):
    one = pod()
    result = convert_text({"one.yaml": one, "two.yaml": one.replace("gpu: 1", "gpu: 2")})
    assert [(note.path, note.topic) for note in result.notes] == [
        ("one.yaml", "names"),
        ("two.yaml", "names"),
    ]
    assert ["in two.yaml:" in note.message for note in result.notes] == [True, False]


@pytest.mark.parametrize("order", [*itertools.permutations(["a.yaml", "b.yaml", "c.yaml", "d.yaml"])])
def test_notes_on_names_do_not_depend_on_the_order_of_the_files(convert_text, order):
    texts = {
        "a.yaml": pod(metadata="namespace: ml"),
        "b.yaml": pod().replace("gpu: 1", "gpu: 2"),
        "c.yaml": pod(metadata="namespace: web").replace("gpu: 1", "gpu: 2"),
        "d.yaml": pod(metadata="namespace: web").replace("gpu: 1", "gpu: 3"),
    }
    notes = convert_text({name: texts[name] for name in order}).notes
    told = {note.path: note.message.partition(" in ")[2].partition(":")[0] for note in notes}
    assert told == {"a.yaml": "b.yaml", "b.yaml": "a.yaml", "c.yaml": "d.yaml", "d.yaml": "b.yaml"}


def test_notes_on_names_do_not_depend_on_the_order_of_templates(convert_text):
    template = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: train-gpu}\n"
        "spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: 2}}]}}}\n"
    )
    texts = {"pod.yaml": pod(), "b.yaml": template, "a.yaml": template}
    for order in itertools.permutations(texts):
        (note,) = convert_text({name: texts[name] for name in order}).notes
        assert "in a.yaml:1" in note.message


@pytest.mark.parametrize("where", ["named", "context"])
@pytest.mark.parametrize(
    ("namespace", "count", "told"), [("", 2, True), (", namespace: ml", 2, True), ("", 1, False)]
)
def test_a_template_of_another_file_has_the_name(convert_text, parse_text, where, namespace, count, told):
    """A file is a closed world, so the name stays; but one of the two would overwrite the other."""
    template = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\n"
        f"metadata: {{name: train-gpu{namespace}}}\nspec: {{spec: {{devices: {{requests: [\n"
        f"  {{name: gpu, exactly: {{deviceClassName: gpu.nvidia.com, count: {count}}}}}]}}}}}}\n"
    )
    if where == "named":
        result = convert_text({"pod.yaml": pod(), "claims.yaml": template})
    else:
        context = SimpleNamespace(bundle=Bundle([parse_text(template, "claims.yaml")]))
        result = convert_text({"pod.yaml": pod()}, context=context)
    assert "name: train-gpu\n" in result.texts["pod.yaml"]
    notes = [(note.path, note.line, note.topic) for note in result.notes]
    assert notes == ([("pod.yaml", 1, "names")] if told else [])
    assert all("claims.yaml:1" in note.message for note in result.notes)


def test_an_operator_that_counts_limits(convert_text):
    text = """\
        apiVersion: kubeflow.org/v1
        kind: PyTorchJob
        metadata: {name: train}
        spec:
          pytorchReplicaSpecs:
            Worker:
              template:
                spec:
                  containers: [{name: pytorch, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]
        """
    assert "operator" in convert_text(textwrap.dedent(text)).topics


_UNMET = [
    # Each may be right, and together they are not.
    ("nvidia.com/mig-1g.5gb", {"nvidia.com/gpu.family": "turing"}, "no-device"),
    ("nvidia.com/gpu", {"nvidia.com/gpu.family": "turing", "nvidia.com/gpu.memory": "81559"}, "no-device"),
    (
        "nvidia.com/gpu",
        {"nvidia.com/gpu.product": "Tesla-T4", "nvidia.com/gpu.family": "hopper"},
        "no-device",
    ),
    (
        "nvidia.com/gpu",
        {"nvidia.com/gpu.product": "NVIDIA-Z9000", "nvidia.com/gpu.family": "hopper"},
        "product",
    ),
    ("nvidia.com/gpu", {"nvidia.com/gpu.product": "NVIDIA-Z9000"}, "product"),
    ("nvidia.com/gpu", {"nvidia.com/gpu.family": "turing"}, None),
    ("nvidia.com/gpu", {"nvidia.com/gpu.product": "Tesla-T4"}, None),
    ("nvidia.com/mig-1g.5gb", {"nvidia.com/gpu.family": "ampere"}, None),
]


@pytest.mark.parametrize("sharing", ["refuse", "exclusive", "shared-claim"])
@pytest.mark.parametrize("first_available", [False, True])
@pytest.mark.parametrize(("resource", "labels", "topic"), _UNMET)
def test_a_request_that_no_known_card_meets(convert_text, sharing, first_available, resource, labels, topic):
    demands = "nodeSelector:\n" + "".join(f"  {key}: '{value}'\n" for key, value in labels.items())
    text = pod(demands).replace("nvidia.com/gpu: 1", f"{resource}: 1")
    result = convert_text(text, sharing=sharing, first_available=first_available)
    assert result.outcomes == ["converted"]
    found = [(note.topic, note.weight) for note in result.notes if note.topic in ("no-device", "product")]
    assert found == ([(topic, "info" if topic == "product" else "warning")] if topic else [])


@pytest.mark.parametrize("mode", ["claims", "implicit", "extended-resource"])
@pytest.mark.parametrize(("profile", "told"), [("1g.5gb", False), ("1g.77gb", True), ("2g.10gb", False)])
def test_a_profile_that_no_known_card_has(convert_text, mode, profile, told):
    result = convert_text(pod().replace("nvidia.com/gpu: 1", f"nvidia.com/mig-{profile}: 1"), mode=mode)
    assert result.outcomes == ["kept" if mode == "extended-resource" else "converted"]
    assert ("no-device" in result.topics) == told


_SINGLE = "version: v1\nflags: {migStrategy: single}\n"
_LAYOUTS = "version: v1\nmig-configs:\n  all: [{devices: all, mig-enabled: true, mig-devices: {%s: 7}}]\n"


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ({"nvidia.com/gpu.memory": "40960", "nvidia.com/gpu.family": "turing"}, True),
        ({"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"}, False),
        ({"nvidia.com/gpu.product": "Tesla-T4-MIG-1g.5gb"}, True),
    ],
)
def test_a_pod_that_contradicts_the_only_profile(convert_text, labels, told):
    demands = "nodeSelector:\n" + "".join(f"  {key}: '{value}'\n" for key, value in labels.items())
    result = convert_text(
        pod(demands), cluster=read_cluster([parsed(_SINGLE)], [parsed(_LAYOUTS % "1g.5gb")])
    )
    assert result.outcomes == ["converted"]
    assert ("no-device" in result.topics) == told
    assert result.text.count("profile == '1g.5gb'") == 1


def test_what_is_not_compared_with_the_catalogue_is_told(convert_text, monkeypatch):
    monkeypatch.setattr("dralint.convert.notes.card_notes._MOST", 2)
    contradictions = [
        f"nvidia.com/gpu.family: turing\n  nvidia.com/gpu.memory: '{size}'"
        for size in (81559, 81558, 81557, 81556)
    ]
    texts = {f"{n}.yaml": pod("nodeSelector:\n  " + demand) for n, demand in enumerate(contradictions)}
    notes = [note for note in convert_text(texts).notes if note.topic in ("no-device", "product")]
    assert [(note.path, note.topic) for note in notes] == [
        ("0.yaml", "no-device"),
        ("1.yaml", "no-device"),
        ("2.yaml", "product"),
    ]
    assert "2 different selections" in notes[-1].message


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("nvidia.com/gppu", "nvidia.com/gpu"),
        ("nvidia.com/GPU", "nvidia.com/gpu"),
        ("nvidia.com.gpu", "nvidia.com/gpu"),
        ("nvidia/gpu", "nvidia.com/gpu"),
        ("NVIDIA.com/gpu", "nvidia.com/gpu"),
        ("nvidia.com/MIG-1g.10gb", "nvidia.com/mig-1g.10gb"),
    ],
)
def test_a_name_that_was_meant_to_be_one_of_a_gpu_is_told(convert_text, name, right):
    """It counts for nothing: nobody offers it. Nor is it passed over in silence."""
    result = convert_text(pod().replace("{nvidia.com/gpu: 1}", f"{{cpu: 1, {name}: 1}}"))
    assert result.outcomes == []
    (note,) = [note for note in result.notes if note.topic == "misspelt"]
    assert (note.line, note.column, note.weight) == (10, 34, "warning")
    assert name in note.message
    assert f"if {right} was meant" in note.message


@pytest.mark.parametrize(
    "name", ["nvidia.com/GA102GL_A10", "nvidia.com/vgpu", "amd.com/gpu", "nvidia.com/gpu.shared"]
)
def test_names_of_other_plugins_are_not(convert_text, name):
    result = convert_text(pod().replace("{nvidia.com/gpu: 1}", f"{{{name}: 1}}"))
    assert "misspelt" not in result.topics
