"""Where the items of a list stand: found without nodes, and only where that is certain."""

from __future__ import annotations

import pytest

from dralint.yamltext.items import block_items, json_items, members

HEAD = "apiVersion: v1\nitems:\n"


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ('{"items": [{"a": 1}, {"b": "]}"}], "kind": "List"}', ['{"a": 1}', '{"b": "]}"}']),
        ('{"items":[{}]}', ["{}"]),
        (
            '{\n  "kind": "List",\n  "items": [\n    {"a": "\\"items\\": ["}\n  ]\n}\n',
            ['{"a": "\\"items\\": ["}'],
        ),
        ('{"x": {"items": [{}]}, "items": [{"y": 1}]}', ['{"y": 1}']),
    ],
)
def test_items_of_json(text, items):
    found = json_items(text, "items")
    assert found is not None
    assert [text[slice(*span)] for span in found.items] == items


@pytest.mark.parametrize(
    "text",
    [
        '{"items": []}',
        '{"items": [1]}',
        '{"items": [{}]} {}',
        '{"items": [{}]',
        '{"items": [{}], "items": [{}]}',
        '{"items": [{} {}]}',
        '{"items": [{}],}x',
        '[{"items": [{}]}]',
        '{"items": ' + "[" * 100_000,
        '{"items": {"a": 1}}',
        "{items: [{}]}",
        "",
    ],
)  # fmt: skip
def test_what_is_no_list_in_json(text):
    assert json_items(text, "items") is None


def test_a_json_value_that_is_longer_than_any_object_is_not_read():
    text = '{"items": [{"a": [' + "[]," * 4_000_000 + "1]}]}"
    assert json_items(text, "items") is None


def test_members_of_an_object():
    text = '{"a": {"b": [1, 2]}, "c" : "}" }'
    assert [(each.key, text[each.start : each.end]) for each in members(text, 0)] == [
        ("a", '{"b": [1, 2]}'),
        ("c", '"}"'),
    ]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        (HEAD + "- a: 1\n  b: |\n    # no comment\n    - x\n- c: 2\nkind: List\n", 2),
        (HEAD + "  - a: 1\n  - a: 2\n", 2),
        (HEAD + "- a: 1\n\n- a: 2", 2),
        (HEAD.replace("\n", "\r\n") + "- a: 1\r\n- a: 2\r\nkind: List\r\n", 2),
    ],
)
def test_items_of_block_yaml(text, items):
    found = block_items(text, "items")
    assert found is not None
    assert len(found.items) == items
    head, tail = found.around(text)
    assert head + "".join(text[slice(*span)] for span in found.items) + tail == text


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "- a: 1\n# of which item?\n- a: 2\n",
        HEAD + "[{a: 1}]\n",
        "items:\n# first\n- a: 1\n",
        "kind: List\n",
        HEAD + " " * 40 + "- a: 1\n",
        HEAD + "- a: 1\n  b: " + "x" * 9_000_000 + "\n",
    ],
)
def test_block_yaml_whose_items_are_not_certain(text):
    assert block_items(text, "items") is None
