"""GPU requests in strings of a kustomization are requests: counted, placed, and a reason for the exit code."""

from __future__ import annotations

import json
import textwrap

import pytest

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: chat
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers:
      - name: server
        image: s:1
        resources:
          limits: {memory: 1Gi}
"""
MERGE = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat}
spec:
  template:
    spec:
      containers:
      - name: server
        resources:
          limits:
            nvidia.com/gpu: 2
"""
FLOW = '{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "chat"}, "spec": {"template": {"spec": {"containers": [{"name": "server", "resources": {"limits": {"nvidia.com/gpu": 2}}}]}}}}'
LIMITS = "/spec/template/spec/containers/0/resources/limits"
TARGET = "target: {kind: Deployment, name: chat}"
STEP = f'[{{"op": "add", "path": "{LIMITS}/nvidia.com~1gpu", "value": 2}}]'
WHOLE = f'[{{"op": "add", "path": "{LIMITS}", "value": {{"nvidia.com/gpu": 2}}}}]'
RESOURCES = f'[{{"op": "add", "path": "{LIMITS.removesuffix("/limits")}", "value": {{"limits": {{"nvidia.com/gpu": 2}}}}}}]'
# Kinds and forms of patches: the text, and where the request stands.
FORMS = {
    "a literal block": ("patches:\n- patch: |\n" + textwrap.indent(MERGE, "    "), (14, 17)),
    "one with its own indent": ("patches:\n- patch: |3-\n" + textwrap.indent(MERGE, "     "), (14, 18)),
    "a block of steps": (f"patches:\n- {TARGET}\n  patch: |-\n    - op: add\n      path: {LIMITS}/nvidia.com~1gpu\n      value: 2\n", (6, 13)),
    "a folded block": (f"patches:\n- patch: >-\n    {FLOW}\n", (3, 10)),
    "single quotes": (f"patches:\n- patch: '{FLOW}'\n", (3, 10)),
    "double quotes": (f"patches:\n- patch: {json.dumps(FLOW)}\n", (3, 10)),
    "a list in JSON": (f'patches: [{{"target": {{"kind": "Deployment", "name": "chat"}}, "patch": {json.dumps(STEP)}}}]\n', None),
    "a step": (f"patches:\n- {TARGET}\n  patch: '{STEP}'\n", (4, 10)),
    "a step of all limits": (f"patches:\n- {TARGET}\n  patch: '{WHOLE}'\n", (4, 10)),
    "a step of resources": (f"patches:\n- {TARGET}\n  patch: '{RESOURCES}'\n", (4, 10)),
    "the old merges": ("patchesStrategicMerge:\n- |\n" + textwrap.indent(MERGE, "  "), (14, 15)),
    "the old steps": (f"patchesJson6902:\n- {TARGET}\n  patch: '{STEP}'\n", (4, 10)),
}  # fmt: skip


@pytest.fixture
def ran(tmp_path, monkeypatch, dralint):
    """Converts a base and an overlay: the run, and its report."""

    def converted(prod, *arguments, base=DEPLOYMENT, more=()):
        (tmp_path / ".git").mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path)
        texts = {
            "base/kustomization.yaml": "resources: [base.yaml]\n",
            "base/base.yaml": base,
            "prod/kustomization.yaml": f"resources: [../base]\n{prod}",
            **dict(more),
        }
        for name, text in texts.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        result = dralint("convert", "--report", "report.json", *arguments, ".")
        report = json.loads((tmp_path / "report.json").read_text())
        return result, report

    return converted


# Cards that are shared: one of those asked for may be a part of a card.
SHARED = {
    "plugin.yaml": "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}\n"
}


@pytest.mark.parametrize(("prod", "place"), FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("mode", ["auto", "claims", "implicit", "extended-resource"])
def test_each_form_is_one_request_with_its_place(ran, prod, place, mode):
    result, report = ran(prod, "--check", "--mode", mode)
    (only,) = report["occurrences"]
    assert (only["resource"], only["quantity"], only["object"]["name"]) == ("nvidia.com/gpu", "2", "chat")
    assert only["path"] == "prod/kustomization.yaml"
    assert place is None or (only["line"], only["column"]) == place
    assert f"1 {only['outcome']}" in result.err
    assert result.code == (0 if only["outcome"] == "kept" else 1)
    assert (only["outcome"] == "kept") == (mode == "extended-resource")
    assert not [note for note in report["notes"] if note["topic"] == "string"]


@pytest.mark.parametrize(("prod", "place"), FORMS.values(), ids=FORMS.keys())
def test_what_is_held_asks_for_a_decision(ran, prod, place):
    result, report = ran(prod, "--write", more=SHARED)
    (only,) = report["occurrences"]
    assert (result.code, only["outcome"]) == (1, "needs-decision")
    assert only["reason"].startswith("it stands in a patch, and ")
    assert only["next"]


KEEP = "  name: chat\n  annotations: {dralint.io/keep: until May}\n"


@pytest.mark.parametrize(("prod", "place"), FORMS.values(), ids=FORMS.keys())
def test_what_a_person_keeps_is_kept(ran, prod, place):
    result, report = ran(prod, "--check", base=DEPLOYMENT.replace("  name: chat\n", KEEP, 1))
    (only,) = report["occurrences"]
    assert (result.code, only["outcome"]) == (0, "kept")
    assert "until May" in only["reason"]


@pytest.mark.parametrize(
    "step",
    [
        f"- {{op: remove, path: {LIMITS}/nvidia.com~1gpu}}\n",
        f"- {{op: test, path: {LIMITS}/nvidia.com~1gpu, value: 1}}\n",
        f"- {{op: replace, path: {LIMITS}/nvidia.com~1gpu, value: null}}\n",
        f"- {{op: replace, path: {LIMITS}, value: {{nvidia.com/gpu: }}}}\n",
        f"- {{op: move, from: {LIMITS}/nvidia.com~1gpu, path: /metadata/annotations/a}}\n",
    ],
)
@pytest.mark.parametrize("inside", [True, False])
def test_what_asks_for_nothing_is_no_request(ran, step, inside):
    prod = (
        f"patches:\n- {TARGET}\n  patch: |\n    {step}"
        if inside
        else f"patches: [{{path: a.yaml, {TARGET}}}]\n"
    )
    result, report = ran(prod, "--check", more={} if inside else {"prod/a.yaml": step})
    assert report["occurrences"] == []
    assert result.code == 0


def test_a_file_of_steps_for_several_is_counted_once(ran):
    steps = f"- {{op: add, path: {LIMITS}/nvidia.com~1gpu, value: 2}}\n"
    prod = f"patches: [{{path: ../gpu.yaml, {TARGET}}}]\n"
    more = {"gpu.yaml": steps, "test/kustomization.yaml": f"resources: [../base]\n{prod}"}
    _, report = ran(prod, "--check", more={**more, **SHARED})
    assert [(each["path"], each["outcome"]) for each in report["occurrences"]] == [
        ("gpu.yaml", "needs-decision")
    ]


def test_a_component_converts_no_patches(ran):
    prod = "patches:\n- patch: |\n" + textwrap.indent(MERGE, "    ")
    result, report = ran(prod, "--output-overlay", "dra")
    (only,) = report["occurrences"]
    assert (result.code, only["outcome"]) == (1, "needs-decision")
    assert "no component converts patches, but --write may" in only["reason"]


def test_the_summary_counts_them(ran):
    result, _ = ran("patches:\n- patch: |\n" + textwrap.indent(MERGE, "    "), "--check", more=SHARED)
    assert "1 GPU request: 0 converted, 0 kept, 1 needs-decision, 0 unsupported" in result.err


MODES = ["auto", "claims", "implicit", "extended-resource"]
# All that a patch may be told of: a product that has no such profile, and a variable.
TELLING = MERGE.replace("nvidia.com/gpu", "nvidia.com/mig-1g.10gb").replace(
    "      containers:\n      - name: server\n",
    "      nodeSelector: {nvidia.com/gpu.product: Tesla-T4}\n      containers:\n      - name: server\n"
    "        env: [{name: NVIDIA_VISIBLE_DEVICES, value: all}]\n",
)
SCALER = {
    "prod/scaler.yaml": "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: chat}\n"
    "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}, maxReplicas: 3}\n"
}


def told(report):
    """What a report says beside the requests, wherever it points to."""
    notes = {
        (each["topic"], each["weight"], each["message"].partition("; --comp")[0]) for each in report["notes"]
    }
    advice = [(each["object"]["name"], each["advice"], each["reasons"]) for each in report["workloads"]]
    return (
        notes,
        report["deviceClasses"],
        advice,
        report["assumptions"],
        [each["title"] for each in report["steps"]],
    )


@pytest.mark.parametrize("patch", [MERGE, TELLING], ids=["plain", "telling"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("stack", ["operator", "standalone", "unknown"])
def test_a_string_is_told_what_a_file_is_told(ran, patch, mode, stack):
    options = ("--check", "--mode", mode, "--stack", stack)
    result, of_file = ran("patches: [{path: gpu.yaml}]\n", *options, more={**SCALER, "prod/gpu.yaml": patch})
    of_string = ran(
        "patches:\n- patch: |\n" + textwrap.indent(patch, "    "), *options, more={"prod/gpu.yaml": ""}
    )
    assert told(of_string[1]) == told(of_file)
    assert of_string[0].code == result.code
    assert of_file["workloads"]


@pytest.mark.parametrize("patch", [MERGE, TELLING], ids=["plain", "telling"])
def test_what_a_string_is_told_stands_at_its_request(ran, patch):
    _, report = ran("patches:\n- patch: |\n" + textwrap.indent(patch, "    "), "--check")
    (only,) = report["occurrences"]
    place = only["path"], only["line"], only["column"]
    assert report["notes"]
    assert {(each["path"], each["line"], each["column"]) for each in report["notes"]} == {place}
    assert [(each["path"], each["line"]) for each in report["workloads"]] == [place[:2]]


def test_a_note_on_steps_in_a_file_stands_at_the_first_of_them(ran):
    more = {"prod/gpu.yaml": RESOURCES.replace('gpu": 2', 'mig-1g.10gb": 2')}
    _, report = ran(f"patches: [{{path: gpu.yaml, {TARGET}}}]\n", "--check", more=more)
    assert "toleration" in {each["topic"] for each in report["notes"]}
    assert {(each["path"], each["line"]) for each in report["notes"]} == {("prod/gpu.yaml", 1)}


@pytest.mark.parametrize(("prod", "place"), FORMS.values(), ids=FORMS.keys())
def test_a_name_that_stays_needs_its_class(ran, tmp_path, prod, place):
    result, report = ran(
        prod,
        "--mode",
        "extended-resource",
        "--stack",
        "operator",
        "--device-classes",
        "classes.yaml",
    )
    assert result.code == 0
    assert [each["name"] for each in report["deviceClasses"]] == ["nvidia-gpu-extended"]
    assert "extendedResourceName: nvidia.com/gpu" in (tmp_path / "classes.yaml").read_text()
    assert [(each["object"]["name"], each["advice"]) for each in report["workloads"]] == [("chat", "move")]


@pytest.mark.parametrize(("prod", "place"), FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize(
    ("options", "more"),
    [((), SHARED), (("--target-kubernetes", "1.35"), {})],
    ids=["shared", "a gate that is off"],
)
def test_a_name_stays_only_where_a_class_can_serve_it(ran, prod, place, options, more):
    result, report = ran(prod, "--check", "--mode", "extended-resource", *options, more=more)
    (only,) = report["occurrences"]
    assert (result.code, only["outcome"]) == (1, "needs-decision")
    assert [(each["object"]["name"], each["advice"]) for each in report["workloads"]] == [("chat", "wait")]
    assert not report["deviceClasses"]


@pytest.mark.parametrize("name", ["nvidia.com/gpu.shared", "nvidia.com/mig-1g.10gb"])
@pytest.mark.parametrize("mode", ["implicit", "extended-resource"])
def test_labels_that_a_name_cannot_follow_are_told(ran, name, mode):
    patch = TELLING.replace("nvidia.com/mig-1g.10gb", name)
    _, report = ran("patches: [{path: gpu.yaml}]\n", "--check", "--mode", mode, more={"prod/gpu.yaml": patch})
    said = [each["message"] for each in report["notes"] if "gpu.product" in each["message"]]
    assert not [each for each in said if "selector of the claim" in each]
    assert bool(said) == (name == "nvidia.com/mig-1g.10gb")
