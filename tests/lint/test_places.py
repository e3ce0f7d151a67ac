"""Fields to places: what a finding marks in the source, and what it calls it."""

from __future__ import annotations

import pytest

from dralint.kube.read import parse
from dralint.lint.finding import Region
from dralint.lint.places import field, parse_field, region
from dralint.source.file import SourceFile
from dralint.yamltext.view import field_path

MANIFEST = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: one, namespace: "lab"}
spec:
  devices:
    requests:
    - name: gpu   # the card
      exactly:
        deviceClassName: gpu.nvidia.com
        selectors:
        - cel:
            expression: |
              device.driver == "gpu.nvidia.com"
    - {name: nic, exactly: {deviceClassName: rdma}}
    limits:
      nvidia.com/gpu: 1
      ? odd
      : 2
    alias: &anchor same
    other: *anchor
    empty:
    list: []
"""


def marked(path: str, manifest: str = MANIFEST) -> str:
    """The text that a field's region covers."""
    obj = parse(SourceFile("a.yaml", None, manifest.encode())).objects[0]
    found = region(obj, parse_field(path))
    text = obj.file.text
    start = text.line_starts[found.line - 1] + found.column - 1
    end = text.line_starts[found.end_line - 1] + found.end_column - 1
    return f"{found.line}: {text.text[start:end]}"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", "1: apiVersion: resource.k8s.io/v1"),
        ("kind", "2: kind: ResourceClaim"),
        ("metadata", '3: metadata: {name: one, namespace: "lab"}'),
        ("metadata.namespace", '3: namespace: "lab"'),
        ("spec", "4: spec"),
        ("spec.devices.requests", "6: requests"),
        ("spec.devices.requests[0]", "7: name: gpu"),
        ("spec.devices.requests[0].name", "7: name: gpu"),
        ("spec.devices.requests[0].exactly.deviceClassName", "9: deviceClassName: gpu.nvidia.com"),
        ("spec.devices.requests[0].exactly.selectors[0]", "11: cel"),
        ("spec.devices.requests[0].exactly.selectors[0].cel.expression", "12: expression"),
        ("spec.devices.requests[1]", "14: {name: nic, exactly: {deviceClassName: rdma}}"),
        ("spec.devices.requests[1].exactly.deviceClassName", "14: deviceClassName: rdma"),
        ("spec.devices.limits[nvidia.com/gpu]", "16: nvidia.com/gpu: 1"),
        ("spec.devices.limits.odd", "17: odd"),
        ("spec.devices.other", "20: other: *anchor"),
        ("spec.devices.empty", "21: empty"),
        ("spec.devices.list", "22: list: []"),
        ("spec.devices.requests[0].exactly.count", "8: exactly"),
        ("spec.devices.requests[7].name", "6: requests"),
        ("spec.devices.requests.name", "6: requests"),
        ("spec.devices.empty.deep.er", "21: empty"),
    ],
)
def test_the_key_with_its_value_or_the_nearest_ancestor_is_marked(path: str, expected: str) -> None:
    assert marked(path) == expected


def test_a_nested_item_is_marked_by_what_stands_on_its_first_line() -> None:
    assert marked("items[0]", "kind: x\nitems:\n- - a: 1\n  - b: 2\n") == "3: - a: 1"
    assert marked("items[0]", "kind: x\nitems:\n- key:\n    b: 2\n") == "3: key"
    assert marked("items[0]", "kind: x\nitems:\n- |\n  text\n") == "3: |"


def test_crlf_and_characters_outside_ascii_count_as_people_count() -> None:
    obj = parse(SourceFile("a.yaml", None, 'kind: x\r\na: {"é😀": 1, b: 2}\r\n'.encode())).objects[0]
    assert region(obj, ("a", "b")) == Region("a.yaml", 2, 14, 2, 18)


def test_a_file_with_nothing_behind_the_key() -> None:
    assert marked("spec", "kind: x\nspec:") == "2: spec"


@pytest.mark.parametrize(
    "text", ["spec.devices.requests[0].exactly.count", "limits[nvidia.com/gpu]", "[0]", "a[b.c][1].d", "a"]
)
def test_field_paths_are_read_as_they_are_written(text: str) -> None:
    assert field_path(parse_field(text)) == text


def test_a_field_is_named_from_its_object() -> None:
    text = "kind: List\nitems:\n- kind: ResourceClaim\n  spec: {}\n"
    obj = parse(SourceFile("a.yaml", None, text.encode())).objects[0]
    assert field(obj, ("items", 0, "spec", "devices")) == "spec.devices"
    assert field(obj, ("items", 0)) is None
