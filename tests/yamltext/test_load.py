"""Data files: plain data, or one line that says where the mistake is."""

from __future__ import annotations

import pytest

from dralint.errors import RuleError
from dralint.yamltext.load import load_data


def test_a_data_file(tmp_path):
    path = tmp_path / "data.yaml"
    path.write_text("# a comment\n---\ngates:\n- {name: A, since: '1.30'}\n", encoding="utf-8")
    assert load_data(str(path)) == {"gates": [{"name": "A", "since": "1.30"}]}
    path.write_text("other: 1\n", encoding="utf-8")
    assert load_data(str(path)) == {"gates": [{"name": "A", "since": "1.30"}]}, "read once"


def test_an_empty_file(tmp_path):
    path = tmp_path / "empty.yaml"
    path.write_text("# nothing\n", encoding="utf-8")
    assert load_data(str(path)) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a: 1\nb: [1\n",
            "2:4: not valid YAML: while parsing a flow sequence, did not find expected ',' or ']'",
        ),
        ("a: {{ x }}\n", "1:1: a template with `{{` is not data (quote what holds the braces)"),
        ("a: 1\n---\nb: 1\n", "2:1: a second document starts here, one is expected (split the file)"),
        ("a:\n- {b: 1, c: 2, b: 3}\n", "2:4: the key 'b' stands twice in one mapping"),
        ("a: {[b]: c}\n", "1:5: not valid YAML: a mapping or sequence cannot be a key"),
        ("a: .inf\n", "1:4: not valid YAML: `.inf` is not a number that JSON can hold"),
    ],
)
def test_mistakes_have_their_place(tmp_path, text, message):
    path = tmp_path / "data.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RuleError) as raised:
        load_data(str(path))
    assert str(raised.value) == f"{path}:{message}"


def test_files_that_cannot_be_read(tmp_path):
    missing = tmp_path / "missing.yaml"
    with pytest.raises(RuleError, match="cannot be read: No such file or directory"):
        load_data(str(missing))
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"a: \xff\n")
    with pytest.raises(RuleError, match="not valid UTF-8: byte 0xff"):
        load_data(str(binary))
