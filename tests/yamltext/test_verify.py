"""The check after an edit: JSON that says what was meant is not parsed as YAML, anything else is."""

from __future__ import annotations

import json

import pytest

from dralint.errors import InternalError
from dralint.yamltext import verify
from dralint.yamltext.compose import compose
from dralint.yamltext.operations import Edit
from dralint.yamltext.verify import Expected, check

JSON = '{"a": {"b": [1, "x#y", 1.5, null, true]}, "c": 2}\n'


@pytest.fixture
def parsed(monkeypatch):
    """The texts that are parsed as YAML."""
    found = []

    def composed(text, wanted):
        return verify_composed(text, lambda piece: wanted(piece) and not found.append(piece))

    verify_composed = verify.composed
    monkeypatch.setattr(verify, "composed", composed)
    return found


def edited(old, what, by, value):
    """The check of one edit that puts `by` in the place of `what`."""
    start = old.index(what)
    edit = Edit(start, start + len(what), by)
    new = old[:start] + by + old[start + len(what) :]
    check(old, new, [edit], [Expected(compose(old)[0], lambda: value)])


def test_json_that_is_as_meant_is_not_parsed_again(parsed):
    edited(JSON, "2", "3", {**json.loads(JSON), "c": 3})
    assert parsed == []


@pytest.mark.parametrize(
    ("old", "by", "value"),
    [
        ("a: 1\nc: 2\n", "3", {"a": 1, "c": 3}),
        ("{a: 1, c: 2}\n", "3", {"a": 1, "c": 3}),
        ('{"c": 2, "d": 99999999999999999999}\n', "3", {"c": 3, "d": 1e20}),
        ('{"c": 5, "c": 2}\n', "3", {"c": 3}),
        ('{"c": 2}\n# {\n', "3", {"c": 3}),
    ],
    ids=["block", "flow", "a number that Go reads otherwise", "a key twice", "a comment"],
)
def test_what_python_does_not_confirm_is_parsed(old, by, value, parsed):
    edited(old, "2", by, value)
    assert len(parsed) == 1


@pytest.mark.parametrize("by", ["4", '"3"', "3.0", "true", '3, "d": 1'])
def test_json_that_says_something_else_is_an_error(by):
    with pytest.raises(InternalError, match="says something else than was meant"):
        edited(JSON, "2", by, {**json.loads(JSON), "c": 3})


def test_json_that_is_too_deep_to_be_read_is_an_error():
    deep = '{"a": ' * 120 + "2" + "}" * 120
    inner = "[" * 120 + "]" * 120
    value = json.loads(deep.replace("2", inner))
    with pytest.raises(InternalError, match="nested more than"):
        edited(deep, "2", inner, value)


def test_json_that_became_broken_is_an_error():
    with pytest.raises(InternalError, match="cannot be read"):
        edited(JSON, "2", "2]", {**json.loads(JSON)})
