"""Node labels of converted pods: selectors of their claims, or left to the pod."""

from __future__ import annotations

import textwrap

import pytest
import yaml

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
    resources: {limits: {%s}}
"""
PRODUCT = "nodeSelector:\n  nvidia.com/gpu.product: NVIDIA-L4\n"
IS_L4 = "device.attributes['gpu.nvidia.com'].productName == 'NVIDIA L4'"
IS_1G = "device.attributes['gpu.nvidia.com'].profile == '1g.5gb'"
FAMILY = "device.attributes['gpu.nvidia.com'].architecture == 'Ampere'"


def pod(spec: str = PRODUCT, request: str = "nvidia.com/gpu: 1") -> str:
    return POD % (textwrap.indent(textwrap.dedent(spec).rstrip(), "  "), request)


def objects(text):
    return [each for each in yaml.safe_load_all(text) if each]


def templates(text):
    return {
        each["metadata"]["name"]: each["spec"] for each in objects(text) if each["kind"].endswith("Template")
    }


def requests(text):
    (template,) = templates(text).values()
    return template["spec"]["devices"]["requests"]


def selectors(text):
    return [
        [each["cel"]["expression"] for each in request["exactly"].get("selectors", [])]
        for request in requests(text)
    ]


def spec(text):
    (found,) = [each["spec"] for each in objects(text) if each["kind"] == "Pod"]
    return found


def test_a_label_becomes_a_selector(convert_text):
    result = convert_text(pod())
    assert selectors(result.text) == [[IS_L4]]
    assert "nodeSelector" not in spec(result.text)
    assert [(note.topic, note.line, note.weight) for note in result.notes] == [("selectors", 7, "info")]
    (occurrence,) = result.occurrences
    assert occurrence.claim.selectors == (IS_L4,)
    assert "the GPUs of a node are of one kind, the one that its labels tell" in result.assumptions


def test_the_profile_comes_first(convert_text):
    result = convert_text(pod("nodeSelector: {nvidia.com/gpu.family: ampere}", "nvidia.com/mig-1g.5gb: 1"))
    assert selectors(result.text) == [[IS_1G, FAMILY]]


def test_every_request_of_the_pod_gets_it(convert_text):
    result = convert_text(pod(request="nvidia.com/gpu: 1, nvidia.com/mig-1g.5gb: 1"))
    assert selectors(result.text) == [[IS_L4], [IS_1G, IS_L4]]


def test_keep(convert_text):
    result = convert_text(pod(), node_labels="keep")
    assert selectors(result.text) == [[]]
    assert spec(result.text)["nodeSelector"] == {"nvidia.com/gpu.product": "NVIDIA-L4"}
    assert [(note.topic, note.weight) for note in result.notes] == [("node-labels", "warning")]


def test_both(convert_text):
    result = convert_text(pod(), node_labels="both")
    assert selectors(result.text) == [[IS_L4]]
    assert spec(result.text)["nodeSelector"] == {"nvidia.com/gpu.product": "NVIDIA-L4"}
    assert "stays" in result.notes[0].message


def test_what_stays_is_told(convert_text):
    text = pod(
        """\
        nodeSelector:
          zone: a
          nvidia.com/gpu.machine: DGX-A100
          cloud.google.com/gke-accelerator: nvidia-l4
          feature.node.kubernetes.io/pci-10de.present: "true"
        """
    )
    result = convert_text(text)
    assert len(spec(result.text)["nodeSelector"]) == 4
    assert selectors(result.text) == [[]]
    assert [(note.topic, note.line, note.weight) for note in result.notes] == [
        ("node-labels", 8, "warning"),
        ("labels", 9, "info"),
    ]
    assert "the GPUs of a node are of one kind, the one that its labels tell" not in result.assumptions


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (pod(request="cpu: 1"), []),
        (pod(request="nvidia.com/gpu: 0"), ["converted"]),
        (pod(request="nvidia.com/gpu: many"), ["needs-decision"]),
        (pod().replace("metadata:\n", 'metadata:\n  annotations: {dralint.io/keep: ""}\n'), ["kept"]),
    ],
)
def test_a_pod_without_claims_keeps_its_labels(convert_text, text, outcome):
    result = convert_text(text)
    assert result.outcomes == outcome
    assert "nvidia.com/gpu.product: NVIDIA-L4" in result.text


@pytest.mark.parametrize(
    "label",
    [
        "nvidia.com/gpu.product: NVIDIA-L4-SHARED",
        "nvidia.com/gpu.sharing-strategy: mps",
        'nvidia.com/gpu.replicas: "4"',
        'nvidia.com/mps.capable: "true"',
    ],
)
def test_sharing_in_a_label_holds_back(convert_text, label):
    text = pod(f"nodeSelector: {{{label}}}")
    result = convert_text(text)
    assert result.outcomes == ["needs-decision"]
    assert result.text == text
    decided = convert_text(text, sharing="exclusive")
    assert decided.outcomes == ["converted"]
    assert "nodeSelector" not in decided.text


@pytest.mark.parametrize(
    "label",
    [
        "nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB-MIG-INVALID",
        "nvidia.com/mig.strategy: single",
        'nvidia.com/gpu.slices.gi: "1"',
        'nvidia.com/gpu.multiprocessors: "14"',
        'nvidia.com/gpu.engines.copy: "1"',
    ],
)
def test_slices_in_a_label_hold_back(convert_text, label):
    text = pod(f"nodeSelector: {{{label}}}")
    for sharing in ("refuse", "exclusive"):
        result = convert_text(text, sharing=sharing)
        assert result.outcomes == ["needs-decision"]
        assert result.text == text


JOBS = """\
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata:
  name: train
spec:
  replicatedJobs:
  - name: leader
    template:
      spec:
        template:
          spec:
            nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4}
            containers: [{name: a, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]
  - name: worker
    template:
      spec:
        template:
          spec:
            nodeSelector: {nvidia.com/gpu.product: NVIDIA-L40S}
            containers: [{name: a, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]
  - name: other
    template:
      spec:
        template:
          spec:
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchExpressions: [{key: nvidia.com/gpu.product, operator: In, values: [NVIDIA-L4]}]
            containers: [{name: a, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]
  - name: driver
    template:
      spec:
        template:
          spec:
            nodeSelector: {nvidia.com/gpu.present: "false"}
            containers: [{name: a, image: a}]
"""


def test_pods_of_one_workload(convert_text):
    result = convert_text(JOBS)
    found = templates(result.text)
    # Leader and the third ask for the same in two ways.
    assert sorted(found) == ["train-gpu", "train-worker-gpu"]
    assert result.text.count("resourceClaimTemplateName: train-gpu") == 2
    assert "affinity" not in result.text
    assert 'nvidia.com/gpu.present: "false"' in result.text


ALIAS = """\
apiVersion: v1
kind: Pod
metadata:
  name: train
  annotations: &labels
    nvidia.com/gpu.product: NVIDIA-L4
spec:
  nodeSelector: *labels
  containers:
  - name: main
    image: train:1
    resources: {limits: {nvidia.com/gpu: 1}}
"""


def test_a_label_that_cannot_be_taken_out_stays(convert_text):
    text = ALIAS.replace("*labels", "{<<: *labels, zone: a}")
    result = convert_text(text)
    assert result.outcomes == ["converted"]
    assert selectors(result.text) == [[]]
    assert "nodeSelector: {<<: *labels, zone: a}" in result.text
    (note,) = result.notes
    assert (note.topic, note.weight) == ("node-labels", "warning")
    assert "cannot be taken out safely" in note.message


def test_an_alias_of_the_pod_alone_goes(convert_text):
    result = convert_text(ALIAS)
    assert selectors(result.text) == [[IS_L4]]
    assert "nodeSelector" not in result.text
    assert "annotations: &labels\n    nvidia.com/gpu.product: NVIDIA-L4\n" in result.text


WORKFLOW = """\
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: train
spec:
  nodeSelector:
    nvidia.com/gpu.product: NVIDIA-L4
  templates:
  - name: main
    container:
      image: train:1
      resources: {limits: {nvidia.com/gpu: 1}}
"""


def test_labels_that_other_pods_use_as_well_stay(convert_text):
    result = convert_text(WORKFLOW)
    assert result.outcomes == ["converted"]
    assert "    nvidia.com/gpu.product: NVIDIA-L4\n" in result.text
    assert selectors(result.text) == [[]]
    assert [(note.topic, note.line) for note in result.notes if note.topic == "node-labels"] == [
        ("node-labels", 7)
    ]


PREFERRED = """\
affinity:
  nodeAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
    - weight: 5
      preference:
        matchExpressions:
        - {key: nvidia.com/gpu.product, operator: In, values: [NVIDIA-L4]}
    - weight: 1
      preference:
        matchExpressions:
        - {key: nvidia.com/gpu.product, operator: In, values: [NVIDIA-L40S]}
"""


def test_preferences_stay_unless_asked_for(convert_text):
    result = convert_text(pod(PREFERRED))
    assert selectors(result.text) == [[]]
    assert "preferredDuringScheduling" in result.text
    assert {(note.topic, note.weight) for note in result.notes} == {("labels", "info")}


def test_preferences_as_alternatives(convert_text, snapshot):
    result = convert_text(
        pod(PREFERRED + "nodeSelector: {nvidia.com/gpu.memory: '23034'}"), first_available=True
    )
    assert result.text == snapshot
    assert result.outcomes == ["converted"]
    assert len(result.occurrences[0].claim.preferred) == 2


def test_alternatives_need_their_gate(convert_text):
    from dralint.nvidia.target import make_target

    target = make_target(kubernetes="1.34", gates=["DRAPrioritizedList=false"])
    result = convert_text(pod(PREFERRED), first_available=True, target=target)
    assert selectors(result.text) == [[]]
    assert "preferredDuringScheduling" in result.text


def test_expressions_are_checked_by_the_dialect(convert_text):
    from dralint.cel.dialect import Program, Settings, compile_selector

    for expression in selectors(convert_text(pod()).text)[0]:
        assert isinstance(compile_selector(expression, Settings(34)), Program)
