"""What in a string of a kustomization is a request, how often, and that what is told of it is true of the files."""

from __future__ import annotations

import textwrap

import pytest

from tests.convert.test_string_requests import DEPLOYMENT, LIMITS, MERGE, SHARED, TARGET, ran

__all__ = ["ran"]

POD = "/spec/template/spec"
GPU = f"{LIMITS}/nvidia.com~1gpu"
RESOURCES = LIMITS.removesuffix("/limits")
ASKS = DEPLOYMENT.replace("memory: 1Gi", "memory: 1Gi, nvidia.com/gpu: 1")
OTHER = DEPLOYMENT.replace("chat", "talk")
KEPT = DEPLOYMENT.replace("  name: chat\n", "  name: chat\n  annotations: {dralint.io/keep: until May}\n", 1)


def steps(*lines, target=TARGET):
    body = "".join(f"    - {{{line}}}\n" for line in lines)
    return f"patches:\n- {target}\n  patch: |\n{body}"


def merge(text=MERGE, target=""):
    return "patches:\n- patch: |\n" + textwrap.indent(text, "    ") + (f"  {target}\n" if target else "")


def told(report):
    return [(each["quantity"], each["outcome"]) for each in report["occurrences"]]


@pytest.mark.parametrize(
    "prod",
    [
        steps("op: add, path: /metadata/annotations/nvidia.com~1gpu, value: a"),
        steps("op: add, path: /metadata/annotations, value: {nvidia.com/gpu: a}"),
        steps(f"op: add, path: {POD}/nodeSelector/nvidia.com~1gpu, value: a"),
        steps(f"op: test, path: {RESOURCES}, value: {{limits: {{nvidia.com/gpu: 1}}}}"),
        steps(f"op: add, path: {RESOURCES}, value: {{limits: {{nvidia.com/gpu: null}}}}"),
        steps(
            "op: replace, path: /spec/hard/requests.nvidia.com~1gpu, value: 4",
            target="target: {kind: ResourceQuota}",
        ),
        steps("op: add, path: /spec/limits, value: {nvidia.com/gpu: 8}", target="target: {kind: NodePool}"),
        merge(MERGE.replace(": 2", ": null")),
        merge(MERGE.replace("nvidia.com/gpu: 2", "amd.com/gpu: 2")),
        merge("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {requests.nvidia.com/gpu: 4}}\n"),
    ],
)  # fmt: skip
def test_what_only_names_gpus_is_no_request(ran, prod):
    result, report = ran(prod, "--check")
    assert (result.code, report["occurrences"]) == (0, [])


def test_a_step_that_only_looks_asks_for_nothing_in_a_file_either(ran):
    step = f"- {{op: test, path: {RESOURCES}, value: {{limits: {{nvidia.com/gpu: 1}}}}}}\n"
    _, report = ran(f"patches: [{{path: a.yaml, {TARGET}}}]\n", "--check", more={"prod/a.yaml": step})
    assert report["occurrences"] == []


BOTH = f"{RESOURCES}/requests/nvidia.com~1gpu"
APPENDED = (
    f"op: add, path: {POD}/containers/-, value: {{name: x, resources: {{limits: {{nvidia.com/gpu: 3}}}}}}"
)


@pytest.mark.parametrize(
    ("prod", "counts"),
    [
        (steps(f"op: add, path: {BOTH}, value: 2", f"op: add, path: {GPU}, value: 2"), ["2"]),
        (steps(f"op: add, path: {GPU}, value: 2", f"op: add, path: {RESOURCES}/requests, value: {{nvidia.com/gpu: 2}}"), ["2"]),
        (steps(f"op: add, path: {RESOURCES}, value: {{limits: {{nvidia.com/gpu: 2}}, requests: {{nvidia.com/gpu: 2}}}}"), ["2"]),
        (merge(MERGE.replace("          limits", "          requests: {nvidia.com/gpu: 2}\n          limits")), ["2"]),
        (steps(f"op: add, path: {GPU}, value: 2", f"op: replace, path: {GPU}, value: 4"), ["4"]),
        (steps(f"op: add, path: {GPU}, value: 2", f"op: add, path: {LIMITS}/nvidia.com~1mig-1g.10gb, value: 3"), ["2", "3"]),
        (steps(APPENDED, APPENDED), ["3", "3"]),
        (steps(f"op: add, path: {GPU}, value: ''"), [""]),
        (steps(f"op: add, path: {LIMITS}, value: {{nvidia.com/gpu: [2]}}"), [None]),
        (merge(MERGE.replace(": 2", ": {a: b}")), [None]),
        (steps(f"op: copy, from: {GPU}, path: {GPU.replace('/0/', '/1/')}"), [None]),
    ],
)  # fmt: skip
def test_each_place_is_one_request_for_each_name(ran, prod, counts):
    _, report = ran(prod, "--check")
    assert [each["quantity"] for each in report["occurrences"]] == counts


def test_limits_and_requests_in_a_file_are_one(ran):
    text = f"- op: add\n  path: {RESOURCES}\n  value: {{limits: {{nvidia.com/gpu: 2}}}}\n- {{op: add, path: {BOTH}, value: 2}}\n"
    _, report = ran(f"patches: [{{path: a.yaml, {TARGET}}}]\n", "--check", more={"prod/a.yaml": text})
    assert [(each["line"], each["quantity"]) for each in report["occurrences"]] == [(3, "2")]


STEP = f"- {{op: add, path: {GPU}, value: 2}}\n"
USE = f"patches: [{{path: ../gpu.yaml, {TARGET}}}]\n"
SEVERAL = {
    "of two overlays": (USE, {"test/kustomization.yaml": f"resources: [../base]\n{USE}"}),
    "for two objects": (f"{USE[:-2]}, {{path: ../gpu.yaml, {TARGET.replace('chat', 'talk')}}}]\n", {}),
    "for a base that asks": (
        USE,
        {
            "test/kustomization.yaml": f"resources: [../other]\n{USE}",
            "other/kustomization.yaml": "resources: [base.yaml]\n",
            "other/base.yaml": ASKS,
        },
    ),
}


@pytest.mark.parametrize(("prod", "more"), SEVERAL.values(), ids=SEVERAL.keys())
def test_a_file_of_steps_in_several_places_stays(ran, tmp_path, prod, more):
    result, report = ran(prod, "--write", base=f"{DEPLOYMENT}---\n{OTHER}", more={"gpu.yaml": STEP, **more})
    (only,) = [each for each in report["occurrences"] if each["path"] == "gpu.yaml"]
    assert (result.code, only["outcome"]) == (1, "needs-decision")
    assert "its file is a patch in several places" in only["reason"]
    assert (tmp_path / "gpu.yaml").read_text() == STEP


@pytest.mark.parametrize("named", [["prod/a.yaml"], ["prod/a.yaml", "base"]])
@pytest.mark.parametrize("step", [STEP, f"- {{op: add, path: {LIMITS}, value: {{nvidia.com/gpu: 2}}}}\n"])
def test_a_file_of_steps_that_is_named_without_its_kustomization(ran, dralint, named, step):
    ran(f"patches: [{{path: a.yaml, {TARGET}}}]\n", "--check", more={"prod/a.yaml": step})
    result = dralint("convert", "--check", *named)
    assert result.code == 1
    assert "1 needs-decision" in result.err
    assert "name prod/kustomization.yaml, too" in result.err


TRANSFORMER = "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: x}\n" + TARGET + "\npatch: |-\n"


MERGES = "apiVersion: builtin\nkind: PatchStrategicMergeTransformer\nmetadata: {name: x}\npatches: |-\n"


@pytest.mark.parametrize(
    ("text", "column"),
    [(TRANSFORMER + textwrap.indent(STEP, "  "), 21), (MERGES + textwrap.indent(MERGE, "  "), 15)],
)
def test_what_stands_in_a_transformer_is_counted_and_not_edited(ran, tmp_path, text, column):
    prod = "transformers:\n- |\n" + textwrap.indent(text, "  ") + "- t.yaml\n"
    result, report = ran(prod, "--write", more={"prod/t.yaml": text})
    line = next(number for number, each in enumerate(text.splitlines(), 1) if "nvidia.com" in each)
    assert (result.code, told(report)) == (1, [("2", "needs-decision")] * 2)
    assert [(each["path"], each["line"], each["column"]) for each in report["occurrences"]] == [
        ("prod/kustomization.yaml", 3, 3),
        ("prod/t.yaml", line, column),
    ]
    assert {each["reason"] for each in report["occurrences"]} == {
        "it stands in a patch, and that is in a transformer, which is not edited"
    }
    assert (tmp_path / "prod/kustomization.yaml").read_text() == f"resources: [../base]\n{prod}"
    assert (tmp_path / "prod/t.yaml").read_text() == text


def test_what_another_transformer_does_holds_a_patch(ran):
    """Each of them is another patch, though they stand in one entry."""
    kind = f"apiVersion: builtin\nkind: PatchJson6902Transformer\nmetadata: {{name: x}}\n{TARGET}\n"
    more = {
        "prod/t.yaml": f"{kind}path: a.yaml\n---\n{kind}path: b.yaml\n",
        "prod/a.yaml": STEP,
        "prod/b.yaml": f"- {{op: remove, path: {RESOURCES}}}\n",
    }
    _, report = ran("transformers: [t.yaml]\n", "--write", more=more)
    assert told(report) == [("2", "needs-decision")]


@pytest.mark.parametrize("base", [DEPLOYMENT, ASKS])
def test_each_use_of_an_anchor_is_a_request(ran, base):
    prod = f"patches:\n- patch: &p |\n    {STEP}  {TARGET}\n- patch: *p\n  {TARGET.replace('chat', 'talk')}\n"
    _, report = ran(prod, "--write", base=f"{base}---\n{base.replace('chat', 'talk')}")
    found = [each for each in report["occurrences"] if each["path"] == "prod/kustomization.yaml"]
    assert [(each["line"], each["column"], each["object"]["name"]) for each in found] == [
        (4, 23, "chat"),
        (6, 10, "talk"),
    ]
    assert [each["outcome"] for each in found] == ["needs-decision", "converted"]


def test_of_two_in_a_string_each_is_told_what_became_of_it(ran, tmp_path):
    text = f"{MERGE}---\n{MERGE.replace('chat', 'talk').replace(': 2', ': 3')}"
    _, report = ran(merge(text), "--write", base=f"{ASKS}---\n{OTHER}")
    assert told(report) == [("1", "converted"), ("2", "converted"), ("3", "needs-decision")]
    left = (tmp_path / "prod/kustomization.yaml").read_text()
    assert (left.count("nvidia.com/gpu: 2"), left.count("nvidia.com/gpu: 3")) == (0, 1)


KEEP = "metadata: {name: chat, annotations: {dralint.io/keep: until May}}"
KEEPS = {
    "a pattern": (steps(f"op: add, path: {GPU}, value: 2", target="target: {kind: Deployment}"), {}),
    "labels": (steps(f"op: add, path: {GPU}, value: 2", target="target: {labelSelector: app=chat}"), {}),
    "a name with a prefix": (
        merge(MERGE.replace("name: chat", "name: b-chat")),
        {"base/kustomization.yaml": "resources: [base.yaml]\nnamePrefix: b-\n"},
    ),
    "a file of steps for all": ("patches: [{path: a.yaml, target: {kind: Deployment}}]\n", {"prod/a.yaml": STEP}),
    "values in a file": (
        "patches: [{path: a.yaml, target: {kind: Deployment}}]\n",
        {"prod/a.yaml": f"- op: add\n  path: {RESOURCES}\n  value: {{limits: {{nvidia.com/gpu: 2}}}}\n"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("prod", "more"), KEEPS.values(), ids=KEEPS.keys())
def test_what_is_kept_is_found_as_kustomize_finds_it(ran, prod, more):
    result, report = ran(prod, "--check", base=KEPT, more=more)
    assert (result.code, told(report)) == (0, [("2", "kept")])
    if len(more) == 0:
        assert ran(prod, "--check", base=f"{KEPT}---\n{OTHER}")[0].code == 1


def test_a_patch_that_keeps_its_object_keeps_no_other(ran):
    text = f"{MERGE.replace('metadata: {name: chat}', KEEP)}---\n{MERGE.replace('chat', 'talk')}"
    _, report = ran(merge(text), "--check", base=f"{DEPLOYMENT}---\n{OTHER}")
    assert [each["outcome"] for each in report["occurrences"]] == ["kept", "needs-decision"]


def test_a_step_that_keeps_its_object(ran):
    keep = "op: add, path: /metadata/annotations, value: {dralint.io/keep: until May}"
    result, report = ran(steps(keep, f"op: add, path: {GPU}, value: 2"), "--check")
    assert (result.code, told(report)) == (0, [("2", "kept")])


SPARK = "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {name: s}\nspec: {executor: {gpu: {name: nvidia.com/gpu, quantity: 2}}}\n"
DYNAMO = "apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: {name: s}\nspec: {services: {w: {resources: {limits: {gpu: '2'}}}}}\n"
OLD = ("--target-kubernetes", "1.34")
BY_NAME = ("--mode", "extended-resource")
LIKE_FILES = {
    "a count by name": (MERGE.replace(": 2", ": two"), BY_NAME, {}),
    "a negative one by name": (MERGE.replace(": 2", ": -1"), BY_NAME, {}),
    "a card for a virtual machine": (MERGE.replace("/gpu:", "/pgpu:"), BY_NAME, {}),
    "a gate": (MERGE, (*BY_NAME, *OLD), {}),
    "shared cards": (MERGE, BY_NAME, SHARED),
    "none": (MERGE.replace(": 2", ": 0"), BY_NAME, {}),
    "a kind that nobody knows": (MERGE.replace("apps/v1", "x.io/v1").replace("Deployment", "Foo"), BY_NAME, {}),
    "spark": (SPARK, (), {}),
    "spark by claims": (SPARK, ("--mode", "claims"), {}),
    "dynamo": (DYNAMO, (), {}),
    "dynamo on an old cluster": (DYNAMO, OLD, {}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "arguments", "more"), LIKE_FILES.values(), ids=LIKE_FILES.keys())
def test_what_stays_in_a_string_is_judged_as_in_a_file(ran, text, arguments, more):
    one, inside = ran(merge(text), "--check", *arguments, more=more)
    other, apart = ran(
        "patches: [{path: a.yaml}]\n", "--check", *arguments, more={"prod/a.yaml": text, **more}
    )
    shown = [
        [
            (each["resource"], each["quantity"], each["outcome"], each["reason"], each["next"])
            for each in report["occurrences"]
        ]
        for report in (inside, apart)
    ]
    assert shown[0] == shown[1] != []
    assert one.code == other.code


@pytest.mark.parametrize(("count", "outcome"), [("2", "kept"), ("two", "needs-decision")])
def test_steps_by_name_are_judged_as_well(ran, count, outcome):
    _, report = ran(steps(f"op: add, path: {GPU}, value: {count}"), "--check", *BY_NAME)
    assert told(report) == [(count, outcome)]


OWN = {".dralint.yaml": "resources:\n- {name: example.com/a100, base: gpu}\n"}


@pytest.mark.parametrize(
    "prod", [merge(MERGE.replace("nvidia.com/gpu", "example.com/a100")), steps(f"op: add, path: {LIMITS}/example.com~1a100, value: 2")]
)  # fmt: skip
def test_names_of_a_team_are_requests(ran, prod):
    _, report = ran(prod, "--check", more=OWN)
    assert told(report) == [("2", "converted")]


def test_a_step_for_a_name_of_a_team_holds_its_base(ran):
    base = ASKS.replace("nvidia.com/gpu", "example.com/a100") + "      - {name: b, image: b}\n"
    other = f"op: add, path: {RESOURCES.replace('/0/', '/1/')}, value: {{limits: {{example.com/a100: 2}}}}"
    _, report = ran(steps(other), "--check", base=base, more=OWN)
    assert told(report) == [("1", "needs-decision"), ("2", "needs-decision")]
