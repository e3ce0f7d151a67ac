"""Changes of kustomizations and new files that go together with a pod's conversion."""

from __future__ import annotations

import pytest
import yaml

from dralint.convert.kustomize.joint import Listed, can_change, operations
from dralint.kube.read import parse
from dralint.source.file import SourceFile
from dralint.yamltext.operations import Remove
from dralint.yamltext.patch import patch


def read(text):
    return parse(SourceFile("kustomization.yaml", None, text.encode()))


@pytest.mark.parametrize(
    "text",
    [
        "resources: [a.yaml]\n",
        "resources:\n- a.yaml # the base\n",
        "# one\nresources:\n  - a.yaml\nconfigurations: [old.yaml]\n",
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []",
        '{"resources": ["a.yaml"]}',
    ],
)
def test_lists_get_their_items_once(text):
    file = read(text)
    changes = [
        Listed("resources", "b.yaml"),
        Listed("configurations", "new.yaml"),
        Listed("resources", "b.yaml"),
        Listed("patches", {"path": "p.yaml"}),
        Listed("configurations", "newer.yaml"),
    ]
    assert can_change(file, changes)
    before = yaml.safe_load(text)
    after = yaml.safe_load(patch(file.text, file.documents, operations(file, changes)).text)
    assert after == {
        **before,
        "resources": [*before["resources"], "b.yaml"],
        "configurations": [*before.get("configurations", []), "new.yaml", "newer.yaml"],
        "patches": [{"path": "p.yaml"}],
    }


def test_what_cannot_be_changed_is_known_before():
    assert not can_change(read("a: &a {b: 1}\nc: *a\n"), [Remove(0, ("c", "b"))])


JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: a, resources: {limits: {nvidia.com/gpu: 2}}}]
"""


@pytest.mark.parametrize("locked", ["job.yaml", "kustomization.yaml"])
def test_none_is_written_where_one_cannot_be(tmp_path, monkeypatch, dralint, locked):
    files = {"job.yaml": JOB, "kustomization.yaml": "resources: [job.yaml]\nnamePrefix: a-\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / locked).chmod(0o444)
    monkeypatch.chdir(tmp_path)
    ran = dralint("convert", "--write", ".")
    assert ran.code == 2
    assert f"{locked}: error: is read-only and was not written" in ran.err
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == files
    (tmp_path / locked).chmod(0o644)
    assert dralint("convert", "--write", ".").code == 0
    assert {path.name for path in tmp_path.iterdir()} == {*files, "claim-names.yaml"}
