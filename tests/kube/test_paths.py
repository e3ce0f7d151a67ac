"""Paths of data files with their wildcards."""

from __future__ import annotations

import pytest

from dralint.kube.paths import bind, bound_node, follow, steps
from dralint.yamltext.compose import compose


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("spec", ("spec",)),
        ("spec.template.spec", ("spec", "template", "spec")),
        ("spec.jobs[].template", ("spec", "jobs", "[]", "template")),
        ("objects[]", ("objects", "[]")),
        ("spec.services.*.resources", ("spec", "services", "*", "resources")),
    ],
)
def test_steps(text, expected):
    assert steps(text) == expected


DOCUMENT = """\
list: [{name: a, in: {x: 1}}, {name: b}, text]
map: {one: {x: 2}, two: {x: 3}}
base: &base {x: 4}
alias: *base
merged: {<<: *base, z: 5}
twice: {x: 6}
twice: {x: 7}
"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("list[].name", [(("list", 0, "name"), (0,), "a"), (("list", 1, "name"), (1,), "b")]),
        ("list[].in.x", [(("list", 0, "in", "x"), (0,), "1")]),
        ("map.*.x", [(("map", "one", "x"), ("one",), "2"), (("map", "two", "x"), ("two",), "3")]),
        ("alias.x", [(("alias", "x"), (), "4")]),
        ("merged.*", [(("merged", "x"), ("x",), "4"), (("merged", "z"), ("z",), "5")]),
        ("twice.x", [(("twice", "x"), (), "7")]),
        ("map[].x", []),
        ("list.*", []),
        ("list.name", []),
        ("missing.x", []),
        ("list[].name.deeper", []),
    ],
)
def test_follow(path, expected):
    root = compose(DOCUMENT)[0].root
    assert [(match.path, match.bound, match.node.text) for match in follow(root, steps(path))] == expected


def test_bind():
    assert bind(steps("a[].b.*.c"), (3, "k")) == ("a", 3, "b", "k", "c")
    assert bind(steps("a[].b"), (3, "k")) == ("a", 3, "b")
    assert bind(steps("a[].b.*"), (3,)) is None


def test_bound_node():
    root = compose(DOCUMENT)[0].root
    assert bound_node(root, steps("list[].name"), (1,)).text == "b"
    assert bound_node(root, steps("list[].name"), (7,)) is None
    assert bound_node(root, steps("list[].name"), ()) is None
