"""Where code stands in an expression's text, and where strings and comments.

Source: cel-spec doc/langdef.md, "Syntax".
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*)
    |(?P<string>
        (?:[bB][rR]?|[rR][bB]?)?
        (?:(?<=[rR])(?:\"{3}.*?\"{3}|'{3}.*?'{3}|\"[^\"\n]*\"|'[^'\n]*')
          |(?<![rR])(?:\"{3}(?:\\.|[^\\])*?\"{3}|'{3}(?:\\.|[^\\])*?'{3}|\"(?:\\.|[^\\\"\n])*\"|'(?:\\.|[^\\'\n])*')))
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<sign>&&|\|\||[^\s\w])
    |(?P<number>\w+)""",
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """A piece of code: name, number or sign. Strings have an empty text, comments are left out."""

    text: str
    start: int
    end: int


def tokens(expression: str) -> list[Token]:
    """All tokens in order; what is no token is left out (the parser reports it)."""
    return [
        Token("" if match.lastgroup == "string" else match.group(), match.start(), match.end())
        for match in _TOKEN.finditer(expression)
        if match.lastgroup != "comment"
    ]


def blanked(expression: str, replacements: list[tuple[int, int, str]]) -> str:
    """The text with ranges replaced by shorter words, padded so that all lines and columns stay."""
    made, position = [], 0
    for start, end, word in replacements:
        old = expression[start:end]
        at = next(index for index in range(len(old)) if "\n" not in old[index : index + len(word)])
        padded = ["\n" if character == "\n" else " " for character in old]
        padded[at : at + len(word)] = word
        made += [expression[position:start], "".join(padded)]
        position = end
    return "".join([*made, expression[position:]])


def constant_tests(found: list[Token]) -> list[tuple[int, int, str]]:
    """`has(device.attributes)` and `has(device.capacity)`, which are always true.

    The type checker turns them into the variable itself, because it knows a variable of that dotted name.
    """
    texts = [token.text for token in found]
    replacements = []
    for index in range(len(found) - 5):
        window = texts[index : index + 6]
        if (
            window[:4] == ["has", "(", "device", "."]
            and window[4] in ("attributes", "capacity")
            and window[5] == ")"
        ):
            member = index > 0 and texts[index - 1] == "."
            if not member:
                replacements.append((found[index].start, found[index + 5].end, "true"))
    return replacements


def arguments(found: list[Token], opening: int) -> list[tuple[int, int]]:
    """The ranges of a call's arguments; opening: the index of the token that is its parenthesis.

    Nothing when the parenthesis is not closed.
    """
    depth, start = 0, found[opening].end
    ranges: list[tuple[int, int]] = []
    for token in found[opening:]:
        if token.text in ("(", "[", "{"):
            depth += 1
        elif token.text in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                return [*ranges, (start, token.start)]
        elif token.text == "," and depth == 1:
            ranges.append((start, token.start))
            start = token.end
    return []


def renamed_macros(found: list[Token]) -> list[tuple[int, int, str]]:
    """`exists_one` with two variables, which cel-expr-python knows by another name only."""
    return [
        (token.start, token.end, "existsOne")
        for index, token in enumerate(found[:-1])
        if token.text == "exists_one"
        and found[index + 1].text == "("
        and len(arguments(found, index + 1)) == 3
    ]
