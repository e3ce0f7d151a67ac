"""A fix of one item of a list, looked at alone, is the same as one made in the whole file."""

from __future__ import annotations

from typing import Any

import pytest

from dralint.lint.fixes import text_edits
from dralint.yamltext.operations import InsertDocument, Put, Remove, Replace
from tests.kube.reading import objects

BLOCK = """\
# head
apiVersion: v1
kind: List
items:
- apiVersion: resource.k8s.io/v1
  kind: ResourceClaim   # first
  metadata: {name: one}
  spec:
    # of the claim
    devices:
      requests:
      - name: A
        exactly: {count: 1}  # the last line
# between
-   apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata: {name: two}
    spec:
        devices:
            requests: [{name: A, exactly: {count: 1}}]
"""
FLOW = """\
{"apiVersion": "v1", "kind": "List", "items": [
  {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "one"},
    "spec": {
      "devices": {
        "requests": [
          {"name": "A", "exactly": {"count": 1}}
        ]
      }
    }
  }, {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "two"},
    "spec": {"devices": {"requests": [{"name": "A", "exactly": {"count": 1}}]}}}]}
"""
ALIAS = BLOCK.replace("exactly: {count: 1}  #", "exactly: &e {count: 1}  #").replace(
    "exactly: {count: 1}}]", "exactly: *e}]"
)
REQUEST = ("spec", "devices", "requests", 0)


def operations(obj: Any) -> list[list[Any]]:
    request = (*obj.path, *REQUEST)
    exactly = (*request, "exactly")
    return [
        [Replace(0, (*request, "name"), "a")],
        [Remove(0, exactly)],
        [Put(0, exactly, "deviceClassName", "gpu.nvidia.com")],
        [Put(0, request, "more", {"x": [1, 2]})],
        [Remove(0, (*obj.path, "metadata")), Replace(0, (*request, "name"), "b")],
        [Replace(0, ("kind",), "ConfigMap")],
        [InsertDocument(0, {"kind": "Other"})],
    ]


@pytest.mark.parametrize("text", [BLOCK, FLOW, BLOCK.replace("\n", "\r\n"), BLOCK.rstrip("\n"), ALIAS])
@pytest.mark.parametrize("number", [0, 1])
def test_alone_and_in_the_file(text: str, number: int) -> None:
    obj = objects(text)[number]
    assert obj.ref.name == ("one", "two")[number]
    for each in operations(obj):
        whole = text_edits(obj, each)
        assert text_edits(obj, each, alone=True) == whole, each
