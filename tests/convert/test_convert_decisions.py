"""Which requests are converted, which stay, and why."""

from __future__ import annotations

import textwrap

import pytest

from dralint.errors import UsageError
from dralint.nvidia.target import make_target

POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: main
    image: train:1
    resources:
"""


def pod(resources: str, more: str = "") -> str:
    return (
        POD
        + textwrap.indent(textwrap.dedent(resources), "      ")
        + textwrap.indent(textwrap.dedent(more), "  ")
    )


@pytest.mark.parametrize("count", ["1", '"1"', "'8'", "32"])
@pytest.mark.parametrize("name", ["nvidia.com/gpu", "nvidia.com/mig-1g.10gb", "nvidia.com/mig-1g.10gb.me"])
def test_whole_numbers_are_converted(convert_text, count, name):
    result = convert_text(pod(f"limits:\n  {name}: {count}\n"))
    assert result.outcomes == ["converted"]
    assert result.occurrences[0].claim.count == int(count.strip("\"'"))
    assert f"{name}: " not in result.text


@pytest.mark.parametrize(
    ("resources", "reason"),
    [
        ("limits: {nvidia.com/gpu: }", "the count is empty"),
        ("limits: {nvidia.com/gpu: null}", "the count is empty"),
        ("limits: {nvidia.com/gpu: '${GPUS}'}", "template"),
        ("limits: {nvidia.com/gpu: '{{ .Values.gpus }}'}", "template"),
        ("limits: {nvidia.com/gpu: PLACEHOLDER_NUM_GPU}", "not a number"),
        ("limits: {nvidia.com/gpu: 0.5}", "not a whole number"),
        ("limits: {nvidia.com/gpu: 500m}", "not a whole number"),
        ("limits: {nvidia.com/gpu: 010}", "reads as 8"),
        ("limits: {nvidia.com/gpu: 1e1}", "reads as 10"),
        ("limits: {nvidia.com/gpu: -1}", "negative"),
        ("limits: {nvidia.com/gpu: [1]}", "not a number"),
        ("limits: {nvidia.com/gpu: true}", "not a number"),
        ("limits: {nvidia.com/gpu: 33}", "at most 32"),
        ("requests: {nvidia.com/gpu: 1}", "requests only"),
        ("limits: {nvidia.com/gpu: 1}\nrequests: {nvidia.com/gpu: 2}", "different counts"),
        ("limits: {nvidia.com/gpu: 1}\nrequests: {nvidia.com/gpu: 0}", "different counts"),
        ("limits: {nvidia.com/gpu: 1}\nrequests: {nvidia.com/gpu: }", "the count is empty"),
        ("limits: {nvidia.com/mig-large: 1}", "no MIG profile"),
        ("limits: {nvidia.com/gpu.shared: 1}", "shared"),
        ("limits: {nvidia.com/mig-1g.10gb.shared: 1}", "shared"),
        ("limits: {nvidia.com/gpumem: 3000}", "a part of a GPU"),
    ],
)
def test_a_request_that_a_person_must_decide_on(convert_text, resources, reason):
    text = pod(resources + "\n")
    result = convert_text(text)
    assert result.text == text
    assert result.outcomes == ["needs-decision"]
    assert reason in result.occurrences[0].reason
    assert result.occurrences[0].next


def test_a_passed_through_gpu_is_unsupported(convert_text):
    result = convert_text(pod("limits: {nvidia.com/pgpu: 1}\n"))
    assert result.outcomes == ["unsupported"]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("nodeName: node-1\n", "nodeName"),
        (
            "nodeSelector: {nvidia.com/gpu.product: Tesla-T4-SHARED}\n",
            "gpu.product Tesla-T4-SHARED, whose cards are shared (line 12)",
        ),
        ("nodeSelector: {nvidia.com/gpu.product: A100-SXM4-40GB-MIG-INVALID}\n", "no whole GPU"),
        ("nodeSelector: {nvidia.com/gpu.sharing-strategy: mps}\n", "gpu.sharing-strategy"),
        ("nodeSelector: {nvidia.com/gpu.replicas: '4'}\n", "gpu.replicas"),
        (
            "nodeSelector: {cloud.google.com/gke-gpu-sharing-strategy: time-sharing}\n",
            "gke-gpu-sharing-strategy",
        ),
        ("nodeSelector: {cloud.google.com/gke-max-shared-clients-per-gpu: '2'}\n", "gke-max-shared-clients"),
        ("nodeSelector: {cloud.google.com/gke-gpu-partition-size: 1g.5gb}\n", "gke-gpu-partition-size"),
        (
            """\
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchExpressions:
                    - {key: nvidia.com/gpu.product, operator: In, values: [Tesla-T4, Tesla-T4-SHARED]}
            """,
            "gpu.product",
        ),
        (
            """\
            affinity:
              nodeAffinity:
                preferredDuringSchedulingIgnoredDuringExecution:
                - weight: 1
                  preference:
                    matchExpressions:
                    - {key: nvidia.com/gpu.replicas, operator: Gt, values: ["1"]}
            """,
            "gpu.replicas",
        ),
        (
            """\
            volumes:
            - name: info
              downwardAPI:
                items:
                - {path: gpus, resourceFieldRef: {containerName: main, resource: limits.nvidia.com/gpu}}
            """,
            "resourceFieldRef",
        ),
    ],
)
def test_a_pod_that_a_person_must_decide_on(convert_text, more, reason):
    text = pod("limits:\n  nvidia.com/gpu: 1\n", more)
    result = convert_text(text)
    assert result.text == text
    assert result.outcomes == ["needs-decision"]
    assert reason in result.occurrences[0].reason


@pytest.mark.parametrize(
    "more",
    [
        "nodeSelector: {nvidia.com/gpu.product: Tesla-T4}\n",
        "nodeSelector: {nvidia.com/gpu.sharing-strategy: none}\n",
        "nodeSelector: {nvidia.com/gpu.replicas: '1'}\n",
        """\
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - matchExpressions:
                - {key: nvidia.com/gpu.product, operator: NotIn, values: [Tesla-T4-SHARED]}
                - {key: nvidia.com/gpu.sharing-strategy, operator: DoesNotExist}
        """,
        """\
        volumes:
        - name: info
          downwardAPI:
            items:
            - {path: cpus, resourceFieldRef: {containerName: main, resource: limits.cpu}}
        """,
    ],
)
def test_what_is_no_evidence(convert_text, more):
    assert convert_text(pod("limits:\n  nvidia.com/gpu: 1\n", more)).outcomes == ["converted"]


KEPT_OUT = (
    "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: "
    "[{key: %s, operator: NotIn, values: [%s]}]}]}}}\n"
)


@pytest.mark.parametrize(
    ("label", "values", "outcome"),
    [
        ("nvidia.com/gpu.sharing-strategy", "none", "needs-decision"),
        ("nvidia.com/gpu.sharing-strategy", "none, mps", "needs-decision"),
        ("nvidia.com/gpu.sharing-strategy", "mps, time-slicing", "converted"),
        ("nvidia.com/gpu.replicas", "'1'", "needs-decision"),
        ("nvidia.com/gpu.replicas", "'0', '1'", "needs-decision"),
        ("nvidia.com/gpu.replicas", "'0'", "converted"),
        ("nvidia.com/gpu.replicas", "'4'", "converted"),
        ("nvidia.com/mps.capable", "'false'", "needs-decision"),
        ("nvidia.com/mps.capable", "'true'", "converted"),
        ("nvidia.com/mig.config", "all-disabled", "needs-decision"),
        ("nvidia.com/mig.config", "all-1g.10gb", "converted"),
        ("cloud.google.com/gke-gpu-sharing-strategy", "none", "needs-decision"),
        ("cloud.google.com/gke-gpu-partition-size", "1g.5gb", "converted"),
    ],
)
def test_a_selector_that_keeps_whole_gpus_out_is_evidence(convert_text, label, values, outcome):
    result = convert_text(pod("limits:\n  nvidia.com/gpu: 1\n", KEPT_OUT % (label, values)))
    assert result.outcomes == [outcome]
    if outcome == "needs-decision":
        assert f"{label} other than" in result.occurrences[0].reason


@pytest.mark.parametrize(
    ("resources", "more", "outcomes"),
    [
        ("limits: {nvidia.com/gpu.shared: 2}\n", "", ["converted"]),
        (
            "limits: {nvidia.com/gpu: 1, nvidia.com/gpumem: 3000, nvidia.com/gpucores: 30}\n",
            "",
            ["converted"] * 3,
        ),
        ("limits: {nvidia.com/gpumem: 3000}\n", "", ["needs-decision"]),
        ("limits: {nvidia.com/gpu: 0, nvidia.com/gpumem: 3000}\n", "", ["needs-decision"] * 2),
        (
            "limits: {nvidia.com/gpu: 1}\n",
            "nodeSelector: {nvidia.com/gpu.product: Tesla-T4-SHARED}\n",
            ["converted"],
        ),
        # Sharing can be decided; a card that is cut has no whole GPU to give.
        (
            "limits: {nvidia.com/gpu: 1}\n",
            "nodeSelector: {nvidia.com/gpu.product: A100-SXM4-40GB-MIG-INVALID}\n",
            ["needs-decision"],
        ),
    ],
)
def test_sharing_exclusive(convert_text, resources, more, outcomes):
    result = convert_text(pod(resources, more), sharing="exclusive")
    assert result.outcomes == outcomes
    assert ("nvidia.com/gpumem" in result.text) == ("needs-decision" in outcomes and "gpumem" in resources)


@pytest.mark.parametrize("reader", ["same", "other"])
@pytest.mark.parametrize("side", ["limits", "requests"])
def test_a_zero_that_is_read_stays(convert_text, reader, side):
    reference = f"env: [{{name: N, valueFrom: {{resourceFieldRef: {{resource: {side}.nvidia.com/gpu}}}}}}]\n"
    more = f"- name: other\n  image: x\n  {reference}" if reader == "other" else f"  {reference}"
    text = pod("limits: {nvidia.com/gpu: 0}\n", more)
    result = convert_text(text)
    assert result.text == text
    assert result.outcomes == ["needs-decision"]
    assert "resourceFieldRef" in result.occurrences[0].reason


def test_one_open_request_keeps_the_whole_pod(convert_text):
    text = pod("limits:\n  nvidia.com/gpu: 1\n  nvidia.com/mig-1g.10gb: ${MIG}\n")
    result = convert_text(text)
    assert result.text == text
    assert result.outcomes == ["needs-decision", "needs-decision"]
    assert "line 12" in result.occurrences[0].reason


def test_kept_on_the_device_plugin(convert_text):
    text = pod("limits:\n  nvidia.com/gpu: 1\n").replace(
        "  name: train\n", "  name: train\n  annotations:\n    dralint.io/keep: not before May\n"
    )
    result = convert_text(text)
    assert result.text == text
    assert result.outcomes == ["kept"]
    assert "not before May" in result.occurrences[0].reason


@pytest.mark.parametrize("holder", ["AppWrapper", "Template"])
def test_what_holds_the_object_keeps_it(convert_text, holder):
    container = "{name: a, image: x, resources: {limits: {nvidia.com/gpu: 1}}}"
    held = f"{{apiVersion: v1, kind: Pod, metadata: {{name: a}}, spec: {{containers: [{container}]}}}}"
    annotated = "metadata: {name: w, annotations: {dralint.io/keep: not before May}}\n"
    texts = {
        "AppWrapper": "apiVersion: workload.codeflare.dev/v1beta2\nkind: AppWrapper\n"
        f"{annotated}spec: {{components: [{{template: {held}}}]}}\n",
        "Template": f"apiVersion: template.openshift.io/v1\nkind: Template\n{annotated}objects: [{held}]\n",
    }
    result = convert_text(texts[holder])
    assert result.outcomes == ["kept"]
    assert "not before May" in result.occurrences[0].reason


def test_a_pod_template_is_kept_by_its_own_annotation(convert_text):
    text = textwrap.dedent("""\
        apiVersion: leaderworkerset.x-k8s.io/v1
        kind: LeaderWorkerSet
        metadata: {name: llama}
        spec:
          leaderWorkerTemplate:
            leaderTemplate:
              metadata: {annotations: {dralint.io/keep: ""}}
              spec:
                containers:
                - {name: leader, image: x, resources: {limits: {nvidia.com/gpu: 1}}}
            workerTemplate:
              spec:
                containers:
                - {name: worker, image: x, resources: {limits: {nvidia.com/gpu: 1}}}
        """)
    assert convert_text(text).outcomes == ["kept", "converted"]


@pytest.mark.parametrize(
    ("api_version", "kind", "spec", "outcome"),
    [
        ("example.com/v1", "Unknown", "template: {spec: {containers: [{name: a, %s}]}}", "unsupported"),
        ("apps.nvidia.com/v1alpha1", "NIMCache", "%s", "needs-decision"),
        ("serving.kserve.io/v1beta1", "InferenceService", "explainer: {art: {%s}}", "needs-decision"),
        ("mlops.seldon.io/v1alpha1", "Server", "podSpec: {containers: [{name: a, %s}]}", "needs-decision"),
        (
            "serving.knative.dev/v1",
            "Service",
            "template: {spec: {containers: [{name: a, %s}]}}",
            "needs-decision",
        ),
        ("helm.toolkit.fluxcd.io/v2", "HelmRelease", "values: {main: {%s}}", "unsupported"),
        ("v1", "Pod", "%s, containers: []", "unsupported"),
    ],
)
def test_places_that_hold_no_claim(convert_text, api_version, kind, spec, outcome):
    resources = "resources: {limits: {nvidia.com/gpu: 1}}"
    text = f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: x}}\nspec: {{{spec % resources}}}\n"
    result = convert_text(text, mode="claims")
    assert result.text == text
    assert result.outcomes == [outcome]
    assert result.occurrences[0].next


@pytest.mark.parametrize(
    ("mode", "outcome"),
    [
        ("Serverless", "needs-decision"),
        ("Knative", "needs-decision"),
        ("RawDeployment", "converted"),
        ("", "converted"),
    ],
)
def test_a_mode_that_refuses_claims(convert_text, mode, outcome):
    annotations = f", annotations: {{serving.kserve.io/deploymentMode: {mode}}}" if mode else ""
    text = (
        f"apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nmetadata: {{name: llm{annotations}}}\n"
        "spec: {predictor: {containers: [{name: a, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]}}\n"
    )
    result = convert_text(text, mode="claims")
    assert result.outcomes == [outcome]
    assert bool(result.occurrences[0].next) == (outcome == "needs-decision")


def test_values_are_unsupported(convert_text):
    result = convert_text("worker:\n  resources:\n    limits:\n      nvidia.com/gpu: 1\n")
    assert result.outcomes == ["unsupported"]
    assert result.occurrences[0].object is None
    assert result.occurrences[0].field == "worker.resources.limits[nvidia.com/gpu]"


def test_a_template_is_unsupported_with_one_note(convert_text):
    text = (
        "{{- range .Values.pods }}\n---\n" + pod("limits: {nvidia.com/gpu: {{ .gpus }}}\n") + "{{- end }}\n"
    )
    result = convert_text(text)
    assert result.text == text
    assert set(result.outcomes) <= {"unsupported"}
    assert [note.topic for note in result.notes] == ["template"]


@pytest.mark.parametrize(
    ("text", "outcomes"),
    [
        ("{{- if .Values.on }}\n" + pod("limits: {nvidia.com/gpu: 1}\n") + "{{- end }}\n", []),
        (
            pod("limits: {nvidia.com/gpu: 1}\n") + "---\nspec:\n  {{- if .on }}\n  nvidia.com/gpu: 1\n",
            ["converted"],
        ),
        (pod("limits: {nvidia.com/gpu: 1}\n") + "spec2: {{ .Values.more }}\n", ["unsupported"]),
        (pod("limits: {nvidia.com/gpu: {{ .gpus }}}\n"), ["unsupported"]),
    ],
    ids=["does not parse", "another document", "parses", "the count"],
)
def test_requests_that_the_nodes_of_a_template_show(convert_text, text, outcomes):
    """One that does not parse has no nodes: nothing in it is counted, and the note says that it is there."""
    result = convert_text(text)
    assert result.outcomes == outcomes
    assert [note.topic for note in result.notes if note.weight == "warning"] == ["template"]


@pytest.mark.parametrize("count", ["1", "{{ .Values.gpus }}"], ids=["plain", "with marks"])
@pytest.mark.parametrize("on_disk", [True, False], ids=["file", "standard input"])
def test_a_template_of_a_chart_is_rendered_first(convert_text, tmp_path, monkeypatch, count, on_disk):
    """The next step can be pasted, and is the same on every machine."""
    (tmp_path / "my charts/chat/templates").mkdir(parents=True)
    (tmp_path / "my charts/chat/Chart.yaml").write_text("name: chat\n")
    monkeypatch.chdir(tmp_path)
    name = "my charts/chat/templates/pod.yaml"
    text = pod(f"limits:\n  nvidia.com/gpu: {count}\n")
    result = convert_text({name: text}, paths={name: tmp_path / name} if on_disk else {})
    assert result.text == text
    assert result.outcomes == ["unsupported"]
    assert result.occurrences[0].next.endswith("helm template 'my charts/chat' | dralint convert -")


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ("name: ${NAME}", "${NAME} is a placeholder"),
        ("name: <your-name>", "<your-name> is a placeholder"),
        ("generateName: 'train-{{ x }}-'", "is a placeholder"),
        ("name: Bad_Name", "Bad_Name is no name that Kubernetes allows"),
        ("name: my.dotted.Name", "my.dotted.Name is no name"),
        ("name: -train", "-train is no name"),
        ("name: 7", "has no name"),
        ("labels: {}", "has no name"),
    ],
)
def test_an_object_without_a_usable_name(convert_text, metadata, reason):
    text = pod("limits: {nvidia.com/gpu: 1}\n").replace("name: train", metadata)
    result = convert_text(text)
    assert result.outcomes == ["needs-decision"]
    assert reason in result.occurrences[0].reason


def test_a_target_without_the_api_is_refused(convert_text):
    with pytest.raises(UsageError, match=r"1\.33"):
        convert_text(POD, target=make_target("1.33"))


def test_what_was_assumed_is_said(convert_text):
    text = pod("limits: {nvidia.com/gpu: 1}\n")
    assert "one unit of nvidia.com/gpu is one whole GPU" in convert_text(text).assumptions
    assert any("--sharing exclusive" in each for each in convert_text(text, sharing="exclusive").assumptions)
