"""Source lines with carets: aligned for wide and escaped characters, short for endless lines."""

from __future__ import annotations

import pytest

from dralint.lint.finding import Region
from dralint.report.excerpt import Excerpt, excerpt
from dralint.yamltext.text import SourceText


def shown(line: str, start: int, end: int) -> Excerpt:
    """The excerpt of a line between others, columns from 1."""
    return excerpt(SourceText(f"a: 1\r\n{line}\r\nb: 2\n"), Region("x", 2, start, 2, end))


@pytest.mark.parametrize(
    ("line", "start", "end", "expected"),
    [
        ("  name: gpu", 3, 12, Excerpt("  name: gpu", "  ^^^^^^^^^")),
        ("a: 1", 1, 2, Excerpt("a: 1", "^")),
        ("a: 1", 5, 5, Excerpt("a: 1", "    ^")),
        ("", 1, 1, Excerpt("", "^")),
        ("a\tb: 1", 3, 7, Excerpt("a\\tb: 1", "   ^^^^")),
        ("图: b: 1", 4, 8, Excerpt("图: b: 1", "    ^^^^")),
        ("b: 图", 4, 5, Excerpt("b: 图", "   ^^")),
        ("e\u0301: b", 4, 5, Excerpt("e\u0301: b", "  ^")),
        ("\x1b[31m: b", 7, 8, Excerpt("\\x1b[31m: b", "         ^")),
        ("a: \u202eb", 4, 6, Excerpt("a: \\u202eb", "   ^^^^^^^")),
    ],
)
def test_the_caret_stands_under_what_is_meant(line: str, start: int, end: int, expected: Excerpt) -> None:
    assert shown(line, start, end) == expected


@pytest.mark.parametrize("start", [1, 60, 100, 5_000, 9_990])
def test_of_an_endless_line_only_the_part_that_matters_is_shown(start: int) -> None:
    found = shown(f"{'a' * (start - 1)}HERE{'b' * 10_000}"[:10_000], start, start + 4)
    assert len(found.line) <= 126
    at = found.carets.index("^")
    assert found.line[at : at + 4] == "HERE"
    assert found.carets.strip() == "^^^^"


def test_carets_end_where_the_shown_part_ends() -> None:
    assert shown("x" * 10_000, 1, 10_001).carets == "^" * 120


def test_of_several_lines_the_first_is_shown() -> None:
    text = SourceText("a:\n  b: 1\n  c: 2")
    assert excerpt(text, Region("x", 2, 3, 3, 7)) == Excerpt("  b: 1", "  ^^^^")
    assert excerpt(text, Region("x", 3, 3, 3, 7)) == Excerpt("  c: 2", "  ^^^^")


def test_thousands_of_findings_in_a_file_without_line_breaks() -> None:
    text = SourceText("x" * 20_000_000)
    # Copying the line for each would be 400 GB.
    for column in range(1, 20_000_000, 1_000):
        assert len(excerpt(text, Region("x", 1, column, 1, column + 5)).line) <= 126
