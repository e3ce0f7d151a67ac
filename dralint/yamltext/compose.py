"""Text to documents of nodes, on the events of ruamel.yaml's C parser.

Why not ruamel's own composer: it loses the spans of aliases, refuses anchors that are defined
twice, costs four times as much, and crashes the process on deep nesting.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from dralint.yamltext.node import ALIAS, MAP, SCALAR, SEQ, Node

MAX_DEPTH = 200
_SEPARATOR = re.compile(r"^---(?=[ \t\r\n]|\Z)", re.MULTILINE)
_DIRECTIVE = re.compile(r"^%", re.MULTILINE)


class Problem(NamedTuple):
    """Why a document could not be read: a sentence without a full stop, and the offset."""

    what: str
    offset: int


class Document(NamedTuple):
    """One document of a file.

    start, end  its range in the file's text; it begins with its own `---` where it has one
    root        the top node; None when the document is empty, was not wanted or did not parse
    problem     why it did not parse, or None
    template    it did not parse, or parsed to a mapping as key, and holds `{{`: a template of
                Helm, Argo or Jinja, to be read but never edited. `root` may be there or not
    """

    start: int
    end: int
    root: Node | None = None
    problem: Problem | None = None
    template: bool = False


class _Unreadable(Exception):
    def __init__(self, what: str, offset: int) -> None:
        super().__init__(what)
        self.problem = Problem(what, offset)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Nodes have no cycles, and collecting while they are made doubles the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _parser_error(error: Exception, base: int) -> Problem:
    """Where and what of ruamel's error: parser errors carry a mark, reader errors a position."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        context = getattr(error, "context", None)
        what = ", ".join(part for part in (context, getattr(error, "problem", None)) if part)
        return Problem(what or "not valid YAML", base + mark.index)
    position = getattr(error, "position", None)
    reason = getattr(error, "reason", None) or str(error).splitlines()[0]
    return Problem(reason, base + (position or 0))


def _roots(text: str, base: int) -> list[tuple[Node | None, int]]:
    """The root nodes of a piece of text, each with the offset where its document starts."""
    from _ruamel_yaml import CParser

    parser = CParser(text)
    next_event = parser.get_event
    roots: list[tuple[Node | None, int]] = []
    root: Node | None = None
    document_start = base
    stack: list[Node] = []
    items: list[Node] | None = None
    anchors: dict[str, Node] = {}
    open_anchors: list[str | None] = []
    while True:
        event: Any = next_event()
        kind = type(event).__name__
        if kind == "ScalarEvent":
            node = Node(
                SCALAR,
                event.value,
                (),
                base + event.start_mark.index,
                base + event.end_mark.index,
                event.style or "",
                event.anchor,
                _tag(event),
            )
            if node.anchor is not None:
                anchors[node.anchor] = node
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            mapping = kind == "MappingStartEvent"
            start = base + event.start_mark.index
            style = ("{" if mapping else "[") if event.flow_style else ""
            children: list[Node] = []
            node = Node(MAP if mapping else SEQ, "", children, start, start, style, event.anchor, _tag(event))
            if items is None:
                root = node
            else:
                items.append(node)
            stack.append(node)
            if len(stack) > MAX_DEPTH:
                raise _Unreadable(f"nested more than {MAX_DEPTH} levels deep", start)
            open_anchors.append(node.anchor)
            if node.anchor is not None:
                anchors[node.anchor] = node
            items = children
            continue
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            node = stack.pop()
            open_anchors.pop()
            node.end = base + event.end_mark.index
            items = stack[-1].items if stack else None  # type: ignore[assignment]
            continue
        elif kind == "AliasEvent":
            start = base + event.start_mark.index
            target = anchors.get(event.anchor)
            if target is None:
                raise _Unreadable(f"alias *{event.anchor} has no anchor before it", start)
            if target.kind != SCALAR and event.anchor in open_anchors:
                raise _Unreadable(f"alias *{event.anchor} stands inside its own anchor", start)
            node = Node(ALIAS, event.anchor, (target,), start, base + event.end_mark.index, "")
        elif kind == "DocumentStartEvent":
            root, items, anchors = None, None, {}
            document_start = base + event.start_mark.index
            continue
        elif kind == "DocumentEndEvent":
            roots.append((root, document_start))
            continue
        elif kind == "StreamEndEvent":
            return roots
        else:
            continue
        if items is None:
            root = node
        else:
            items.append(node)


def _tag(event: Any) -> str | None:
    tag = event.ctag
    return str(tag) if tag is not None and str(tag) else None


def _has_collection_key(root: Node) -> bool:
    """Whether a mapping or sequence is used as a key, as `{{ .Values.x }}` parses."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind == MAP:
            if any(key.kind in (MAP, SEQ) for key in node.items[::2]):
                return True
        elif node.kind != SEQ:
            continue
        stack.extend(child for child in node.items if child.kind in (MAP, SEQ))
    return False


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """The ranges of the documents; one range for all where a directive makes cutting unsound."""
    if _DIRECTIVE.search(text):
        yield 0, len(text)
        return
    starts = [match.start() for match in _SEPARATOR.finditer(text)]
    if not starts or text[: starts[0]].strip():
        starts.insert(0, 0)
    else:
        starts[0] = 0
    yield from zip(starts, [*starts[1:], len(text)], strict=True)


def _read_piece(text: str, start: int, end: int) -> list[Document]:
    from ruamel.yaml.error import YAMLError

    piece = text[start:end]
    try:
        roots = _roots(piece, start)
    except _Unreadable as error:
        return [Document(start, end, None, error.problem)]
    except YAMLError as error:
        return [Document(start, end, None, _parser_error(error, start), "{{" in piece)]
    braces = "{{" in piece
    if not roots:
        return [Document(start, end)]
    starts = [start, *(offset for _, offset in roots[1:])]
    return [
        Document(begin, stop, root, None, braces and root is not None and _has_collection_key(root))
        for (root, _), begin, stop in zip(roots, starts, [*starts[1:], end], strict=True)
    ]


def compose(text: str, wanted: Callable[[str], bool] | None = None) -> list[Document]:
    """All documents of a text, in order; they cover it from end to end.

    A document that does not parse costs only itself. `wanted` gets each document's text; one for
    which it is false is not parsed (root None, problem None).
    """
    documents: list[Document] = []
    with _collector_paused():
        for start, end in _pieces(text):
            if wanted is not None and not wanted(text[start:end]):
                documents.append(Document(start, end))
            else:
                documents.extend(_read_piece(text, start, end))
    return documents
