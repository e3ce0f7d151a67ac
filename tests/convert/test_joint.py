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
