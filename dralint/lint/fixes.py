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
from dralint.yamltext.operations import Edit, InsertDocument, Operation, Put, Remove, Rename, Replace, Wrap
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


class _Piece(NamedTuple):
    """A text to patch that holds an object: its documents, the number and the path of the object there.

    offset  of the text in the file
    """

    text: SourceText
    documents: Sequence[Document]
    number: int
    path: Path
    offset: int


def stands_alone(obj: KubeObject) -> bool:
    """Whether the object is an item of a list on which nothing else in the list can depend."""
    return bool(obj.path) and "&" not in obj.file.text.text[obj.node.start : obj.node.end]


def _item(obj: KubeObject) -> _Piece | None:
    """The item of a list alone, behind as many blanks as stand before it; None where it does not stand alone."""
    text = obj.file.text
    line = text.text.rfind("\n", 0, obj.node.start) + 1
    blanks = " " * (0 if obj.node.style else obj.node.start - line)
    own = blanks + text.text[obj.node.start : obj.node.end]
    if not obj.node.style:
        # To the end of its last line, where a comment may stand.
        own = own.rstrip()
        last = obj.node.start + len(own) - len(blanks)
        own += text.text[last : text.text.find("\n", last) + 1 or None]
    documents = compose(own)
    if len(documents) != 1 or documents[0].root is None:
        return None
    return _Piece(SourceText(own, text.encoding), documents, 0, (), obj.node.start - len(blanks))


# A document has several findings, which follow each other.
@lru_cache(maxsize=4)
def _document(file: ParsedFile, index: int) -> _Piece:
    """A document of the file alone, where it can be; the path is open."""
    text, document = file.text, file.documents[index]
    own = text.text[document.start : document.end]
    documents = compose(own)
    if len(documents) == 1 and documents[0].root is not None:
        return _Piece(SourceText(own, text.encoding), documents, 0, (), document.start)
    return _Piece(text, file.documents, index, (), 0)


def _piece(obj: KubeObject, *, alone: bool) -> _Piece:
    """What is patched: the object's document alone, or of a list the item alone if it may be.

    What a check of the result costs must not grow with the file.
    """
    if alone and stands_alone(obj) and (found := _item(obj)) is not None:
        return found
    return _document(obj.file, obj.document)._replace(path=obj.path)


def _there(each: Operation, obj: KubeObject, piece: _Piece) -> Operation:
    """The operation on the piece; raises ValueError for one outside of the object."""
    cut = len(obj.path) - len(piece.path)
    if not cut:
        return each._replace(document=piece.number)
    if isinstance(each, InsertDocument | Wrap) or each.path[:cut] != obj.path[:cut]:
        raise ValueError(each)
    return each._replace(document=piece.number, path=each.path[cut:])


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


def text_edits(obj: KubeObject, operations: Sequence[Operation], *, alone: bool = False) -> Edits:
    """What the operations do to the object's file; no edits when they cannot be made safely there.

    alone: look at no more than the item of a list, where the whole is patched and checked later
    """
    if obj.template or not operations:
        return Edits(())
    from dralint.yamltext.patch import patch

    piece = _piece(obj, alone=alone)
    try:
        group = [_there(each, obj, piece) for each in operations]
    except ValueError:
        piece = _piece(obj, alone=False)
        group = [_there(each, obj, piece) for each in operations]
    patched = patch(piece.text, piece.documents, [group])
    if patched.refusals:
        return Edits(())
    return Edits(
        tuple(
            TextEdit(each.start + piece.offset, each.end + piece.offset, each.text) for each in patched.edits
        ),
        _loses_comment(piece.text.text, patched.text, patched.edits),
    )
