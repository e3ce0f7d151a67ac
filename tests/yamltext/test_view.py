"""Nodes as Kubernetes sees them."""

from __future__ import annotations

import pytest

from dralint.yamltext.compose import compose
from dralint.yamltext.view import (
    TooLarge,
    children,
    duplicates,
    entries,
    field_path,
    get,
    plain,
    string,
)

TEXT = """\
base: &b {cpu: 1, list: &l [x, "1"]}
own:
  cpu: 2
  <<: *b
  alias: *l
twice: {a: 1, "a": 2, b: 3, a: 3}
"""


@pytest.fixture
def root():
    (document,) = compose(TEXT)
    return document.root


def test_get_follows_aliases_and_merge_keys(root):
    assert get(root, "own", "cpu").text == "1"
    assert get(root, "own", "list", 0).text == "x"
    assert get(root, "own", "alias", -1).text == "1"
    assert get(root, "own", "alias", 2) is None
    assert get(root, "own", 0) is None
    assert get(root, "base", "cpu", "deeper") is None
    assert get(None, "a") is None


def test_entries_say_where_they_come_from(root):
    own = entries(get(root, "own"))
    assert [(name, entry.merged) for name, entry in own.items()] == [
        ("cpu", True),
        ("list", True),
        ("alias", False),
    ]
    assert TEXT[own["alias"].value.start : own["alias"].value.end] == "*l"


def test_duplicates_name_what_does_not_count(root):
    assert [(name, TEXT[node.start : node.end]) for name, node in duplicates(get(root, "twice"))] == [
        ("a", "a"),
        ("a", '"a"'),
    ]
    assert plain(get(root, "twice")) == {"a": 3, "b": 3}


def test_strings_and_children(root):
    items = children(get(root, "own", "alias"))
    assert [string(item) for item in items] == ["x", "1"]
    assert string(get(root, "own", "cpu")) is None
    assert string(None) is None
    assert string(root) is None
    assert children(root) == ()
    assert children(None) == ()


def test_plain_is_bounded():
    (document,) = compose("a: &a [1, 2, 3]\nb: [*a, *a]\n")
    assert plain(document.root) == {"a": [1, 2, 3], "b": [[1, 2, 3], [1, 2, 3]]}
    with pytest.raises(TooLarge):
        plain(document.root, 13)
    assert plain(document.root, 14)


def test_field_paths_are_written_as_kubernetes_writes_them():
    assert field_path(()) == ""
    assert (
        field_path(("spec", "devices", "requests", 0, "exactly", "count"))
        == "spec.devices.requests[0].exactly.count"
    )
    assert field_path(("limits", "nvidia.com/gpu")) == "limits[nvidia.com/gpu]"
    assert field_path((0, "a")) == "[0].a"


def test_what_is_no_mapping_has_no_entries():
    (document,) = compose("list: [a]\ntext: b\nempty: {}\n")
    assert [entries(get(document.root, key)) for key in ("list", "text", "empty")] == [{}, {}, {}]
