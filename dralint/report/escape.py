"""Text from files made safe to show: no terminal escapes, no forged lines, no hidden direction marks."""

from __future__ import annotations

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def escape(text: str) -> str:
    """The text in one line, with backslash escapes for all that a terminal would not print as itself.

    Names of files that are not UTF-8 come with lone surrogates; they are escaped, too.
    """
    if text.isprintable():
        return text
    return "".join(map(_escaped, text))
