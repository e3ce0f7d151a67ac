"""A finding's fix as text edits, made and checked by yamltext.patch on the finding's document alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dralint.kube.objects import KubeObject
from dralint.lint.finding import TextEdit
from dralint.yamltext.compose import Document, compose
from dralint.yamltext.operations import Operation, Put, Remove, Rename, Replace
from dralint.yamltext.text import SourceText
from dralint.yamltext.view import Path


def operation(data: Mapping[str, Any], document: int, path: Path) -> Operation:
    """The operation of a rule file, whose path has been resolved."""
    if "rename" in data:
        return Rename(document, path, data["to"])
    if "remove" in data:
        return Remove(document, path)
    if "replace" in data:
        return Replace(document, path, data["value"])
    return Put(document, path, data["key"], data["value"])


def _piece(obj: KubeObject) -> tuple[SourceText, list[Document], int, int]:
    """The text and documents to patch, the object's index among them, and the text's offset in the file.

    The document alone: what a check of the result costs must not grow with the file.
    """
    text, document = obj.file.text, obj.file.documents[obj.document]
    own = text.text[document.start : document.end]
    documents = compose(own)
    if len(documents) == 1 and documents[0].root is not None:
        return SourceText(own, text.encoding), documents, 0, document.start
    return text, obj.file.documents, obj.document, 0


def text_edits(obj: KubeObject, operations: Sequence[Operation]) -> tuple[TextEdit, ...]:
    """The edits of the object's file; none when they cannot be made safely there."""
    if obj.template or not operations:
        return ()
    from dralint.yamltext.patch import patch

    source, documents, index, offset = _piece(obj)
    group = [each._replace(document=index) for each in operations]
    patched = patch(source, documents, [group])
    if patched.refusals:
        return ()
    return tuple(TextEdit(edit.start + offset, edit.end + offset, edit.text) for edit in patched.edits)
