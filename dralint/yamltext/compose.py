"""Text to documents of nodes: where each document is, and why one cannot be read."""

from __future__ import annotations

import gc
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from dralint.yamltext.colons import hide, show, usable
from dralint.yamltext.decodable import COLLECTION_KEY, problems
from dralint.yamltext.events import (
    MAX_DEPTH,
    MAX_EVENTS,
    TOO_MANY,
    Problem,
    Roots,
    Unreadable,
    read_events,
)
from dralint.yamltext.node import SCALAR, Node

__all__ = [
    "MAX_DEPTH",
    "MAX_EVENTS",
    "Document",
    "Problem",
    "collector_paused",
    "compose",
    "composed",
    "has_directive",
]

# What a document costs of MAX_EVENTS, however small: a parser of its own.
_DOCUMENT_COST = 10
# One that is not wanted.
_UNREAD_COST = 2
# And what one costs that cannot be read.
_FAILURE_COST = 200
_OTHER_VERSION = re.compile(r"^%YAML[ \t]+(?!1\.1(?:\s|\Z))", re.MULTILINE)
# kubectl drops a byte order mark where a document begins; libyaml takes it for a column of its own.
_INNER_BOM = re.compile(r"---[ \t]*(?:#[^\n]*)?\r?\n\ufeff")
_AFTER_DASHES = ("", " ", "\t", "\r", "\n")
_DOCUMENT_END = re.compile(r"^\.\.\.(?=[ \t\r\n]|\Z)[^\n]*\n?", re.MULTILINE)
_LOST = "after `...` Kubernetes reads nothing up to the next `---`"
# Characters of text that may be read again because of a colon.
_MAX_RETRIED = 8_000_000
_JSON_BLANK = re.compile(r"[ \t\r\n]*")


class Document(NamedTuple):
    """One document of a file.

    start, end  its range in the file's text; it begins with its own `---` where it has one
    root        the top node; None when the document is empty, was not wanted or cannot be read
    problem     why Kubernetes, or dralint, cannot read it, or None
    template    it did not parse, or parsed to a mapping as key, and holds `{{`: a template of
                Helm, Argo or Jinja, to be read but never edited. `root` may be there or not
    events      what it cost of MAX_EVENTS; all that documents read in one go cost, the first one has
    """

    start: int
    end: int
    root: Node | None = None
    problem: Problem | None = None
    template: bool = False
    events: int = 0


@contextmanager
def collector_paused() -> Iterator[None]:
    """Nodes have no cycles, and collecting while they are made doubles the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def has_directive(text: str) -> bool:
    """Whether some line starts with `%`: cutting such a text at its `---` lines is unsound."""
    return text.startswith("%") or "\n%" in text


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """The ranges of the documents; one range for all where a directive makes cutting unsound."""
    begin = 0
    found = -1 if has_directive(text) else text.find("\n---")
    while found >= 0:
        start = found + 1
        # A longer word is no separator; blank lines before the first one are no document.
        if text[start + 3 : start + 4] in _AFTER_DASHES and (begin or text[:start].strip()):
            yield begin, start
            begin = start
        found = text.find("\n---", start)
    yield begin, len(text)


def _parser_error(error: Exception, base: int, length: int) -> Problem:
    """Where and what of ruamel's error: parser errors carry a mark, reader errors a position."""
    context_mark = getattr(error, "context_mark", None)
    mark = getattr(error, "problem_mark", None) or context_mark
    if mark is not None:
        context = getattr(error, "context", None)
        # What is missing at the end is better shown where it began.
        if mark.index >= length and context_mark is not None:
            mark = context_mark
        what = ", ".join(part for part in (context, getattr(error, "problem", None)) if part)
        return Problem(what or "not valid YAML", base + mark.index)
    position = getattr(error, "position", None)
    reason = getattr(error, "reason", None) or str(error).splitlines()[0]
    return Problem(reason, base + (position or 0))


def _json_objects(text: str, base: int, limit: int) -> list[int]:
    """The offsets of JSON objects that follow each other without separator; [] if it is not just that."""
    import json

    decoder = json.JSONDecoder()
    starts: list[int] = []
    position = 0
    while len(starts) < limit:
        blank = _JSON_BLANK.match(text, position)
        start = blank.end() if blank else position
        if start == len(text):
            return starts
        try:
            value, position = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            return []
        if not isinstance(value, dict):
            return []
        starts.append(base + start)
    return []


class _Reader:
    """Reads the pieces of one text and counts what they cost."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.budget = MAX_EVENTS
        self.retries = _MAX_RETRIED

    def read(self, start: int, end: int, *, json_object: bool = False) -> Iterator[Document]:
        """The documents in [start, end); of JSON the tabs that may follow it are not looked at."""
        from ruamel.yaml.error import YAMLError

        self.budget -= _DOCUMENT_COST
        piece = self.text[start:end]
        if json_object:
            piece = piece.rstrip(" \t\r\n")
        bom = _INNER_BOM.match(piece) if "\ufeff" in piece else None
        skipped = bom.end() if bom else 0
        try:
            found = self._events(piece[skipped:], start + skipped)
        except Unreadable as error:
            self.budget -= error.events + _FAILURE_COST
            yield Document(start, end, None, error.problem)
            return
        except YAMLError as error:
            problem = _parser_error(error, start + skipped, len(piece) - skipped)
            # The events up to there were not counted; eight characters make one.
            self.budget -= _FAILURE_COST + (problem.offset - start) // 8
            yield from self._unreadable(start, end, problem)
            return
        self.budget -= found.events
        if not found.roots:
            yield Document(start, end)
            return
        yield from self._documents(piece, start, end, found)

    def _documents(self, piece: str, start: int, end: int, found: Roots) -> Iterator[Document]:
        """The documents of a piece that parses, each with what Kubernetes has against it."""
        wrong = sorted(problems(piece, found), key=lambda each: each.offset)
        other_version = _OTHER_VERSION.search(piece) if "%YAML" in piece else None
        if other_version:
            wrong = [Problem("Kubernetes reads YAML 1.1 only", start + other_version.start())]
        offsets = [each.offset for each in wrong]
        braces = "{{" in piece
        begins = [start, *(offset for _, offset in found.roots[1:]), end]
        for index, (root, _) in enumerate(found.roots):
            begin, stop = begins[index], begins[index + 1]
            mine = wrong[bisect_left(offsets, begin) : bisect_left(offsets, stop)]
            template = braces and any(each.what == COLLECTION_KEY for each in mine)
            problem = mine[0] if mine and not template else None
            empty = root is not None and root.kind == SCALAR and root.start == root.end
            events = 0 if index else found.events + _DOCUMENT_COST
            yield Document(begin, stop, None if problem or empty else root, problem, template, events)

    def _events(self, piece: str, base: int) -> Roots:
        """The nodes of a piece; colons that only libyaml minds are hidden from it, one word a try."""
        from ruamel.yaml.error import YAMLError

        hidden = piece
        while True:
            try:
                found = read_events(hidden, base, max(self.budget, 0))
            except YAMLError as error:
                masked = hide(hidden, error) if usable(piece) and self.retries > 0 else None
                if masked is None:
                    raise
                hidden, offset = masked
                self.retries -= max(offset, len(piece) // 50)
            else:
                if hidden is not piece:
                    show([root for root, _ in found.roots if root])
                return found

    def _unreadable(self, start: int, end: int, problem: Problem) -> Iterator[Document]:
        """What can be said of a piece that does not parse: perhaps it is several documents."""
        piece = self.text[start:end]
        if piece.lstrip()[:1] == "{":
            objects = _json_objects(piece, start, self.budget // _DOCUMENT_COST)
            if len(objects) > 1:
                for begin, stop in zip([start, *objects[1:]], [*objects[1:], end], strict=True):
                    yield from self.read(begin, stop, json_object=True)
                return
        if problem.what.endswith("<document start>"):
            ends = [
                found.end()
                for found in _DOCUMENT_END.finditer(piece)
                if start + found.end() <= problem.offset
            ]
            if ends and ends[-1] < len(piece):
                yield from self.read(start, start + ends[-1])
                yield Document(start + ends[-1], end, None, Problem(_LOST, problem.offset))
                return
        yield Document(start, end, None, problem, "{{" in piece)


def compose(text: str, wanted: Callable[[str], bool] | None = None) -> list[Document]:
    """All documents of a text, in order; they cover it from end to end.

    A document that does not parse costs only itself. `wanted` gets each document's text; one for
    which it is false is not parsed (root None, problem None). From MAX_EVENTS on the rest of the
    text is one document with a problem.
    """
    with collector_paused():
        return list(composed(text, wanted))


def composed(text: str, wanted: Callable[[str], bool] | None = None) -> Iterator[Document]:
    """The documents of `compose`, each read only when it is asked for."""
    reader = _Reader(text)
    for start, end in _pieces(text):
        if reader.budget <= 0:
            yield Document(start, len(text), None, Problem(TOO_MANY, start))
            return
        if wanted is not None and not wanted(text[start:end]):
            yield Document(start, end, events=_UNREAD_COST)
            reader.budget -= _UNREAD_COST
        else:
            yield from reader.read(start, end)
