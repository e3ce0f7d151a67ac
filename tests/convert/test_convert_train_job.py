"""TrainJobs and their runtimes: whatever one says of the other, the pods hold and see what they did."""

from __future__ import annotations

import json

import pytest
import yaml

from dralint.convert.words import context_words
from dralint.kube.bundle import Context
from dralint.nvidia.target import make_target
from tests.convert.trainer import READINGS, STEP, trainings

RUNTIME = f"""\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: KIND
metadata: {{name: torch}}
spec:
  mlPolicy:
    torch: {{numProcPerNode: auto}}
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata:
            labels: {{{STEP}: trainer}}
          spec:
            template:
              spec:
                containers:
                - name: node
                  image: x
                  resources: RESOURCES
"""
JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: NAME}
spec:
  runtimeRef: {name: torch, kind: KIND}
  trainer:
    numNodes: 2
    TRAINER
"""
RUNTIMES = {
    "nothing": "{}",
    "two": "{limits: {nvidia.com/gpu: 2}}",
    "two and cpu": "{limits: {nvidia.com/gpu: 2, cpu: 4}, requests: {cpu: 4}}",
    "zero": "{limits: {nvidia.com/gpu: 0}}",
}
# What a TrainJob says under spec.trainer, beside its nodes.
JOBS = {
    "nothing": "image: y",
    "null": "resourcesPerNode: null",
    "empty": "resourcesPerNode: {}",
    "empty limits": "resourcesPerNode: {limits: {}}",
    "two": "resourcesPerNode: {limits: {nvidia.com/gpu: 2}}",
    "two in both": "resourcesPerNode: {requests: {nvidia.com/gpu: 2}, limits: {nvidia.com/gpu: '2'}}",
    "two and cpu": "resourcesPerNode: {limits: {cpu: 4000m, nvidia.com/gpu: 2}}",
    "two and more cpu": "resourcesPerNode: {limits: {nvidia.com/gpu: 2, cpu: 8}}",
    "four": "resourcesPerNode: {limits: {nvidia.com/gpu: 4}}",
    "a MIG device": "resourcesPerNode: {limits: {nvidia.com/mig-1g.10gb: 2}}",
    "cpu": "resourcesPerNode: {limits: {cpu: 4}}",
    "zero": "resourcesPerNode: {limits: {nvidia.com/gpu: 0}}",
    "a claim": "resourcesPerNode: {limits: {nvidia.com/gpu: 2}, claims: [{name: gpu}]}",
    "two, a number": "{numProcPerNode: 1, resourcesPerNode: {limits: {nvidia.com/gpu: 2}}}",
    "two, auto": "{numProcPerNode: auto, resourcesPerNode: {limits: {nvidia.com/gpu: 2}}}",
    "auto": "numProcPerNode: auto",
}
MODES = [
    {"mode": "auto"},
    {"mode": "claims"},
    {"mode": "extended-resource"},
    {"mode": "implicit"},
    {"mode": "auto", "target": make_target("1.35")},
]
KINDS = ["ClusterTrainingRuntime", "TrainingRuntime"]
PLACES = ["after it", "before it", "another file", "the context", "the runtime in the context"]


def runtime(resources="two", kind="ClusterTrainingRuntime"):
    return RUNTIME.replace("KIND", kind).replace("RESOURCES", RUNTIMES[resources])


def job(says, kind="ClusterTrainingRuntime", name="train"):
    trainer = JOBS[says]
    if trainer.startswith("{"):
        trainer = "\n    ".join(
            f"{key}: {value if isinstance(value, str) else json.dumps(value)}"
            for key, value in yaml.safe_load(trainer).items()
        )
    return JOB.replace("KIND", kind).replace("NAME", name).replace("TRAINER", trainer)


def laid_out(place, of_runtime, of_jobs):
    """The named files, and those that are only context."""
    if place == "after it":
        return {"train.yaml": "---\n".join([of_runtime, *of_jobs])}, {}
    if place == "before it":
        return {"train.yaml": "---\n".join([*of_jobs, of_runtime])}, {}
    jobs = "---\n".join(of_jobs)
    if place == "another file":
        return {"jobs.yaml": jobs, "runtime.yaml": of_runtime}, {}
    if place == "the context":
        return {"runtime.yaml": of_runtime}, {"jobs.yaml": jobs}
    return {"jobs.yaml": jobs}, {"runtime.yaml": of_runtime}


def context_of(directory, named, others):
    (directory / ".git").mkdir(exist_ok=True)
    for name, text in {**named, **others}.items():
        (directory / name).write_text(text)
    return Context([str(directory / name) for name in named], context_words())


def convert_there(convert_text, directory, named, others, **options):
    context = context_of(directory, named, others)
    return convert_text(named, {name: directory / name for name in named}, context, **options)


def unchanged(before, after, *, processes=True):
    for reading in READINGS:
        old, new = trainings(before, reading), trainings(after, reading)
        assert old.keys() == new.keys()
        for name, training in old.items():
            same = new[name] if processes else new[name]._replace(processes=training.processes)
            assert same == training, (name, reading)


@pytest.mark.parametrize(
    "options", MODES, ids=lambda each: f"{each['mode']}{' 1.35' if 'target' in each else ''}"
)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("resources", RUNTIMES)
def test_pods_hold_and_see_what_they_did(convert_text, tmp_path, resources, place, options):
    pairs = [("two", other) for other in JOBS] + [("two and cpu", "two and cpu")]
    pairs = pairs if place in ("after it", "another file") and resources.startswith("two") else []
    for number, says in enumerate([*((each,) for each in JOBS), *pairs]):
        kind = KINDS[number % 2]
        directory = tmp_path / str(number)
        directory.mkdir()
        jobs = [job(each, kind, f"train-{index}") for index, each in enumerate(says)]
        named, others = laid_out(place, runtime(resources, kind), jobs)
        result = convert_there(convert_text, directory, named, others, **options)
        before = [*named.values(), *others.values()]
        after = [*result.texts.values(), *others.values()]
        # By another name for the devices Trainer counts as well; in other files the count is told.
        told = options["mode"] == "implicit" or (place not in PLACES[:2] and "auto" in says)
        try:
            unchanged(before, after, processes=not told)
        except AssertionError as error:
            raise AssertionError(f"{kind}, TrainJobs {says}: {error}") from error


def told(result):
    return [(each.outcome.value, each.mode) for each in result.occurrences]


@pytest.mark.parametrize("mode", ["auto", "claims"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("resources", "says"),
    [
        pytest.param("two", "two", id="the same"),
        pytest.param("two", "two in both", id="requests, too, and quotes"),
        pytest.param("two and cpu", "two and cpu", id="another unit"),
        pytest.param("two", "two, auto", id="processes counted"),
        pytest.param("two", "two, a number", id="processes given"),
    ],
)
def test_both_ask_for_the_same(convert_text, kind, mode, resources, says):
    result = convert_text(f"{runtime(resources, kind)}---\n{job(says, kind)}", mode=mode)
    assert told(result) == [("converted", "claims")] * 2
    of_runtime, of_job = result.occurrences
    assert of_job.claim == of_runtime.claim
    assert f"{kind} torch" in of_job.reason
    assert "nvidia.com/gpu:" not in result.text
    *_, after = yaml.safe_load_all(result.text)
    assert "resourcesPerNode" not in after["spec"]["trainer"]


@pytest.mark.parametrize("nothing", ["[]", "null"])
def test_no_claims_are_no_difference(convert_text, nothing):
    for old in ("resources: {", "resourcesPerNode: {"):
        text = f"{runtime()}---\n{job('two')}".replace(old, f"{old}claims: {nothing}, ")
        result = convert_text(text)
        assert told(result) == [("converted", "claims")] * 2
        unchanged([text], [result.text])


def test_a_trainer_that_says_nothing_else_goes(convert_text):
    alone = job("two").replace("    numNodes: 2\n", "")
    result = convert_text(f"{alone}---\n{runtime()}")
    assert "trainer" not in next(yaml.safe_load_all(result.text))["spec"]


SAME = ("nothing", "null", "auto", "two", "two in both", "two, a number", "two, auto")


@pytest.mark.parametrize("says", [each for each in JOBS if each not in SAME])
def test_they_do_not_ask_for_the_same(convert_text, says):
    text = f"{runtime()}---\n{job(says)}"
    for mode, outcome in (("auto", ("kept", "extended-resource")), ("claims", ("needs-decision", None))):
        result = convert_text(text, mode=mode)
        assert result.text == text
        first = result.occurrences[0]
        assert (first.outcome.value, first.mode) == outcome
        line = text[: text.index("resourcesPerNode")].count("\n") + 1
        assert f"resourcesPerNode of the TrainJob train (line {line})" in first.reason
        for other in result.occurrences[1:] if says != "zero" else ():
            assert "the ClusterTrainingRuntime torch (line 1) does not ask for the same" in other.reason


@pytest.mark.parametrize("place", ["another file", "the context"])
def test_a_train_job_elsewhere_holds_its_runtime_back(convert_text, tmp_path, place):
    named, others = laid_out(place, runtime(), [job("two")])
    result = convert_there(convert_text, tmp_path, named, others)
    assert result.texts == named
    assert set(told(result)) == {("kept", "extended-resource")}
    assert "jobs.yaml:8:5" in result.occurrences[-1].reason
    assert "it is in another file" in result.occurrences[-1].reason
    result = convert_there(convert_text, tmp_path, named, others, mode="claims")
    assert set(told(result)) == {("needs-decision", None)}
    assert "remove resourcesPerNode from the TrainJob" in result.occurrences[-1].next


def test_a_train_job_elsewhere_without_resources(convert_text, tmp_path):
    named, others = laid_out("the context", runtime(), [job("nothing"), job("auto")])
    result = convert_there(convert_text, tmp_path, named, others)
    assert told(result) == [("converted", "claims")]
    (note,) = [each for each in result.notes if "numProcPerNode" in each.message]
    assert "jobs.yaml:17:21" in note.message
    assert "write 2 there" in note.message
    assert note.weight == "warning"


def test_a_runtime_that_nobody_read(convert_text):
    result = convert_text(job("two"))
    assert told(result) == [("kept", "extended-resource")]
    assert "the ClusterTrainingRuntime torch that it refers to was not read" in result.occurrences[0].reason


def test_a_train_job_beside_another_runtime_of_the_name(convert_text, tmp_path):
    """Two clusters in one repository: each TrainJob means the runtime of its own file."""
    here = f"{runtime()}---\n{job('two')}"
    other = f"{runtime('two and cpu')}---\n{job('four')}"
    result = convert_there(convert_text, tmp_path, {"here.yaml": here}, {"other.yaml": other})
    assert told(result) == [("converted", "claims")] * 2


def test_kinds_of_one_name(convert_text):
    text = (
        f"{runtime(kind='TrainingRuntime')}---\n{job('four').replace(', kind: ClusterTrainingRuntime', '')}"
    )
    assert told(convert_text(text)) == [("converted", "claims"), ("kept", "extended-resource")]


@pytest.mark.parametrize(
    ("change", "outcomes"),
    [
        pytest.param(("{name: train}", "{name: train, annotations: {dralint.io/keep: later}}"), ["kept", "kept"], id="the TrainJob is kept"),
        pytest.param(("{name: torch}", "{name: torch, annotations: {dralint.io/keep: later}}"), ["kept", "kept"], id="the runtime is kept"),
        pytest.param((f"{{{STEP}: trainer}}", f"{{{STEP}: model-initializer}}"), ["converted", "kept"], id="an initializer"),
        pytest.param((f"{{{STEP}: trainer}}", "{}"), ["converted", "converted"], id="by name"),
        pytest.param(("- name: node\n        template", "- name: gpus\n        template"), ["converted", "converted"], id="by label"),
        pytest.param(("      - name: node\n", "      - name: launcher\n        template: {metadata: {labels: {" + STEP + ": trainer}}, spec: {template: {spec: {containers: [{name: node, image: y}]}}}}\n      - name: node\n"), ["kept", "kept"], id="a launcher beside it"),
        pytest.param(("      - name: node\n", "      - name: storage\n        template: {spec: {template: {spec: {containers: [{name: main, image: y}]}}}}\n      - name: node\n"), ["converted", "converted"], id="another job beside it"),
        pytest.param(("- name: node\n                  image", "- name: main\n                  image"), ["kept", "kept"], id="another container"),
    ],
)  # fmt: skip
def test_which_container_is_meant(convert_text, change, outcomes):
    text = f"{runtime()}---\n{job('two')}"
    assert change[0] in text
    assert convert_text(text.replace(*change, 1)).outcomes == outcomes


def test_what_holds_the_runtime_back_holds_the_train_job(convert_text):
    plugin = "---\nversion: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}\n"
    text = f"{runtime()}---\n{job('two')}"
    assert convert_text(text + plugin).outcomes == ["needs-decision", "needs-decision"]


def test_an_edit_that_is_refused_changes_neither(convert_text):
    text = f"{runtime()}---\n{job('two')}".replace("resourcesPerNode:", "resourcesPerNode: &own").replace(
        "numNodes: 2", "numNodes: 2\n    env: []"
    )
    text += "  copy: *own\n"
    result = convert_text(text)
    before, after = trainings([text], "whole"), trainings([result.text], "whole")
    assert before == after
    assert "unsupported" in result.outcomes


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("auto", True),
        ("'auto'", True),
        ('"auto"', True),
        ("&same auto", True),
        ("!!str auto", False),
        ("|-\n      auto", False),
    ],
)
def test_processes_of_a_train_job_of_the_file(convert_text, written, number):
    result = convert_text(f"{runtime()}---\n{job('auto').replace('auto', written)}")
    *_, after = yaml.safe_load_all(result.text)
    assert after["spec"]["trainer"]["numProcPerNode"] == (2 if number else "auto")
    assert any("TrainJob train" in note.message for note in result.notes) != number


def test_kustomize_patches_the_train_job(convert_text, tmp_path):
    patch = "[{op: add, path: /spec/trainer/resourcesPerNode/limits/memory, value: 1Gi}]"
    kustomization = f"resources: [train.yaml]\npatches: [{{target: {{kind: TrainJob}}, patch: '{patch}'}}]\n"
    named = {"train.yaml": f"{runtime()}---\n{job('two')}"}
    result = convert_there(convert_text, tmp_path, named, {"kustomization.yaml": kustomization})
    assert result.texts == named
    assert "a kustomization patches it" in result.occurrences[0].reason


def test_a_list_and_json(convert_text):
    objects = [yaml.safe_load(runtime()), yaml.safe_load(job("two"))]
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}, indent=2)
    result = convert_text(text)
    assert result.outcomes == ["converted", "converted"]
    assert [each["kind"] for each in json.loads(result.text)["items"]] == [
        "ResourceClaimTemplate",
        "ClusterTrainingRuntime",
        "TrainJob",
    ]


@pytest.mark.parametrize(
    ("namespaces", "kind", "written"),
    [
        (["team-a"], "ClusterTrainingRuntime", "team-a"),
        (["team-a", "team-a"], "ClusterTrainingRuntime", "team-a"),
        (["team-a", "team-b"], "ClusterTrainingRuntime", None),
        (["team-a", None], "ClusterTrainingRuntime", None),
        ([None], "ClusterTrainingRuntime", None),
        ([], "ClusterTrainingRuntime", None),
        (["team-a"], "TrainingRuntime", None),
    ],
)
def test_the_template_is_where_the_pods_are(convert_text, namespaces, kind, written):
    jobs = [job("two", kind, f"train-{index}") for index in range(len(namespaces))]
    jobs = [
        text
        if namespace is None
        else text.replace(f"train-{index}", f"train-{index}, namespace: {namespace}")
        for index, (text, namespace) in enumerate(zip(jobs, namespaces, strict=True))
    ]
    result = convert_text("---\n".join([*jobs, runtime(kind=kind)]))
    assert set(result.outcomes) == {"converted"}
    (template,) = [
        each for each in yaml.safe_load_all(result.text) if each["kind"] == "ResourceClaimTemplate"
    ]
    assert template["metadata"].get("namespace") == written
    assert ("namespaces" in result.topics) == kind.startswith("Cluster")


@pytest.mark.parametrize(("condition", "over"), [("Complete", True), ("Failed", True), ("Suspended", False)])
def test_a_train_job_that_is_over(convert_text, condition, over):
    """What runs no more does not hold its runtime back."""
    status = f"status: {{conditions: [{{type: {condition}, status: 'True'}}]}}\n"
    result = convert_text(f"{runtime()}---\n{job('four')}{status}")
    assert result.outcomes == ["converted" if over else "kept", "kept"]
    assert ("runs no more" in result.occurrences[1].reason) == over
