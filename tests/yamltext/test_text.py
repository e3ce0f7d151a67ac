"""Bytes to text and back, and where an offset is."""

from __future__ import annotations

import pytest

from dralint.errors import InputError
from dralint.yamltext.text import SourceText, decode


@pytest.mark.parametrize(
    ("data", "text", "encoding", "bom"),
    [
        (b"a: \xc3\xbc\r\n", "a: ü\r\n", "utf-8", False),
        (b"\xef\xbb\xbfa: 1\n", "a: 1\n", "utf-8", True),
        (b"\xef\xbb\xbf\xef\xbb\xbfa: 1\n", "\ufeffa: 1\n", "utf-8", True),
        ("\ufeffa: ü".encode("utf-16-le"), "a: ü", "utf-16-le", True),
        ("\ufeffa: ü".encode("utf-16-be"), "a: ü", "utf-16-be", True),
        (b"", "", "utf-8", False),
    ],
)
def test_the_bytes_come_back(data, text, encoding, bom):
    source = decode(data, "x.yaml")
    assert (source.text, source.encoding, source.bom) == (text, encoding, bom)
    assert source.encode(source.text) == data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a: 1\nb: \xff\n", "x.yaml:2:4: not valid UTF-8: byte 0xff (save the file as UTF-8)"),
        ("ü: ".encode() + b"\xed\xa0\x80", "x.yaml:1:4: not valid UTF-8: byte 0xed (save the file as UTF-8)"),
        (b"\xff\xfea\x00b", "x.yaml:1:2: not valid UTF-16-LE: byte 0x62 (save the file as UTF-8)"),
    ],
)
def test_the_first_byte_that_is_no_text_is_named(data, message):
    with pytest.raises(InputError) as raised:
        decode(data, "x.yaml")
    assert str(raised.value) == message


def test_positions_count_characters_and_line_feeds():
    source = SourceText("ü: 1\r\n\nlast")
    assert [source.position(offset) for offset in (0, 3, 5, 6, 7, 11)] == [
        (1, 1),
        (1, 4),
        (1, 6),
        (2, 1),
        (3, 1),
        (3, 5),
    ]
    assert [source.line(number) for number in range(5)] == ["", "ü: 1", "", "last", ""]


@pytest.mark.parametrize(
    ("text", "offset"), [("a\r\nb", None), ("ü\n", None), ("ü\rb", 1), ("ab\u2028", 2), ("a\x85", 1)]
)
def test_line_breaks_that_editors_do_not_show(text, offset):
    source = SourceText(text)
    assert source.odd_break == offset
    assert (source.uneditable is None) is (offset is None)
