"""Load a YAML data file of dralint or of a team as plain data, with the same reader as manifests."""

from __future__ import annotations

import functools

from dralint.errors import InputError, Place, RuleError
from dralint.yamltext.compose import Document, compose
from dralint.yamltext.node import MAP, SEQ, Node
from dralint.yamltext.text import SourceText, decode
from dralint.yamltext.view import Plain, TooLarge, duplicates, plain

# Far above any data file; keeps an alias bomb in somebody's rule directory from filling the memory.
_MAX_DATA_NODES = 200_000


def _first_duplicate(root: Node) -> tuple[str, Node] | None:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.kind == MAP and (lost := duplicates(node)):
            return lost[0]
        if node.kind in (MAP, SEQ):
            waiting.extend(node.items)
    return None


def _only_document(text: SourceText, path: str) -> Document | None:
    written = [each for each in compose(text.text) if each.root is not None or each.problem]
    for document in written:
        if document.template:
            place = Place(path, *text.position(document.start))
            raise RuleError("a template with `{{` is not data", place, "quote what holds the braces")
        if document.problem:
            place = Place(path, *text.position(document.problem.offset))
            raise RuleError(f"not valid YAML: {document.problem.what}", place)
    if len(written) > 1:
        place = Place(path, *text.position(written[1].start))
        raise RuleError("a second document starts here, one is expected", place, "split the file")
    return written[0] if written else None


@functools.cache
def load_data(path: str) -> Plain:
    """The only document of a YAML or JSON file; None for an empty file.

    The result is cached and shared: do not change it. Raises RuleError with file, line and column
    for a file that is missing, is not text, is not valid YAML, holds several documents or a
    mapping with a key twice.
    """
    try:
        with open(path, "rb") as file:
            text = decode(file.read(), path)
    except OSError as error:
        raise RuleError(f"cannot be read: {error.strerror}", Place(path)) from None
    except InputError as error:
        raise RuleError(error.what, error.place, error.advice) from None
    document = _only_document(text, path)
    if document is None or document.root is None:
        return None
    repeated = _first_duplicate(document.root)
    if repeated:
        name, node = repeated
        raise RuleError(
            f"the key {name!r} stands twice in one mapping", Place(path, *text.position(node.start))
        )
    try:
        return plain(document.root, _MAX_DATA_NODES)
    except TooLarge:
        raise RuleError(
            f"the file holds, or its aliases make, more than {_MAX_DATA_NODES:,} keys and values", Place(path)
        ) from None
