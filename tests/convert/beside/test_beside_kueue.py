"""Kueue counts claims where its configuration says so: the mapping is added, or told; queues stay as they are."""

from __future__ import annotations

import pytest

from dralint.kube.bundle import Context

QUEUE = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: %s
metadata: {name: gpus}
spec:
  resourceGroups:
  - coveredResources: [cpu, %s]
    flavors: [{name: default, resources: [{name: cpu, nominalQuota: 9}, {name: %s, nominalQuota: 8}]}]
"""
HEAD = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
PLAIN = "  - name: nvidia.com/gpu\n    deviceClassNames:\n    - gpu.nvidia.com\n"
INDENTED = "- name: nvidia.com/gpu\n      deviceClassNames:\n        - gpu.nvidia.com\n"
JOB = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: train
  labels: {kueue.x-k8s.io/queue-name: gpus}
spec:
  template:
    spec: {restartPolicy: Never, containers: [{name: a, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]}
"""


def queue(resource: str = "nvidia.com/gpu", kind: str = "ClusterQueue") -> str:
    return QUEUE % (kind, resource, resource)


def notes(result, path: str):
    return [(note.line, note.weight, note.edited) for note in result.notes if note.path == path]


CONFIGURATIONS = {
    "nothing about resources": (
        f"{HEAD}health: {{healthProbeBindAddress: ':8081'}}\n",
        f"{HEAD}health: {{healthProbeBindAddress: ':8081'}}\nresources:\n  deviceClassMappings:\n{PLAIN}",
    ),
    "other resources": (
        f"{HEAD}resources:\n  excludeResourcePrefixes: [example.com]\n",
        f"{HEAD}resources:\n  excludeResourcePrefixes: [example.com]\n  deviceClassMappings:\n{PLAIN}",
    ),
    "other mappings": (
        f"{HEAD}resources:\n  deviceClassMappings:\n    - name: slices\n      deviceClassNames:\n        - mig.nvidia.com\n",
        (
            f"{HEAD}resources:\n  deviceClassMappings:\n    - name: slices\n      deviceClassNames:\n"
            f"        - mig.nvidia.com\n    {INDENTED}"
        ),
    ),
}


@pytest.mark.parametrize("kind", ["ClusterQueue", "Cohort"])
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_class_gets_the_name_that_a_queue_covers(convert_text, name, kind):
    before, after = CONFIGURATIONS[name]
    files = {"kueue.yaml": before, "queue.yaml": queue(kind=kind)}
    told = convert_text(files)
    assert told.texts == files
    assert [note.weight for note in told.notes] == ["warning", "warning"]
    edited = convert_text(files, companions=True)
    assert edited.texts == {**files, "kueue.yaml": after}
    assert [(note.path, note.edited) for note in edited.notes] == [("kueue.yaml", True)]
    assert convert_text(edited.texts).notes == []


TOLD = {
    "the gate is off": f"{HEAD}featureGates: {{KueueDRAIntegration: false}}\n",
    "the name is taken": (
        f"{HEAD}resources: {{deviceClassMappings: [{{name: nvidia.com/gpu, deviceClassNames: [a.example.com]}}]}}\n"
    ),
    "no list": f"{HEAD}resources: {{deviceClassMappings: many}}\n",
    "no mapping": f"{HEAD}resources: many\n",
    "a string": (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kueue-manager-config}\ndata:\n"
        "  controller_manager_config.yaml: |\n    apiVersion: config.kueue.x-k8s.io/v1beta2\n    kind: Configuration\n"
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_not_certain_is_told(convert_text, name):
    files = {"kueue.yaml": TOLD[name], "queue.yaml": queue()}
    result = convert_text(files, companions=True)
    assert result.texts == files
    assert [note[1:] for note in notes(result, "kueue.yaml")] == [("warning", False)]
    assert all("--companions" not in note.message for note in result.notes)


def test_without_a_queue_on_gpus_a_configuration_stays(convert_text):
    files = {"kueue.yaml": HEAD, "queue.yaml": queue("example.com/gpu"), "job.yaml": JOB}
    result = convert_text(files, companions=True)
    assert result.texts["kueue.yaml"] == HEAD
    assert {note.path for note in result.notes} == {"job.yaml"}


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("where", ["named", "context"])
def test_a_mapping_that_is_there_leaves_nothing_to_say(convert_text, tmp_path, where, inside):
    mapping = (
        "resources: {deviceClassMappings: [{name: nvidia.com/gpu, deviceClassNames: [gpu.nvidia.com]}]}\n"
    )
    configuration = HEAD + mapping
    if inside:
        lines = "".join(f"    {line}\n" for line in configuration.splitlines())
        configuration = f"apiVersion: v1\nkind: ConfigMap\ndata:\n  config.yaml: |\n{lines}"
    files = {"queue.yaml": queue(), "job.yaml": JOB}
    if where == "named":
        assert convert_text({**files, "kueue.yaml": configuration}, companions=True).notes == []
    else:
        (tmp_path / ".git").mkdir()
        (tmp_path / "kueue.yaml").write_text(configuration)
        (tmp_path / "job.yaml").write_text(JOB)
        context = Context([str(tmp_path / "job.yaml")], [b"nvidia.com"])
        assert convert_text(files, context=context, companions=True).notes == []
        assert convert_text(queue(), context=context).notes == []


def test_another_name_than_the_queue_covers(convert_text):
    mapping = "resources: {deviceClassMappings: [{name: cards, deviceClassNames: [gpu.nvidia.com]}]}\n"
    result = convert_text({"kueue.yaml": HEAD + mapping, "queue.yaml": queue()}, companions=True)
    (note,) = result.notes
    assert (note.path, note.line) == ("queue.yaml", 6)
    assert "counts claims of gpu.nvidia.com as cards (kueue.yaml:1:1)" in note.message


def test_mig_profiles_have_one_class(convert_text):
    text = queue("nvidia.com/mig-1g.10gb, nvidia.com/mig-2g.20gb").replace(
        "{name: nvidia.com/mig-1g.10gb, nvidia.com/mig-2g.20gb, nominalQuota: 8}",
        "{name: nvidia.com/mig-1g.10gb, nominalQuota: 8}, {name: nvidia.com/mig-2g.20gb, nominalQuota: 8}",
    )
    files = {"kueue.yaml": HEAD, "queue.yaml": text}
    result = convert_text(files, companions=True)
    assert result.texts == files
    (note,) = result.notes
    assert "nvidia.com/mig-1g.10gb, nvidia.com/mig-2g.20gb cannot stay apart" in note.message


def test_shares_of_gpus_are_no_devices(convert_text):
    plugin = "sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}\n"
    files = {"kueue.yaml": HEAD, "queue.yaml": queue(), "plugin.yaml": plugin}
    result = convert_text(files, companions=True)
    assert result.texts == files
    assert any("share of a GPU" in note.message for note in result.notes)


def test_a_queued_workload(convert_text):
    (note,) = convert_text(JOB).notes
    assert (note.topic, note.line, note.weight) == ("quota", 5, "warning")
    assert "gpu.nvidia.com" in note.message
    files = {"kueue.yaml": HEAD, "queue.yaml": queue(), "job.yaml": JOB}
    assert notes(convert_text(files), "job.yaml") == [(5, "warning", False)]
    assert notes(convert_text(files, companions=True), "job.yaml") == []


def test_a_queued_workload_with_a_place_in_the_topology(convert_text):
    text = JOB.replace(
        "spec:\n  template:",
        "  annotations: {kueue.x-k8s.io/podset-required-topology: rack}\nspec:\n  template:",
    )
    messages = [note.message for note in convert_text(text).notes]
    assert any("no topology-aware scheduling" in message for message in messages)


def test_alternatives_are_not_admitted(convert_text):
    prefers = (
        "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: "
        "{matchExpressions: [{key: nvidia.com/gpu.product, operator: In, values: [NVIDIA-L40S]}]}}]}}"
    )
    text = JOB.replace("restartPolicy: Never", f"restartPolicy: Never, {prefers}")
    plain = [note.message for note in convert_text(text).notes]
    assert not any("admit claims with" in message for message in plain)
    chosen = [note.message for note in convert_text(text, first_available=True).notes]
    assert any("does not admit claims with alternatives" in message for message in chosen)


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("nvidia.com/gpu.product: NVIDIA-L40S", True),
        ("nvidia.com/gpu.present: 'true'", False),
        ("cloud.google.com/gke-accelerator: nvidia-l4", False),
    ],
)
def test_a_flavor_by_labels_of_nodes(convert_text, label, said):
    text = f"apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {{name: a}}\nspec:\n  nodeLabels:\n    {label}\n"
    result = convert_text(text, companions=True)
    assert result.text == text
    assert [(note.topic, note.line, note.weight) for note in result.notes] == (
        [("node-labels", 6, "warning")] if said else []
    )


@pytest.mark.parametrize("mode", ["implicit", "extended-resource"])
def test_pods_that_ask_by_name_are_counted_in_another_way(convert_text, mode):
    files = {"kueue.yaml": HEAD, "queue.yaml": queue(), "job.yaml": JOB}
    result = convert_text(files, companions=True, mode=mode)
    assert result.texts["kueue.yaml"] == HEAD
    assert [note.path for note in result.notes if note.topic == "quota"] == ["job.yaml"]
    assert any("alpha gate" in note.message for note in result.notes)
