"""A finding's fix as text edits, made and checked by yamltext.patch on the finding's document alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from dralint.kube.objects import KubeObject, ParsedFile
from dralint.lint.finding import TextEdit
from dralint.yamltext.comments import comments
from dralint.yamltext.compose import Document, compose
from dralint.yamltext.operations import Edit, Operation, Put, Remove, Rename, Replace
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


# A document has several findings, which follow each other.
@lru_cache(maxsize=4)
def _piece(file: ParsedFile, index: int) -> tuple[SourceText, list[Document], int, int]:
    """The text and documents to patch, the document's index among them, and the text's offset in the file.

    The document alone: what a check of the result costs must not grow with the file.
    """
    text, document = file.text, file.documents[index]
    own = text.text[document.start : document.end]
    documents = compose(own)
    if len(documents) == 1 and documents[0].root is not None:
        return SourceText(own, text.encoding), documents, 0, document.start
    return text, file.documents, index, 0


def _comments(text: str) -> Counter[str]:
    return Counter(
        text[each.start : each.end].rstrip()
        for document in compose(text)
        for each in comments(text, document)
    )


def _loses_comment(text: str, new: str, edits: Sequence[Edit]) -> bool:
    """Whether a comment of the text is not in the new one, wherever it stands there."""
    if not any("#" in text[edit.start : edit.end] for edit in edits):
        return False
    return bool(_comments(text) - _comments(new))


class Edits(NamedTuple):
    """Edits of the object's file; `loses_comment`: the comment of a line goes with them."""

    edits: tuple[TextEdit, ...]
    loses_comment: bool = False


def text_edits(obj: KubeObject, operations: Sequence[Operation]) -> Edits:
    """What the operations do to the object's file; no edits when they cannot be made safely there."""
    if obj.template or not operations:
        return Edits(())
    from dralint.yamltext.patch import patch

    source, documents, index, offset = _piece(obj.file, obj.document)
    group = [each._replace(document=index) for each in operations]
    patched = patch(source, documents, [group])
    if patched.refusals:
        return Edits(())
    return Edits(
        tuple(TextEdit(edit.start + offset, edit.end + offset, edit.text) for edit in patched.edits),
        _loses_comment(source.text, patched.text, patched.edits),
    )
