"""What a terminal would obey is shown instead."""

from __future__ import annotations

import pytest

from dralint.report.escape import escape


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("nvidia.com/gpu", "nvidia.com/gpu"),
        ("größer 模型 🚀", "größer 模型 🚀"),
        ("a\nb\rc\td", "a\\nb\\rc\\td"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("a\u202eb\u2028c\u200d", "a\\u202eb\\u2028c\\u200d"),
        ("\U000e0001", "\\U000e0001"),
        ("\udcff", "\\udcff"),
        ("", ""),
    ],
)
def test_escape(text: str, shown: str) -> None:
    assert escape(text) == shown
    assert escape(text).isprintable()
