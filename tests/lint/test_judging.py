"""Answers that are remembered: of equal facts only, whatever a condition reads."""

from __future__ import annotations

import pytest

from dralint.kube.bundle import Bundle, Context
from dralint.kube.read import parse
from dralint.lint.engine import lint
from dralint.lint.judging import _reads
from dralint.lint.rules import known_rules
from dralint.lint.run import Run
from dralint.nvidia.target import make_target
from dralint.source.file import SourceFile

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: %s, namespace: %s}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: %d}}]}}
---
"""
RULE = """\
id: ACME001
name: own
severity: error
summary: A rule
subject: request
when: %s
message: "{object.name}"
"""


@pytest.mark.parametrize(
    ("when", "found"),
    [
        ("count == 2", ["b", "d"]),
        ("object.namespace == 'x'", ["a", "b"]),
        ('object.name == "d" || count == 3', ["c", "d"]),
        ("name == 'count object' || count > 1", ["b", "c", "d"]),
        ("object.name.matches('^[ac]$') // don't forget object's name", ["a", "c"]),
        (r"object.name == 'it\'s' || object.name == 'a'", ["a"]),
        ("object['name'] == 'b'", ["b"]),
        ("object . name == 'b'", ["b"]),
        ("object.exists(key, object[key] == 'b')", ["b"]),
        ("[object].exists(each, each.name == 'b')", ["b"]),
        ("has(object.name) && object.namespace == 'x' && object.name == 'b'", ["b"]),
    ],
)
def test_a_condition_is_asked_for_everything_that_it_reads(tmp_path, when, found):
    (tmp_path / "own.yaml").write_text(RULE % f"|-\n  {when}")
    text = "".join(CLAIM % each for each in (("a", "x", 1), ("b", "x", 2), ("c", "y", 3), ("d", "y", 2)))
    files = [parse(SourceFile("a.yaml", None, text.encode()))]
    own = [rule for rule in known_rules([str(tmp_path)], []) if rule.id == "ACME001"]
    run = Run(files, Bundle(files), Context.none(), make_target())
    assert [each.message for each in lint(run, own)] == found


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("format == 'object-name' && \"it's\" != value", [("format", None), ("value", None)]),
        (r"value == 'it\'s' || object.name == 'b'", [("object", ("name",)), ("value", None)]),
        ("object.kind == object.name", [("object", ("kind", "name"))]),
        ("object.kind == 'x' || object == value", [("object", None), ("value", None)]),
        ("object.size() > 1", [("object", None)]),
        ("object.exists (key, key == 'x')", [("object", None)]),
        ("object['name'] == 'x'", [("object", None)]),
        ("target.object.name == 'x'", []),
    ],
)
def test_what_is_read_of_a_variable(text, read):
    """All of it, where it is not just a field; words of a text are not read."""
    found = _reads([text], ["format", "object", "value"])
    assert [each for each in found if each[0] in text] == read
