"""Files that a kustomization applies as patches are not converted as if they were whole."""

from __future__ import annotations

import pytest

from dralint.convert.words import context_words
from dralint.kube.bundle import Context

PATCH = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: train:1
        resources: {limits: {nvidia.com/gpu: 1}}
"""


def convert_tree(convert_text, tmp_path, files, only=None):
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    named = {name: text for name, text in files.items() if only is None or name in only}
    context = Context([str(tmp_path / name) for name in named], context_words())
    return convert_text(named, paths={name: tmp_path / name for name in files}, context=context)


@pytest.mark.parametrize(
    "kustomization",
    [
        "patches:\n- path: patches/gpu.yaml\n",
        "patchesStrategicMerge:\n- patches/gpu.yaml\n",
        "patchesJson6902:\n- {path: ./patches/gpu.yaml}\n",
    ],
)
@pytest.mark.parametrize("only", [None, {"overlay/patches/gpu.yaml"}], ids=["tree", "alone"])
def test_a_patch(convert_text, tmp_path, kustomization, only):
    files = {"overlay/patches/gpu.yaml": PATCH, "overlay/kustomization.yaml": kustomization}
    result = convert_tree(convert_text, tmp_path, files, only)
    assert result.outcomes == ["needs-decision"]
    assert "kustomization.yaml:" in result.occurrences[0].reason


@pytest.mark.parametrize("git", [True, False], ids=["git", "no git"])
@pytest.mark.parametrize(
    "only",
    [
        None,
        {"base/gpu.yaml"},
        {"base/gpu.yaml", "overlay/kustomization.yaml"},
    ],
    ids=["tree", "alone", "two"],
)
def test_a_patch_of_another_directory(convert_text, tmp_path, git, only):
    """What becomes of it depends on the work tree, never on what else is named."""
    if git:
        (tmp_path / ".git").mkdir()
    files = {
        "base/gpu.yaml": PATCH,
        "overlay/kustomization.yaml": "patches:\n- path: ../base/gpu.yaml\n",
        "overlay/unread.yaml": "patches: [\n",
    }
    result = convert_tree(convert_text, tmp_path, files, only)
    assert result.outcomes == ["needs-decision" if git else "converted"]


def test_a_resource(convert_text, tmp_path):
    files = {
        "base/gpu.yaml": PATCH,
        "base/kustomization.yaml": "resources: [gpu.yaml]\npatches: [{path: other.yaml}]\n",
    }
    assert convert_tree(convert_text, tmp_path, files).outcomes == ["converted"]


@pytest.mark.parametrize(
    ("patch", "told"),
    [
        pytest.param(PATCH, True, id="same workload"),
        pytest.param(PATCH.replace("name: train}", "name: other}"), False, id="another one"),
        pytest.param(
            PATCH.replace("name: train}", "name: train, namespace: b}"), False, id="another namespace"
        ),
        pytest.param(PATCH.replace("nvidia.com/gpu", "cpu"), False, id="no GPU"),
    ],
)
def test_a_patch_that_stays_is_told_beside_its_workload(convert_text, tmp_path, patch, told):
    files = {
        "base/job.yaml": PATCH.replace("name: train}", "name: train, namespace: a}"),
        "overlay/gpu.yaml": patch,
        "overlay/kustomization.yaml": "resources: [../base]\npatches: [{path: gpu.yaml}]\n",
    }
    result = convert_tree(convert_text, tmp_path, files)
    assert result.outcomes[0] == "converted"
    notes = [(note.path, note.topic) for note in result.notes]
    assert notes == ([("base/job.yaml", "kustomize")] if told else [])
    assert all("overlay/gpu.yaml:11" in note.message for note in result.notes)


def test_a_prefix_is_told(convert_text, tmp_path):
    files = {"base/gpu.yaml": PATCH, "kustomization.yaml": "namePrefix: dev-\nresources: [base]\n"}
    result = convert_tree(convert_text, tmp_path, files)
    assert result.outcomes == ["converted"]
    assert [note.topic for note in result.notes] == ["kustomize"]


@pytest.mark.parametrize(
    "text",
    [
        PATCH.replace("    spec:\n", "    spec:\n      $patch: replace\n"),
        PATCH.replace("      restartPolicy: Never\n", "").replace("        image: train:1\n", ""),
        (
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\nspec:\n"
            "  template: {spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}\n"
        ),
    ],
)
def test_what_looks_like_a_patch(convert_text, text):
    assert convert_text(text).outcomes == ["needs-decision"]


@pytest.mark.parametrize("script", ["git apply $patch", "echo $retainKeys", "export $patch: 1"])
def test_a_script_with_the_words_of_a_patch(convert_text, script):
    text = PATCH.replace(
        "        image: train:1\n", f"        image: train:1\n        args: ['{script}']  # $patch: x\n"
    )
    assert convert_text(text).outcomes == ["converted"]


@pytest.mark.parametrize(
    "directive",
    [
        "$patch: delete",
        "$retainKeys: [a]",
        "$setElementOrder/containers: [a]",
        "'$deleteFromPrimitiveList/a': [b]",
    ],
)
def test_every_directive(convert_text, directive):
    text = PATCH.replace("    spec:\n", f"    spec:\n      {directive}\n")
    assert convert_text(text).outcomes == ["needs-decision"]


OVERLAY = """\
apiVersion: workloads.x-k8s.io/v1alpha2
kind: RoleBasedGroup
metadata: {name: serve}
spec:
  roleTemplates:
  - name: base
    template: {spec: {%scontainers: [{name: engine, image: x%s}]}}
  roles:
  - name: decode
    standalonePattern:
      templateRef:
        name: %s
        patch:
          spec:
            containers:
            - {name: engine, resources: {limits: {nvidia.com/gpu: 4}}}
"""


@pytest.mark.parametrize(
    ("base", "outcomes"),
    [
        (("", "", "base"), ["converted"]),
        (("", "", "other"), ["needs-decision"]),
        (("tolerations: [{key: team}], ", "", "base"), ["needs-decision"]),
        (("", ", resources: {claims: [{name: nic}]}", "base"), ["needs-decision"]),
        (("", ", resources: {limits: {nvidia.com/gpu: 1}}", "base"), ["needs-decision", "needs-decision"]),
        (
            ("initContainers: [{name: i, image: x, resources: {limits: {nvidia.com/gpu: 1}}}], ", "", "base"),
            ["needs-decision", "needs-decision"],
        ),
        # A claim of the base may have the name that the patch's claim gets.
        (("resourceClaims: [{name: gpu, resourceClaimName: nic}], ", "", "base"), ["needs-decision"]),
    ],
)
def test_a_patch_over_a_template_of_the_same_object(convert_text, base, outcomes):
    assert convert_text(OVERLAY % base).outcomes == outcomes
