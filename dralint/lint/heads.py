"""The heads of the rules that come with dralint, read line by line: a run parses only the rules it needs.

A rule none of whose words stands in the input costs the reading of its file and no more. Tests compare
every head with the whole rule.
"""

from __future__ import annotations

import re
from functools import cache

from dralint.lint.rule import Head

# Examples are most of a rule file and the last key of it (tests check that): checking skips them.
EXAMPLES = b"\nexamples:"
# What needs no YAML parser: words without quotes, or in quotes and without escapes and commas.
_WORD = re.compile(r"""([A-Za-z][\w./-]*)|"([^"\\,]*)"|'([^',]*)'""")


class _Unusual(Exception):
    """A line that is written so that it takes a parser."""


def _line(data: bytes, key: str, end: int) -> str | None:
    """What stands after a key of the file, on its line; None where the key is not there."""
    mark = f"\n{key}:".encode()
    start = data.find(mark, 0, end)
    if start < 0:
        return None
    start += len(mark)
    return data[start : data.find(b"\n", start)].decode().strip()


def _word(text: str | None) -> str:
    match = _WORD.fullmatch(text or "")
    if match is None:
        raise _Unusual
    return match[match.lastindex or 0]


def _words(text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    if text[:1] != "[" or text[-1:] != "]":
        raise _Unusual
    return tuple(_word(each.strip()) for each in text[1:-1].split(","))


@cache
def head(file: str) -> Head | None:
    """The head of a rule file of dralint's own; None where it is written in an unusual way."""
    with open(file, "rb") as opened:
        data = b"\n" + opened.read()
    end = data.find(EXAMPLES)
    if end < 0:
        return None
    try:
        return Head(
            _word(_line(data, "id", end)),
            _word(_line(data, "name", end)),
            _word(_line(data, "layer", end)),
            _words(_line(data, "words", end)),
            _words(_line(data, "marks", end)),
            file,
        )
    except _Unusual:
        return None
