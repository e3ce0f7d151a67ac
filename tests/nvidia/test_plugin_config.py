"""Configurations of the device plugin."""

from __future__ import annotations

import pytest

from dralint.nvidia.plugin_config import effective, is_config, mig_strategy, mistakes, replicated
from dralint.yamltext.compose import compose


def root(text):
    (document,) = compose(text)
    return document.root


SHARED = """\
version: v1
flags: {migStrategy: mixed}
sharing:
  timeSlicing:
    renameByDefault: true
    resources:
    - {name: gpu, replicas: 4}
    - {name: nvidia.com/mig-1g.5gb, rename: nvidia.com/small, replicas: 2}
"""
MPS = "sharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 3}]}, timeSlicing: {resources: [{name: gpu, replicas: 4}]}}"


def test_what_is_shared():
    found = effective(root(SHARED))
    assert [(each.resource, each.replicas, each.advertised, each.fails) for each in found] == [
        ("nvidia.com/gpu", 4, "nvidia.com/gpu.shared", False),
        ("nvidia.com/mig-1g.5gb", 2, "nvidia.com/mig-1g.5gb.shared", False),
    ]
    assert [each.number for each in found] == [0, 1]
    assert mig_strategy(root(SHARED)) == "mixed"


def test_mps_wins_and_refuses_more_than_one():
    assert [(each.way, each.replicas, each.fails) for each in effective(root(MPS))] == [("mps", 3, True)]
    assert [(each.way, each.both) for each in replicated(root(MPS))] == [("mps", True), ("timeSlicing", True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SHARED, True),
        ("version: v1\n", True),
        ("flags: {}\n", True),
        ("resources: {}\n", False),
        ("apiVersion: v2\nversion: 0.1.0\n", False),
        ("version: v1\nmig-configs: {}\n", False),
        ("- sharing\n", False),
    ],
)
def test_the_form(text, expected):
    assert is_config(root(text)) == expected


@pytest.mark.parametrize(
    "text", [SHARED, MPS, "version:\nflags: {migStrategy: null}\n", "sharing:\n", "sharing: {mps: null}"]
)
def test_no_mistakes(text):
    assert list(mistakes(root(text))) == []


def test_every_mistake_stands_at_its_node():
    text = "version: v3\nsharing: {timeSlicing: {renameByDefault: 1, resources: [{replicas: 2}, {name: gpu, replicas: 2.5}]}}\n"
    found = [
        (text[each.node.start : each.node.end], each.what.partition(",")[0]) for each in mistakes(root(text))
    ]
    assert found == [
        ("v3", "the version is not v1"),
        ("1", "renameByDefault is neither true nor false"),
        ("{replicas: 2}", "a resource of sharing.timeSlicing has no name"),
        ("2.5", "replicas of gpu is no whole number from 2 up"),
    ]
