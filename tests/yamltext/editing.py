"""Short names for the tests of edits: text in, operations, text out."""

from __future__ import annotations

from dralint.yamltext.compose import compose
from dralint.yamltext.operations import Append, Insert, InsertDocument, Put, Remove, Rename, Replace, Wrap
from dralint.yamltext.patch import patch
from dralint.yamltext.text import SourceText


def remove(*path, document=0):
    return Remove(document, path)


def put(path, key, value, *, document=0, after=None, before=None):
    return Put(document, tuple(path), key, value, after, before)


def append(path, value, *, document=0):
    return Append(document, tuple(path), value)


def insert(path, index, value, *, document=0):
    return Insert(document, tuple(path), index, value)


def replace(path, value, *, document=0):
    return Replace(document, tuple(path), value)


def rename(path, key, *, document=0):
    return Rename(document, tuple(path), key)


def new_document(value, *, document=0, comments=()):
    return InsertDocument(document, value, comments)


def wrap(wrapper):
    return Wrap(0, wrapper)


def patched(text, *groups):
    """What `patch` gives; a group is a list of operations or one operation."""
    lists = [group if isinstance(group, list) else [group] for group in groups]
    return patch(SourceText(text), compose(text), lists)


def changed(text, *operations):
    """The new text after one group, which must not be refused."""
    result = patched(text, list(operations))
    assert result.refusals == []
    return result.text


def refused(text, *operations):
    """Why one group is refused: the reason and the rest of the line it points to; nothing else changes."""
    result = patched(text, list(operations))
    assert result.text == text
    assert result.edits == []
    (refusal,) = result.refusals
    return refusal.what, text[refusal.offset :].partition("\n")[0]
