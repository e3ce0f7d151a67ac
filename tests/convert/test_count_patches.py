"""Patch files that only set another count: they are converted with their base, and real kustomize proves it."""

from __future__ import annotations

import json

import pytest
import yaml

from tests.convert.test_convert_patches import objects

BASE = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: chat
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4}
      containers:
        - name: server
          image: server:1
          resources:
            limits: {nvidia.com/gpu: 1, memory: 1Gi}
        - {name: log, image: log:1}
"""
PATCH = """\
# More cards in production.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: chat
spec:
  replicas: 3
  template:
    spec:
      containers:
        - name: server
          resources:
            limits:
              nvidia.com/gpu: 4 # tensor parallel
              memory: 8Gi
"""
LABEL = "      nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4}\n"
MIG = ("nvidia.com/gpu: ", "nvidia.com/mig-1g.24gb: ")


def files(base=BASE, patch=PATCH, key="patches: [{path: gpu.yaml}]", more=""):
    return {
        "base/kustomization.yaml": "resources: [base.yaml]\n",
        "base/base.yaml": base,
        "prod/kustomization.yaml": f"resources: [../base]\n{key}\n{more}",
        "prod/gpu.yaml": patch,
    }


@pytest.fixture
def run(tmp_path, monkeypatch, dralint, kustomize):
    """Converts the named files in place: outcomes by file, and whether what kustomize builds was converted."""

    def converted(tree, *named):
        (tmp_path / ".git").mkdir()
        monkeypatch.chdir(tmp_path)
        for name, text in tree.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        overlays = [name for name in ("prod", "test") if (tmp_path / name / "kustomization.yaml").exists()]
        rendered = {name: kustomize.build(tmp_path / name) for name in overlays}
        ran = dralint("convert", "--write", "--report", "report.json", *(named or ["."]))
        assert ran.code in (0, 1), ran.err
        report = json.loads((tmp_path / "report.json").read_text())
        found = {}
        for each in report["occurrences"]:
            found.setdefault(each["path"], set()).add(each["outcome"])
        if set().union(*found.values()) == {"converted"}:
            for name, before in rendered.items():
                (tmp_path / "rendered.yaml").write_text(yaml.safe_dump_all(before))
                ran = dralint("convert", "--write", "rendered.yaml")
                assert kustomize.build(tmp_path / name) == objects((tmp_path / "rendered.yaml").read_text())
                (tmp_path / "rendered.yaml").unlink()
            after = {name: (tmp_path / name).read_text() for name in tree}
            assert dralint("convert", "--write", *(named or ["."])).code == 0
            assert {name: (tmp_path / name).read_text() for name in tree} == after
            assert dralint("check", ".").code == 0
        return found

    return converted


CONFIGURATION = """\
configurations: [names.yaml]
namePrefix: p-
namespace: ml
"""
NAMES = """\
nameReference:
- kind: ResourceClaimTemplate
  fieldSpecs: [{path: spec/template/spec/resourceClaims/resourceClaimTemplateName}]
"""


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(files(), id="a file"),
        pytest.param(files(key="patchesStrategicMerge: [gpu.yaml]"), id="a strategic merge"),
        pytest.param(files(patch=PATCH.replace("              memory: 8Gi\n", "")), id="nothing else"),
        pytest.param(files(patch=PATCH.replace(" 4 ", " 1 ")), id="the same count"),
        pytest.param(files(BASE.replace(*MIG).replace(LABEL, ""), PATCH.replace(*MIG)), id="MIG"),
        pytest.param({**files(more=CONFIGURATION), "prod/names.yaml": NAMES}, id="renamed"),
        pytest.param(
            {**files(), "test/kustomization.yaml": "resources: [../base]\npatches: [{path: gpu.yaml}]\n",
             "test/gpu.yaml": PATCH.replace(" 4 ", " 2 ")},
            id="two overlays",
        ),
        pytest.param(
            {**files(), "test/kustomization.yaml": "resources: [../prod]\npatches: [{path: gpu.yaml}]\n",
             "test/gpu.yaml": PATCH.replace(" 4 ", " 2 ")},
            id="one over the other",
        ),
        pytest.param(
            files(*(text.replace("name: chat", "name: chat\n  namespace: ml") for text in (BASE, PATCH))),
            id="a namespace",
        ),
        pytest.param(
            {**files(), "other/more.yaml": BASE, "other/kustomization.yaml": "resources: [more.yaml]\n"},
            id="an object of the name elsewhere",
        ),
    ],
)  # fmt: skip
def test_the_count_moves_to_the_template(run, tmp_path, tree):
    found = run(tree)
    assert set().union(*found.values()) == {"converted"}
    assert {"base/base.yaml", "prod/gpu.yaml"} <= found.keys()
    assert "nvidia.com/gpu: 4" not in (tmp_path / "prod/gpu.yaml").read_text()


def test_the_text_of_the_patch(run, tmp_path, snapshot):
    run(files())
    assert (tmp_path / "prod/gpu.yaml").read_text() == snapshot


TWO = "            limits: {nvidia.com/gpu: 1, memory: 1Gi}\n            requests: {nvidia.com/gpu: 1}\n"


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(files(key="patches: [{path: gpu.yaml, target: {kind: Deployment}}]"), id="a target"),
        pytest.param(files(patch=PATCH.replace(" 4 ", " 0 ")), id="none"),
        pytest.param(files(patch=PATCH.replace(" 4 ", " 99 ")), id="too many"),
        pytest.param(files(patch=PATCH.replace("name: server", "name: log")), id="another container"),
        pytest.param(files(patch=PATCH.replace(*MIG)), id="another resource"),
        pytest.param(
            files(patch=PATCH.replace("resources:\n", "resources:\n            claims: [{name: nic}]\n")), id="claims, too"
        ),
        pytest.param(
            files(patch=PATCH.replace("    spec:\n", "    spec:\n      nodeSelector: {nvidia.com/gpu.count: '4'}\n")),
            id="labels, too",
        ),
        pytest.param(
            files(patch=PATCH.replace("  name: chat", "  name: chat\n  annotations: {dralint.io/keep: not yet}")),
            id="kept",
        ),
        pytest.param(
            files(BASE.replace("            limits: {nvidia.com/gpu: 1, memory: 1Gi}\n", TWO)), id="one of two places"
        ),
        pytest.param(
            files(BASE.replace("image: log:1}", "image: log:1, resources: {limits: {nvidia.com/gpu: 1}}}")),
            id="two containers",
        ),
        pytest.param(
            {**files(), "base/kustomization.yaml": "resources: [base.yaml, more.yaml]\n",
             "base/more.yaml": BASE.replace("name: chat", "name: chat\n  namespace: ml", 1)},
            id="two objects of the name",
        ),
    ],
)  # fmt: skip
def test_patches_that_do_more_stay_with_their_base(run, tree):
    found = run(tree)
    assert "converted" not in found["base/base.yaml"]
    assert "converted" not in found["prod/gpu.yaml"]


@pytest.mark.parametrize("named", ["base/base.yaml", "prod/gpu.yaml"])
def test_both_must_be_named(run, tmp_path, named):
    tree = files()
    assert run(tree, named) == {named: {"needs-decision"}}
    assert {name: (tmp_path / name).read_text() for name in tree} == tree
