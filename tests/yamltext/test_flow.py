"""Edits in braces and brackets: YAML flow style on one line and on many, KYAML, JSON."""

from __future__ import annotations

import json

import pytest

from tests.yamltext.editing import append, changed, insert, put, refused, remove, rename, replace

LINE = [
    ("{a: 1, b: 2, c: 3}", [remove("v", "a")], "{b: 2, c: 3}"),
    ("{a: 1, b: 2, c: 3}", [remove("v", "b")], "{a: 1, c: 3}"),
    ("{a: 1, b: 2, c: 3}", [remove("v", "c")], "{a: 1, b: 2}"),
    ("{a: 1, b: 2, c: 3}", [remove("v", "b"), remove("v", "c")], "{a: 1}"),
    ("{a: 1, b: 2, c: 3,}", [remove("v", "c")], "{a: 1, b: 2,}"),
    ("{a: 1, b: 2}", [remove("v", "a"), remove("v", "b")], "{}"),
    ("{ a: 1 , b: 2 }", [remove("v", "a")], "{ b: 2 }"),
    ("{ a: 1 , b: 2 }", [remove("v", "b")], "{ a: 1  }"),
    ("{a: 1}", [put(("v",), "b", 2)], "{a: 1, b: 2}"),
    ("{a: 1,}", [put(("v",), "b", 2)], "{a: 1, b: 2,}"),
    ("{a: 1, c: 3}", [put(("v",), "b", 2, after="a")], "{a: 1, b: 2, c: 3}"),
    ("{a: 1, c: 3}", [put(("v",), "b", 2, before="a")], "{b: 2, a: 1, c: 3}"),
    ("{a: 1}", [remove("v", "a"), put(("v",), "b", [{"name": "gpu"}])], "{b: [{name: gpu}]}"),
    ("{a: 1, b: 2}", [remove("v", "b"), put(("v",), "c", 3)], "{a: 1, c: 3}"),
    ("{a: 1, b: 2}", [remove("v", "a"), put(("v",), "c", 3, after="a")], "{c: 3, b: 2}"),
    ("{}", [put(("v",), "a", {"b": ["c, d", "e"]})], '{a: {b: ["c, d", e]}}'),
    ("{ }", [put(("v",), "a", 1)], "{a: 1}"),
    ("[]", [append(("v",), "a")], "[a]"),
    ("[1, 2]", [append(("v",), 3), insert(("v",), 0, 0), insert(("v",), 1, 1.5)], "[0, 1, 1.5, 2, 3]"),
    ("[1, 2, 3]", [remove("v", 1)], "[1, 3]"),
    ("[1, 2]", [remove("v", 0), remove("v", 1), append(("v",), 3)], "[3]"),
    ("[k: 1, b]", [remove("v", 0)], "[b]"),
    ("{a: , b}", [put(("v",), "a", 1), put(("v",), "b", [2])], "{a: 1, b: [2]}"),
    ("{a, b: null}", [put(("v", "a"), "x", 1), append(("v", "b"), 2)], "{a: {x: 1}, b: [2]}"),
    ("{a: }", [put(("v",), "b", 1)], "{a: , b: 1}"),
    ("[&x ~, &y null]", [put(("v", 0), "x", 1), replace(("v", 1), 2)], "[&x {x: 1}, &y 2]"),
    ("[~, 1]", [put(("v", 0), "x", 1)], "[{x: 1}, 1]"),
    ("{a: 'b', c: d}", [replace(("v", "a"), "it's"), replace(("v", "c"), "x: y")], "{a: 'it''s', c: \"x: y\"}"),
    ('{a: 1, "b": 2}', [rename(("v", "a"), "c"), rename(("v", "b"), "d")], '{c: 1, "d": 2}'),
]  # fmt: skip


@pytest.mark.parametrize(("old", "operations", "new"), LINE, ids=[f"{old} {new}" for old, _, new in LINE])
def test_on_one_line(old, operations, new):
    assert changed(f"v: {old} # c\n", *operations) == f"v: {new} # c\n"


def test_lines_of_a_flow_mapping():
    text = """\
limits: {
  # processors
  cpu: 1, # two soon
  # cards
  nvidia.com/gpu: 1, # H100
  memory: 1Gi
}
"""
    assert (
        changed(text, remove("limits", "nvidia.com/gpu"), put(("limits",), "disk", "1Gi"))
        == """\
limits: {
  # processors
  cpu: 1, # two soon
  # cards
  memory: 1Gi,
  disk: 1Gi
}
"""
    )
    assert changed(text, remove("limits", "memory")) == text.replace("  memory: 1Gi\n", "").replace(
        "1, # H100", "1 # H100"
    )
    assert changed(text, remove("limits", "cpu"), put(("limits",), "claims", [{"name": "gpu"}], before="cpu")) == (
        text.replace("  cpu: 1, # two soon\n", "").replace("  # processors\n", "  # processors\n  # cards\n", 1).replace(
            "  # cards\n  # cards\n  nvidia", "  # cards\n  claims: [{name: gpu}],\n  nvidia"
        )
    )  # fmt: skip
    assert changed(text, *(remove("limits", name) for name in ("cpu", "nvidia.com/gpu", "memory"))) == (
        "limits: {\n  # processors\n  # cards\n}\n"
    )
    assert changed(text, remove("limits")) == "{}\n  # processors\n  # cards\n"


def test_entries_that_share_lines():
    text = "limits: {cpu: 1, nvidia.com/gpu: 1,\n         memory: 1Gi}\n"
    assert changed(text, remove("limits", "nvidia.com/gpu")) == "limits: {cpu: 1,\n         memory: 1Gi}\n"
    assert changed(text, put(("limits",), "x", 1, after="nvidia.com/gpu")) == text.replace(
        "gpu: 1,", "gpu: 1, x: 1,"
    )
    assert changed(text, put(("limits",), "x", 1)) == text.replace("1Gi}", "1Gi, x: 1}")


KYAML = """\
---
{
  kind: "Pod",
  spec: {
    containers: [{
      name: "train",
      resources: {
        limits: {
          cpu: "1",
          nvidia.com/gpu: 1,
        },
      },
    }, {
      name: "log",
    }],
    volumes: [],
  },
}
"""


def test_kyaml():
    container = ("spec", "containers", 0)
    assert changed(
        KYAML,
        remove(*container, "resources", "limits"),
        put((*container, "resources"), "claims", [{"name": "gpu", "request": "on"}]),
        put(("spec",), "resourceClaims", [{"name": "a"}, {"name": "b"}], after="containers"),
        append(("spec", "containers"), {"name": "c", "args": ["x", 1], "env": []}),
        append(("spec", "volumes"), {"name": "v"}),
    ) == """\
---
{
  kind: "Pod",
  spec: {
    containers: [{
      name: "train",
      resources: {
        claims: [{
          name: "gpu",
          request: "on",
        }],
      },
    }, {
      name: "log",
    }, {
      name: "c",
      args: [
        "x",
        1,
      ],
      env: [],
    }],
    resourceClaims: [{
      name: "a",
    }, {
      name: "b",
    }],
    volumes: [{
      name: "v",
    }],
  },
}
"""  # fmt: skip
    one = '    containers: [{\n      name: "log",\n    }],\n'
    start, end = KYAML.index("    containers"), KYAML.index("    volumes")
    assert changed(KYAML, remove("spec", "containers", 0)) == KYAML[:start] + one + KYAML[end:]
    assert changed(KYAML, remove("spec", "containers", 1)).count("name:") == 1


JSON = """\
{
\t"kind": "Pod",
\t"spec": {
\t\t"containers": [
\t\t\t{
\t\t\t\t"name": "train",
\t\t\t\t"resources": {
\t\t\t\t\t"limits": {"cpu": "1", "nvidia.com/gpu": 1},
\t\t\t\t\t"requests": {
\t\t\t\t\t\t"nvidia.com/gpu": 1
\t\t\t\t\t}
\t\t\t\t}
\t\t\t}
\t\t],
\t\t"volumes": [],
\t\t"claims": null
\t}
}
"""


def test_json_with_tabs():
    resources = ("spec", "containers", 0, "resources")
    assert changed(
        JSON,
        remove(*resources, "limits", "nvidia.com/gpu"),
        remove(*resources, "requests"),
        put(resources, "claims", [{"name": "gpu"}]),
        append(("spec", "containers"), {"name": "log"}),
        append(("spec", "volumes"), "v"),
        put(("spec",), "claims", {"a": 1}),
    ) == """\
{
\t"kind": "Pod",
\t"spec": {
\t\t"containers": [
\t\t\t{
\t\t\t\t"name": "train",
\t\t\t\t"resources": {
\t\t\t\t\t"limits": {"cpu": "1"},
\t\t\t\t\t"claims": [
\t\t\t\t\t\t{
\t\t\t\t\t\t\t"name": "gpu"
\t\t\t\t\t\t}
\t\t\t\t\t]
\t\t\t\t}
\t\t\t},
\t\t\t{
\t\t\t\t"name": "log"
\t\t\t}
\t\t],
\t\t"volumes": [
\t\t\t"v"
\t\t],
\t\t"claims": {
\t\t\t"a": 1
\t\t}
\t}
}
"""  # fmt: skip


def test_compact_json():
    text = '{"a":{"b":1,"c":"x"},"d":[]}'
    assert changed(text, remove("a", "b"), put((), "e", {"f": [1, None]}), append(("d",), "y"), replace(("a", "c"), "z")) == (
        '{"a":{"c":"z"},"d":["y"],"e":{"f":[1,null]}}'
    )  # fmt: skip


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("separators", [None, (",", ":")])
def test_a_list_in_json_stays_json(indent, separators):
    before = [{"op": "add", "value": {"a": 1}}, {"op": "test"}]
    text = json.dumps(before, indent=indent, separators=separators)
    new = {"op": "test", "value": [{"x": None}]}
    assert json.loads(changed(text, append((), new))) == [*before, new]
    assert json.loads(changed(text, remove(0), append((), new))) == [before[1], new]
    assert json.loads(changed(text, remove(0), remove(1), append((), new))) == [new]


def test_what_is_written_too_unusually_is_refused():
    explicit = "an entry written with `? key` is not edited"
    assert refused("v: {? a : 1, b: 2}\n", remove("v", "a"))[0] == explicit
    tabs = "braces indented by tabs inside block style are not edited"
    assert refused('v: {\n\t"a": "b"\n\t}\n', put(("v",), "c", 1))[0] == tabs
    assert refused("v: [k: 1]\n", put(("v", 0), "l", 1)) == (
        "a mapping without braces is not edited",
        "k: 1]",
    )
