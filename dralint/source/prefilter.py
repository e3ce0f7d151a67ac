"""Is a file, or a document of it, worth parsing? Decided on bytes, before any YAML is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_ESCAPE = re.compile(
    rb"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([/ ])|\r?\n[ \t]*)",
)
_MARKS = (b"\\x", b"\\u", b"\\U", b"\\/", b"\\ ", b"\\\n", b"\\\r")
_DEFINED = "CustomResourceDefinition"
_DEFINITION = re.compile(rf"""^kind:[ \t]*(["']?){_DEFINED}\1[ \t]*(?:#.*)?\r?$""", re.MULTILINE)


def _character(match: re.Match[bytes]) -> bytes:
    digits = match[1] or match[2] or match[3]
    if digits is None:
        return match[4] or b""
    code = int(digits, 16)
    return bytes((code,)) if code < 128 else b"?"


def _unescaped(data: bytes) -> bytes | None:
    """The bytes with the escapes of double-quoted scalars undone; None where there are none.

    Not a parse: what looks like an escape elsewhere is undone as well, which costs at most a
    needless parse.
    """
    if b"\\" in data and any(mark in data for mark in _MARKS):
        return _ESCAPE.sub(_character, data)
    return None


def relevant(data: bytes, words: Sequence[bytes]) -> bool:
    """Whether a file may hold one of the words, plainly, in UTF-16 or written with escapes."""
    for word in words:
        if word in data:
            return True
    return disguised(data, words)


def undisguised(data: bytes) -> Sequence[bytes]:
    """What a file says that is in UTF-16 or written with escapes; nothing for other files."""
    found = []
    if b"\0" in data:
        # UTF-16, with a byte order mark or without one: the words are ASCII, every other byte is zero.
        data = data.replace(b"\0", b"")
        found.append(data)
    unescaped = _unescaped(data)
    return found if unescaped is None else [*found, unescaped]


def disguised(data: bytes, words: Sequence[bytes]) -> bool:
    """Whether a file may hold one of the words in UTF-16 or written with escapes."""
    return any(word in said for said in undisguised(data) for word in words)


def document_filter(words: Sequence[bytes]) -> Callable[[str], bool]:
    """A test on a document's text for `compose`: it holds a word and defines no custom resource.

    Bundles of definitions have megabytes of schema text that names every pod field.
    """
    names = [word.decode() for word in words]

    def holds(text: str) -> bool:
        # A plain loop: a text of a million documents makes half of its time here with a generator.
        for name in names:
            if name in text:
                return True
        # Backslashes are rare in manifests; only they make the exact test worth its copy.
        return "\\" in text and relevant(text.encode(), words)

    def wanted(text: str) -> bool:
        found = holds(text)
        # A text that could not be cut into its documents may hold other kinds beside a definition.
        if found and _DEFINED in text and "\n---" not in text:
            return not _DEFINITION.search(text)
        # What can be no YAML is handed on, so that it is reported and not passed over.
        return found or "\0" in text

    return wanted
