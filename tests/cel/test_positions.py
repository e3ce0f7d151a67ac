"""A place inside an expression is shown at its place in the manifest, in every kind of scalar."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from dralint.cel.positions import file_offset
from dralint.yamltext.compose import compose
from dralint.yamltext.node import Node
from dralint.yamltext.view import get


def scalar(text: str, *path: str | int) -> Node:
    node = get(compose(text)[0].root, *path)
    assert node is not None
    return node


@pytest.mark.parametrize(
    "manifest",
    [
        "expression: device.^driver == 1\n",
        "expression: &anchor !!str device.^driver == 1\n",
        "expression: true ==\n    device.^driver\n",
        "expression: 'it''s == device.^driver'\n",
        'expression: "\\"x\\" == device.\\\n   ^driver"\n',
        'expression: "\\u00e9\\x41 == device.^driver"\n',
        '{"expression": "\\"a\\/b\\" ==\\n device.^driver"}\n',
        "expression: |\n  true &&\n\n  device.^driver == 1\n",
        "expression: |-  # a comment\n     true &&\n       device.^driver == 1\n",
        "expression: |2\n     true &&\n   device.^driver == 1\n",
        "expression: >\n  true &&\n  device.^driver\n  == 1\n",
        "expression: >-\n  true\n\n  && device.^driver\n     == 1\n\n",
        "expression: >\r\n  true &&\r\n  device.^driver\r\n",
        "expression: |\n  device.^driver",
        "# é\nexpression: 'é😀' == device.^driver\n".replace("'", ""),
    ],
)
def test_places(manifest: str) -> None:
    text = manifest.replace("^", "")
    node = scalar(text, "expression")
    assert file_offset(text, node, node.text.index("driver")) == manifest.index("^")


def test_the_end_of_an_expression() -> None:
    text = "a: device.driver ==\nb: 1\n"
    assert file_offset(text, scalar(text, "a"), len("device.driver ==")) == text.index("\nb")
    empty = 'a: ""\n'
    assert file_offset(empty, scalar(empty, "a"), 0) == 3


PIECES = st.lists(
    st.sampled_from(
        ["a", "b", " ", "  ", "\n", "\n\n", '"', "'", "\\", "é", "😀", "\t", "#", " #", ": ", "-", "{"]
    ),
    min_size=1,
    max_size=14,
).map("".join)


@given(
    content=PIECES,
    style=st.sampled_from([None, '"', "'", "|", ">"]),
    width=st.sampled_from([10, 20, 80]),
    unicode=st.booleans(),
    line_end=st.sampled_from(["\n", "\r\n"]),
)
@settings(max_examples=300, deadline=None)
def test_every_character_is_found(
    content: str, style: str | None, width: int, unicode: bool, line_end: str
) -> None:
    text = yaml.dump({"k": [content]}, default_style=style, width=width, allow_unicode=unicode)
    text = text.replace("\n", line_end)
    node = scalar(text, "k", 0)
    offsets = [file_offset(text, node, index) for index in range(len(node.text) + 1)]
    assert offsets == sorted(offsets)
    for character, offset in zip(node.text, offsets, strict=False):
        if character.isalnum() and character.isascii():
            assert text[offset] == character
