"""Answers that are remembered: of equal facts only, whatever a condition reads."""

from __future__ import annotations

import pytest

from dralint.kube.bundle import Bundle, Context
from dralint.kube.read import parse
from dralint.lint.engine import lint
from dralint.lint.judging import _words
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
    ],
)
def test_a_condition_is_asked_for_everything_that_it_reads(tmp_path, when, found):
    (tmp_path / "own.yaml").write_text(RULE % f"|-\n  {when}")
    text = "".join(CLAIM % each for each in (("a", "x", 1), ("b", "x", 2), ("c", "y", 3), ("d", "y", 2)))
    files = [parse(SourceFile("a.yaml", None, text.encode()))]
    own = [rule for rule in known_rules([str(tmp_path)], []) if rule.id == "ACME001"]
    run = Run(files, Bundle(files), Context.none(), make_target())
    assert [each.message for each in lint(run, own)] == found


def test_words_of_a_text_are_not_read():
    assert _words("format == 'object-name' && \"it's\" != value") == ["format", "value"]
    assert "object" in _words(r"name == 'it\'s' || object.name == 'b'")
