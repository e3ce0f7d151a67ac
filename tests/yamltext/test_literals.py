"""Literal block scalars (`|`) are edited line by line, in their places."""

from __future__ import annotations

import pytest

from tests.yamltext.editing import patched, replace

BODY = "a:\n - k: {}\n\n    first == 1 &&\n\n      second\n    third\n\n   z: 1\n"
VALUE = "first == 1 &&\n\n  second\nthird"


@pytest.mark.parametrize("header", ["|", "|-", "|+", "|  # why"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_only_the_lines_that_differ_change(header: str, line_break: str) -> None:
    text = BODY.replace("{}", header).replace("\n", line_break)
    ending = {"|-": "", "|+": "\n\n"}.get(header, "\n")
    old = f"\n{VALUE}{ending}"
    for before, after in (("first", "1st"), ("  second", "  2nd"), ("third", "3rd: #x")):
        new = patched(text, [replace(("a", 0, "k"), old.replace(before, after))])
        assert not new.refusals
        assert new.text == text.replace(before, after)


def test_the_end_of_the_file_has_no_line_break() -> None:
    new = patched("k: |-\n  one\n  two", [replace(("k",), "one\n2")])
    assert new.text in ("k: |-\n  one\n  2", "k: |-\n  one\n  two")
    assert bool(new.refusals) == ("two" in new.text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("k: |\n  one\n  two\n", "one\n\x07\n"),
        ("k: |\n  one\n  two\n", "one\ntwo"),
        ("k: |\n  one\n  two\n", "one\ntwo\n\n"),
        ("k: |\n  one\n  two\n", ""),
        ("k: |\n  one\n  two\n", 2),
        ("k: >\n  one\n  two\n", "one 2\n"),
    ],
)
def test_everything_else_is_refused(text: str, value: object) -> None:
    new = patched(text, [replace(("k",), value)])
    assert new.refusals
    assert new.text == text


@pytest.mark.parametrize("header", ["|", "|-", "|+"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
@pytest.mark.parametrize("behind", ["", "z: 1\n", "\n# why\nz: 1\n"])
@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ("a\n\n  b\n", "    a\n\n      b\n"),
        ("a\nc\n", "    a\n    c\n"),
        ("c\n", "    c\n"),
        ("a\n\n  b\nc\nd\n", "    a\n\n      b\n    c\n    d\n"),
        ("a\nx\n y\n\n  b\n", "    a\n    x\n     y\n\n      b\n"),
    ],
)
def test_lines_go_and_come(header: str, line_break: str, behind: str, value: str, lines: str) -> None:
    text = f"k: {header} # why\n    a\n\n      b\n    c\n{behind}".replace("\n", line_break)
    ending = {"|-": "", "|+": "\n\n" if behind.startswith("\n") else "\n"}.get(header, "\n")
    new = patched(text, [replace(("k",), value.removesuffix("\n") + ending)])
    assert not new.refusals
    assert new.text == f"k: {header} # why\n{lines}{behind}".replace("\n", line_break)


def test_the_last_line_of_a_file_goes() -> None:
    new = patched("k: |-\n  one\n  two", [replace(("k",), "one")])
    assert new.refusals or new.text == "k: |-\n  one"
