"""Colons inside unquoted flow scalars: `{image: nginx:1.2}`, `[http://host]`, `{cpu:1}`.

Kubernetes' parser takes such a colon for text, libyaml refuses it. It is hidden behind a character
of the same width while libyaml reads, so that all offsets stay right.
"""

from __future__ import annotations

import re

from dralint.yamltext.node import ALIAS, SCALAR, Node

# Printable for libyaml, and private: no manifest means anything by it.
_MASK = "\ue000"
_MORE = re.compile(r":(?=[^\s,\[\]{}?][^\s,\[\]{}?:]*)")
_WORD = re.compile(r"[^\s,\[\]{}?]*")


def hide(text: str, error: Exception) -> tuple[str, int] | None:
    """The text with the colon hidden that a parser's error is about, and its offset.

    None for another error.
    """
    mark = getattr(error, "problem_mark", None)
    if mark is None or getattr(error, "problem", None) != "found unexpected ':'" or text[mark.index] != ":":
        return None
    word = _WORD.match(text, mark.index)
    end = word.end() if word else mark.index + 1
    # The last colon of the word may end a key.
    hidden = _MASK + _MORE.sub(_MASK, text[mark.index + 1 : end])
    return text[: mark.index] + hidden + text[end:], mark.index


def usable(text: str) -> bool:
    """Whether the character that hides colons does not occur by itself."""
    return _MASK not in text


def show(roots: list[Node]) -> None:
    """Put the hidden colons back into the values of scalars."""
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if node.kind == SCALAR:
            if _MASK in node.text:
                node.text = node.text.replace(_MASK, ":")
        elif node.kind != ALIAS:
            waiting.extend(node.items)
