"""Edits of block collections and of scalars, and how new values are written."""

from __future__ import annotations

import pytest

from dralint.yamltext.operations import Edit
from tests.yamltext.editing import append, changed, insert, patched, put, remove, rename, replace

POD = """\
spec:
  # the main one
  containers:
    - name: train  # first
      image: x

    - name: log
  volumes: []
"""


@pytest.mark.parametrize(
    ("operation", "old", "new"),
    [
        (put(("spec",), "k", 1), "  volumes: []\n", "  volumes: []\n  k: 1\n"),
        (put(("spec",), "k", 1, after="containers"), "  volumes", "  k: 1\n  volumes"),
        (put(("spec",), "k", 1, before="volumes"), "  volumes", "  k: 1\n  volumes"),
        (put(("spec",), "k", 1, before="containers"), "  containers", "  k: 1\n  containers"),
        (put(("spec",), "k", 1, after="nothing"), "  volumes: []\n", "  volumes: []\n  k: 1\n"),
        (put((), "k", [1]), "  volumes: []\n", "  volumes: []\nk:\n  - 1\n"),
        (
            put(("spec",), "k", [{"a": {"b": []}}]),
            "  volumes: []\n",
            "  volumes: []\n  k:\n    - a:\n        b: []\n",
        ),
        (put(("spec", "containers", 0), "k", {}), "image: x\n", "image: x\n      k: {}\n"),
        (
            put(("spec", "containers", 0), "k", None, before="name"),
            "- name: train",
            "- k: null\n      name: train",
        ),
        (append(("spec", "containers"), {"a": 1, "b": 2}), "  volumes", "    - a: 1\n      b: 2\n  volumes"),
        (append(("spec", "containers"), ["x", ["z"]]), "  volumes", "    - - x\n      - - z\n  volumes"),
        (append(("spec", "volumes"), {"a": 1}), "[]", "[{a: 1}]"),
        (insert(("spec", "containers"), 0, "x"), "    - name: train", "    - x\n    - name: train"),
        (insert(("spec", "containers"), 1, "x"), "image: x\n", "image: x\n    - x\n"),
        (remove("spec", "containers", 0, "name"), "- name: train  # first\n      image", "- image"),
        (remove("spec", "containers", 0), "    - name: train  # first\n      image: x\n", ""),
        (remove("spec", "containers", 1), "    - name: log\n", ""),
        (remove("spec", "containers", 1, "name"), "name: log", "{}"),
        (remove("spec", "volumes"), "  volumes: []\n", ""),
        (replace(("spec", "containers", 0, "name"), "on"), "train", '"on"'),
        (rename(("spec", "containers"), "initContainers"), "containers", "initContainers"),
    ],
)
def test_one_operation_on_a_pod(operation, old, new):
    assert POD.count(old) == 1
    assert changed(POD, operation) == POD.replace(old, new)


def test_a_new_entry_takes_the_place_of_all_others():
    text = "resources:\n  limits: # l\n    gpu: 1\n  requests:\n    gpu: 1\nname: x\n"
    gone = [remove("resources", "limits"), remove("resources", "requests")]
    assert changed(text, *gone, put(("resources",), "claims", [{"name": "gpu"}])) == (
        "resources:\n  claims:\n  - name: gpu\nname: x\n"
    )
    inline = "- limits: 1\n  # why\n  requests:\n    gpu: 1\n- x\n"
    assert changed(
        inline, remove(0, "limits"), remove(0, "requests"), put((0,), "a", {"b": 1}), put((0,), "c", 1)
    ) == ("- a:\n    b: 1\n  c: 1\n  # why\n- x\n")


def test_an_entry_is_replaced_by_another_of_the_same_name():
    assert changed("a: 1\nb: 2\nc: 3\n", remove("b"), put((), "b", {"x": 1})) == "a: 1\nb:\n  x: 1\nc: 3\n"
    assert changed("v: {a: 1, b: 2}\n", remove("v", "a"), put(("v",), "a", [1])) == "v: {a: [1], b: 2}\n"


def test_what_loses_everything_becomes_empty():
    assert changed("a: &x # c\n  b: 1\n", remove("a", "b")) == "a: &x {} # c\n"
    assert changed("- - a\n  - b\n", remove(0, 0), remove(0, 1)) == "- []\n"
    assert changed("-\n  # c\n  a: 1\n", remove(0, "a")) == "- {}\n  # c\n"
    assert changed("# c\na: 1\n---\nb: 1\n", remove("a")) == "# c\n{}\n---\nb: 1\n"


@pytest.mark.parametrize(
    ("text", "operation", "result"),
    [
        ("a: 1\nb: 2", remove("b"), "a: 1"),
        ("a: 1\r\nb: 2", remove("b"), "a: 1"),
        ("a: 1\nb: 2", remove("a"), "b: 2"),
        ("a: 1", put((), "b", [1, 2]), "a: 1\nb:\n- 1\n- 2"),
        ("a:\n- 1 # c", append(("a",), 2), "a:\n- 1 # c\n- 2"),
        ("a: 1\n# end", put((), "b", 2), "a: 1\nb: 2\n# end"),
        ("a:\n  b: 1\n  # end", remove("a"), "{}\n  # end"),
        ("a: 1\nb:\n  # end\n  c: 2", remove("b"), "a: 1\n  # end"),
        ("{a: 1}", put((), "b", "x"), '{a: 1, b: "x"}'),
    ],
)
def test_a_file_without_final_line_break_stays_without(text, operation, result):
    assert changed(text, operation) == result


@pytest.mark.parametrize(
    ("old", "value", "new"),
    [
        ("x", "y-z", "y-z"),
        ("x", "yes", '"yes"'),
        ("x", "", '""'),
        ("x", "a: b", '"a: b"'),
        ("x", "a\nb", '"a\\nb"'),
        ('"x"', "y", '"y"'),
        ("'x'", "it's", "'it''s'"),
        ("'x'", "a\tb", '"a\\tb"'),
        ("1", 2, "2"),
        ('"1"', 2, "2"),
        ("'1'", "2", "'2'"),
        ("x", True, "true"),
        ("x", None, "null"),
        ("null", "x", "x"),
        ("!!str x # c", "y", None),
        ("|\n  x", "y", None),
        ("[x]", "y", None),
    ],
)
def test_replaced_scalars_keep_their_quotes(old, value, new):
    result = patched(f"a: {old}\nb: 1\n", replace(("a",), value))
    assert result.text == f"a: {old if new is None else new}\nb: 1\n"
    assert bool(result.refusals) is (new is None)


def test_an_empty_value_gets_a_blank():
    assert (
        changed("a:\nb: # c\n-x: 1\n", replace(("a",), "x"), replace(("b",), 2)) == "a: x\nb: 2 # c\n-x: 1\n"
    )
    assert (
        changed("- &x\n- b: &y # c\n", replace((0,), 1), replace((1, "b"), "z")) == "- &x 1\n- b: &y z # c\n"
    )
    assert (
        changed("v: {a: &x , b: &y}\n", replace(("v", "a"), 1), put(("v",), "b", [2]))
        == "v: {a: &x 1 , b: &y [2]}\n"
    )
    assert changed("-\n- # c\n", replace((0,), "x"), replace((1,), 2)) == "- x\n- 2 # c\n"


def test_a_collection_stands_below_an_anchor():
    text = "- &x\n- &y ~ # c\n- k: &z\n"
    assert changed(text, put((0,), "a", 1), append((1,), 2), append((2, "k"), {"b": 3})) == (
        "- &x\n  a: 1\n- &y # c\n  - 2\n- k: &z\n  - b: 3\n"
    )


def test_edits_say_what_changed_in_the_order_of_the_text():
    result = patched("a: 1\nb: 2\nc: 3\n", [remove("c")], [replace(("a",), 5)])
    assert result.edits == [Edit(3, 4, "5"), Edit(10, 15, "")]


def test_deeper_insertions_at_one_place_come_first():
    text = "a:\n  b:\n  - c: 1\nd: 1\n"
    assert changed(text, put((), "e", 1, after="a"), put(("a",), "f", 1), append(("a", "b"), 2), put(("a", "b", 0), "g", 1)) == (
        "a:\n  b:\n  - c: 1\n    g: 1\n  - 2\n  f: 1\ne: 1\nd: 1\n"
    )  # fmt: skip


def test_nulls_are_filled_by_several_operations():
    text = "a: # c\nb:\n- \n-\nc:\n  ~\n"
    assert (
        changed(
            text,
            put(("a",), "x", 1),
            put(("a",), "z", [1]),
            append(("b", 0), 1),
            append(("b", 0), 2),
            put((), "c", {"k": {}}),
            put(("b", 1), "m", "o"),
        )
        == "a: # c\n  x: 1\n  z:\n  - 1\nb:\n- - 1\n  - 2 \n- m: o\nc:\n  k: {}\n"
    )
