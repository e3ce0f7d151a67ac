"""Argo merges what a workflow says for all of its templates into each pod: none asks twice, none loses or gets a GPU."""

from __future__ import annotations

import collections
import itertools
import json

import pytest
import yaml

from dralint.convert import merging

PATCH = json.dumps({"containers": [{"name": "main", "resources": {"limits": {"nvidia.com/gpu": "2"}}}]})
ONE = {"limits": {"nvidia.com/gpu": 1}}
ZERO = {"limits": {"nvidia.com/gpu": 0}}
CALLED = ["WorkflowTemplate", "ClusterWorkflowTemplate"]
CALLING = ["Workflow", "CronWorkflow", "WorkflowTemplate"]
KINDS = [*CALLING, "ClusterWorkflowTemplate"]
PAIRS = list(itertools.product(CALLED, CALLING))
STAYS = [
    ("auto", "kept"),
    ("extended-resource", "kept"),
    ("claims", "needs-decision"),
    ("implicit", "needs-decision"),
]


def workflow(kind, name, spec, namespace=None):
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    spec = {"workflowSpec": spec} if kind == "CronWorkflow" else spec
    return json.dumps(
        {"apiVersion": "argoproj.io/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec}
    )


def said(resources=None, form="container", **more):
    """What a template says, or the defaults of all."""
    return {form: {"image": "x", **({"resources": resources} if resources else {})}, **more}


def template(resources=None, form="container", **more):
    return {"name": f"t-{form}", **said(resources, form, **more)}


def calling(kind, how, called, name="one", namespace=None, **more):
    """A workflow that runs the templates of another object."""
    to = {"name": name, **({"clusterScope": True} if called == "ClusterWorkflowTemplate" else {})}
    task = {"name": "a", "templateRef": {**to, "template": "t-container"}}
    spec = {
        "whole": {"workflowTemplateRef": to},
        "steps": {"templates": [{"name": "all", "steps": [[task]]}]},
        "tasks": {"templates": [{"name": "all", "dag": {"tasks": [task]}}]},
    }[how]
    return workflow(kind, "run", {**spec, **more}, namespace)


def placed(called, user):
    """The called object and its user in one file, either one first, and in two."""
    return [f"{called}\n---\n{user}", f"{user}\n---\n{called}", {"a.yaml": called, "b.yaml": user}]


@pytest.mark.parametrize("how", ["whole", "steps", "tasks"])
@pytest.mark.parametrize(("called", "kind"), PAIRS)
def test_a_patch_of_the_workflow_that_runs_it(convert_text, called, kind, how):
    text = workflow(called, "one", {"templates": [template(ONE)]})
    for patch in ({"podSpecPatch": PATCH}, {"templateDefaults": {"podSpecPatch": PATCH}}):
        for files in placed(text, calling(kind, how, called, **patch)):
            result = convert_text(files, mode="claims")
            assert result.outcomes == ["needs-decision"]
            assert "podSpecPatch asks for GPUs by resource name" in result.occurrences[0].reason
            assert f"({kind} run, " in result.occurrences[0].reason


@pytest.mark.parametrize("how", ["whole", "steps", "tasks"])
@pytest.mark.parametrize("called", CALLED)
@pytest.mark.parametrize(
    ("said_there", "reason"),
    [
        ({"podSpecPatch": PATCH}, "podSpecPatch"),
        ({"templateDefaults": said(ONE)}, "templateDefaults"),
        ({"tolerations": [{"key": "lent", "operator": "Exists"}]}, "tolerations"),
    ],
)
def test_what_runs_it_by_way_of_others(convert_text, called, how, said_there, reason):
    used = template(ONE, "script")
    between = [
        calling("WorkflowTemplate", how, called).replace('"name": "run"', '"name": "two"'),
        calling("WorkflowTemplate", "tasks", "WorkflowTemplate", "two").replace('"run"', '"three"'),
        # It runs itself, too.
        calling("WorkflowTemplate", "steps", "WorkflowTemplate", "three").replace('"run"', '"three"'),
    ]
    user = calling("Workflow", "whole", "WorkflowTemplate", "three", **said_there)
    files = {
        f"{number}.yaml": text
        for number, text in enumerate([workflow(called, "one", {"templates": [used]}), *between, user])
    }
    result = convert_text(files, mode="claims")
    assert set(result.outcomes) == {"needs-decision"}
    assert reason in result.occurrences[0].reason


def test_each_of_a_chain_is_looked_at_once(convert_text, monkeypatch):
    calls = collections.Counter()
    for name in ("_means", "_references", "refusals"):
        function = getattr(merging, name)
        monkeypatch.setattr(
            merging,
            name,
            lambda *given, name=name, function=function: calls.update([name]) or function(*given),
        )

    def made(length):
        calls.clear()
        task = {"name": "a", "templateRef": {"name": "", "template": "t-container"}}
        chain = []
        for number in range(length):
            task["templateRef"]["name"] = f"w{number + 1}"
            spec = {"templates": [template(ONE), {"name": "all", "steps": [[task]]}]}
            spec.update({} if number else {"tolerations": [LENT]})
            chain.append(workflow("WorkflowTemplate", f"w{number}", spec))
        assert convert_text("\n---\n".join(chain), mode="claims").outcomes[1:] == ["needs-decision"] * (
            length - 1
        )
        return calls.copy()

    few, many = made(10), made(40)
    assert few.keys() == {"_means", "_references", "refusals"}
    assert all(many[name] <= 5 * few[name] for name in few)


@pytest.mark.parametrize("kind", CALLING)
def test_a_patch_of_another_workflow(convert_text, kind):
    text = workflow("WorkflowTemplate", "one", {"templates": [template(ONE)]}, "team")
    for user in (
        calling(kind, "whole", "WorkflowTemplate", "two", "team", podSpecPatch=PATCH),
        calling(kind, "whole", "ClusterWorkflowTemplate", "one", "team", podSpecPatch=PATCH),
        calling(kind, "whole", "WorkflowTemplate", "one", "other", podSpecPatch=PATCH),
        calling(kind, "whole", "WorkflowTemplate", "one", "team", podSpecPatch='{"priority": 1}'),
        calling(kind, "whole", "WorkflowTemplate", "one", "team"),
    ):
        assert convert_text({"a.yaml": text, "b.yaml": user}).outcomes == ["converted"]


NIC = {"resourceClaims": [{"name": "nic", "resourceClaimTemplateName": "nic"}]}
HELD = {
    "asks itself": (said(ONE), template(ONE)),
    "of another form": (said(ONE), template(None, "script")),
    "of another form, and asks": (said(ONE), template(ONE, "script")),
    "defaults of two forms": ({**said(ONE), **said(ONE, "script")}, template(None, "script")),
    "a claim of its own": (said(ONE), template({"claims": [{"name": "nic"}]}, **NIC)),
    "a claim in the defaults": (said({"claims": [{"name": "nic"}]}, **NIC), template(ONE)),
    "several containers": (said(ONE), {"name": "s", "containerSet": {"containers": [{"name": "a", "image": "x"}]}}),
    "makes an object": (said(ONE), {"name": "r", "resource": {"action": "create"}}),
    "inline": (said(ONE), {"name": "s", "steps": [[{"name": "a", "inline": said(None, "script")}]]}),
    "unknown": (said(ONE), {"name": "s", "steps": [[{"name": "a", "templateRef": {"name": "b", "template": "c"}}]]}),
}  # fmt: skip
FREE = {
    "nothing": (said(ONE), template()),
    "cpu": (said(ONE), template({"limits": {"cpu": 1}})),
    "no claims": (said(ONE), template({"claims": []}, resourceClaims=[])),
    "no claims in the defaults": (said({"claims": None}, resourceClaims=None), template(ONE)),
    "a script": (said(ONE, "script"), template(None, "script")),
    "a sidecar": ({"sidecars": [{"name": "s", "image": "x", "resources": ONE}]}, template(None, "script")),
    "cpu in the defaults": (said({"limits": {"cpu": 1}}), template(ONE)),
    "a zero in the defaults": (said(ZERO), template(ONE)),
    "steps": (said(ONE), {"name": "all", "steps": [[{"name": "a", "template": "b"}]]}),
    "tasks": (said(ONE), {"name": "all", "dag": {"tasks": [{"name": "a", "template": "b"}]}}),
}


def requests(*parts):
    return sum(json.dumps(part).count("nvidia.com/gpu") for part in parts)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", HELD.values(), ids=HELD.keys())
def test_defaults_of_which_a_template_would_get_a_part(convert_text, kind, case):
    defaults, other = case
    text = workflow(kind, "run", {"templateDefaults": defaults, "templates": [template(), other]})
    for mode, outcome in STAYS:
        result = convert_text(text, mode=mode)
        assert result.outcomes == [outcome] * requests(*case)
        assert mode == "extended-resource" or "templateDefaults" in result.occurrences[0].reason
        assert result.text == text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", FREE.values(), ids=FREE.keys())
def test_defaults_that_go_with_every_template(convert_text, kind, case):
    defaults, other = case
    text = workflow(kind, "run", {"templateDefaults": defaults, "templates": [other]})
    assert convert_text(text, mode="claims").outcomes == ["converted"] * requests(*case)


@pytest.mark.parametrize("kind", KINDS)
def test_a_zero_that_takes_the_defaults_away(convert_text, kind):
    text = workflow(kind, "run", {"templateDefaults": said(ONE), "templates": [template(ZERO)]})
    for mode, outcome in STAYS:
        result = convert_text(text, mode=mode)
        assert result.outcomes == [outcome, "kept"]
        assert result.text == text


@pytest.mark.parametrize("how", ["whole", "steps", "tasks"])
@pytest.mark.parametrize(("called", "kind"), PAIRS)
def test_defaults_of_the_workflow_that_runs_it(convert_text, called, kind, how):
    user = calling(kind, how, called, templateDefaults=said(ONE))
    on_a_card = {"nodeSelector": {"nvidia.com/gpu.count": "1"}}
    for used, outcomes in (
        (template(ONE), {"needs-decision"}),
        (template(ZERO), {"needs-decision", "kept"}),
        (template(**on_a_card), {"converted"}),
        (template(None, "script", **on_a_card), {"needs-decision"}),
    ):
        for files in placed(workflow(called, "one", {"templates": [used]}), user):
            assert set(convert_text(files, mode="claims").outcomes) == outcomes


OWN, LENT = {"key": "own", "operator": "Exists"}, {"key": "lent", "operator": "Exists"}
GPU = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
SHARED = {"nvidia.com/gpu.product": "Tesla-T4-SHARED"}


def lent(kind, field, own, defaults, spec):
    """A workflow with a template that asks for a GPU, and a field of pods in three places; None: not there."""
    fields = [{} if value is None else {field: value} for value in (own, defaults, spec)]
    return workflow(
        kind, "run", {"templates": [template(ONE, **fields[0])], "templateDefaults": fields[1], **fields[2]}
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("places", "after"),
    [
        (([OWN], [LENT], [LENT]), [OWN, GPU]),
        ((None, [LENT], [OWN]), [LENT, GPU]),
        (([], [], [LENT]), [LENT, GPU]),
        ((None, None, [LENT]), [LENT, GPU]),
        ((None, None, None), [GPU]),
    ],
)
def test_tolerations_are_not_lost(convert_text, kind, places, after):
    result = convert_text(lent(kind, "tolerations", *places))
    assert result.outcomes == ["converted"]
    obj = next(each for each in yaml.safe_load(result.text)["items"] if each["kind"] == kind)
    spec = obj["spec"]["workflowSpec"] if kind == "CronWorkflow" else obj["spec"]
    assert spec["templates"][0]["tolerations"] == after


@pytest.mark.parametrize("how", ["whole", "steps", "tasks"])
@pytest.mark.parametrize(("called", "kind"), PAIRS)
def test_tolerations_of_the_workflow_that_runs_it_are_not_lost(convert_text, called, kind, how):
    for own, theirs, outcome in (
        (None, {"tolerations": [LENT]}, "needs-decision"),
        (None, {"templateDefaults": {"tolerations": [LENT]}}, "needs-decision"),
        (None, {"tolerations": [LENT, GPU]}, "needs-decision"),
        ([OWN], {"tolerations": [LENT]}, "converted"),
        (None, {"tolerations": [GPU]}, "converted"),
        (None, {"tolerations": []}, "converted"),
    ):
        used = template(ONE, **({"tolerations": own} if own else {}))
        text = workflow(called, "one", {"templates": [used]})
        for files in placed(text, calling(kind, how, called, **theirs)):
            result = convert_text(files, mode="claims")
            assert result.outcomes == [outcome]
            if outcome == "needs-decision":
                assert f"tolerations in {kind} run, " in result.occurrences[0].reason
                assert convert_text(files, mode="auto").outcomes == ["kept"]
                assert convert_text(files, mode="claims", toleration=False).outcomes == ["converted"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "places",
    [(SHARED, None, None), (None, SHARED, None), (None, {}, SHARED), ({"disk": "ssd"}, SHARED, None)],
)
def test_nodes_that_share_their_gpus(convert_text, kind, places):
    assert convert_text(lent(kind, "nodeSelector", *places)).outcomes == ["needs-decision"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "places", [({"disk": "ssd"}, None, SHARED), ({"disk": "ssd"}, {"zone": "a"}, SHARED)]
)
def test_nodes_that_are_not_asked_for(convert_text, kind, places):
    assert convert_text(lent(kind, "nodeSelector", *places)).outcomes == ["converted"]
