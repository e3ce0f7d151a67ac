"""Argo Workflows: a podSpecPatch is text that is merged into the pod, so what it asks for comes beside a claim."""

from __future__ import annotations

import pytest

from tests.convert.judge import sees

GPU = "{limits: {nvidia.com/gpu: 1}}"
MORE = "{limits: {nvidia.com/gpu: 3}}"
TWO = """{"containers": [{"name": "main", "resources": {"limits": {"nvidia.com/gpu": "2"}}}]}"""
OTHERS = """{"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}], "nodeSelector": {"nvidia.com/gpu.product": "Tesla-T4"}}"""
HEAD = "apiVersion: argoproj.io/v1alpha1\nkind: {kind}\nmetadata: {{name: train}}\nspec:\n"
KINDS = ["Workflow", "WorkflowTemplate", "ClusterWorkflowTemplate", "CronWorkflow"]


def workflow(kind, where, patch):
    """Two templates with a GPU each, and a podSpecPatch in the first, for all of them, or for the whole."""
    line = f"podSpecPatch: '{patch}'\n"
    spec = f"  {line}" if where == "spec" else ""
    spec += f"  templateDefaults:\n    {line}" if where == "defaults" else ""
    spec += "  templates:\n  - name: one\n"
    spec += f"    {line}" if where == "template" else ""
    spec += f"    container: {{image: x, resources: {GPU}}}\n"
    spec += f"  - name: two\n    script: {{image: x, source: y, resources: {GPU}}}\n"
    if kind == "CronWorkflow":
        spec = "  workflowSpec:\n" + "".join(f"  {each}\n" for each in spec.splitlines())
    return HEAD.format(kind=kind) + spec


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("where", "held"), [("template", [True, False]), ("defaults", [True, True]), ("spec", [True, True])]
)
def test_a_patch_that_asks_for_gpus(convert_text, kind, where, held):
    text = workflow(kind, where, TWO)
    for mode, outcome in (("auto", "kept"), ("claims", "needs-decision"), ("implicit", "needs-decision")):
        result = convert_text(text, mode=mode)
        assert result.outcomes == [outcome if each else "converted" for each in held]
        assert "podSpecPatch" in result.occurrences[0].reason
    assert convert_text(text, mode="extended-resource").outcomes == ["kept", "kept"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("where", ["template", "defaults", "spec"])
def test_a_patch_that_asks_for_none(convert_text, kind, where):
    assert convert_text(workflow(kind, where, OTHERS)).outcomes == ["converted", "converted"]


PLACES = {
    "step": ("steps: [[{}], [{{name: last, template: one}}]]", "steps.0.0"),
    "task": ("dag: {{tasks: [{}]}}", "dag.tasks.0"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PLACES)
def test_a_template_inside_a_step(convert_text, kind, name):
    form, path = PLACES[name]
    for patch, outcome in (
        ("", "converted"),
        (f", podSpecPatch: '{OTHERS}'", "converted"),
        (f", podSpecPatch: '{TWO}'", "needs-decision"),
    ):
        inline = f"{{name: train, inline: {{container: {{image: x, resources: {MORE}}}{patch}}}}}"
        text = workflow(kind, "nowhere", "") + f"  - name: all\n    {form.format(inline)}\n"
        if kind == "CronWorkflow":
            text = text.replace("\n  - name: all\n    ", "\n    - name: all\n      ")
        result = convert_text(text, mode="claims")
        assert result.outcomes == ["converted", "converted", outcome]
        spec = "spec.workflowSpec" if kind == "CronWorkflow" else "spec"
        inside = f"{spec}.templates.2.{path}.inline"
        places = (kind, f"{inside}.container", f"{inside}.resourceClaims")
        assert sees(result.text, *places) == sees(text, *places) == {"nvidia.com/gpu": 3}
        claim = result.occurrences[-1].claim
        assert (claim.template if claim else None) == (
            f"train-train-{name}-gpu" if outcome == "converted" else None
        )
