"""The check after every edit: the new text parses to what was meant, and nothing else changed."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from dralint.errors import InternalError
from dralint.yamltext.compose import Document, compose, composed
from dralint.yamltext.events import MAX_DEPTH, MAX_EVENTS, TOO_MANY
from dralint.yamltext.node import SCALAR
from dralint.yamltext.operations import Edit
from dralint.yamltext.piece import Refused
from dralint.yamltext.tree import subtree
from dralint.yamltext.view import Plain, plain

_COMMENT_LINE = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)


class Expected(NamedTuple):
    """A document of the new text.

    old    the document it was, None for an inserted one
    value  makes the object it must parse to; None: no operation changes it, its text must be as it was
    """

    old: Document | None
    value: Callable[[], Plain] | None


def same(one: Plain, other: Plain) -> bool:
    """Whether two plain values are equal, `1`, `1.0`, `"1"` and `true` told apart."""
    waiting: list[tuple[Plain, Plain]] = [(one, other)]
    while waiting:
        left, right = waiting.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, dict) and isinstance(right, dict):
            if left.keys() != right.keys():
                return False
            waiting.extend((value, right[key]) for key, value in left.items())
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return False
            waiting.extend(zip(left, right, strict=True))
        elif left != right:
            return False
    return True


def _comments(text: str, document: Document) -> Counter[str]:
    """The comments of a document that have lines of their own."""
    found: Counter[str] = Counter()
    if text.find("#", document.start, document.end) < 0:
        return found
    scalars = [node for node in subtree(document.root) if node.kind == SCALAR] if document.root else []
    spans = sorted((each.start, each.end) for each in scalars if "\n" in text[each.start : each.end])
    for match in _COMMENT_LINE.finditer(text, document.start, document.end):
        before = bisect_left(spans, (match.start(),)) - 1
        if before < 0 or match.start() >= spans[before][1]:
            found[match.group().strip()] += 1
    return found


class _Proof:
    """What need not be parsed of a new text: documents that stand as they were, and JSON that says what it must.

    Kubernetes reads a document that begins with a brace as JSON first. Python's JSON parser takes a tenth of the
    time; whatever it does not confirm is parsed as everything else.
    """

    def __init__(self, old: str, new: str, expected: Sequence[Expected]) -> None:
        self._expected = expected
        self._untouched = {
            old[each.old.start : each.old.end] for each in expected if each.old and not each.value
        }
        # Every event takes a character, so that a shorter text can always be read.
        self._json = new[:1] == "{" and len(new) <= MAX_EVENTS and "\n---" not in new
        self.asked = 0
        self.proved = False

    def wanted(self, text: str) -> bool:
        """Whether a document, the next one, has to be parsed."""
        self.asked += 1
        if text in self._untouched:
            return False
        if self._json and self.asked == 1 == len(self._expected):
            value = self._expected[0].value
            self.proved = value is not None and _is_json_of(text, value)
        return not self.proved


def _once(pairs: list[tuple[str, Plain]]) -> dict[str, Plain]:
    """The members of a JSON object; raises ValueError for a key that stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("twice")
    return found


def _depth(value: Plain) -> int:
    """How many collections stand in each other."""
    depth = 0
    level: list[Plain] = [value]
    while level:
        inner = [each for each in level if isinstance(each, (dict, list))]
        level = [child for each in inner for child in (each.values() if isinstance(each, dict) else each)]
        depth += bool(inner)
    return depth


def _is_json_of(text: str, value: Callable[[], Plain]) -> bool:
    """Whether a text is JSON for the value, nothing unusual in it."""
    try:
        read = json.loads(text, object_pairs_hook=_once)
        return same(read, value()) and _depth(read) <= MAX_DEPTH
    except (ValueError, RecursionError):
        return False


def check(old: str, new: str, edits: Sequence[Edit], expected: Sequence[Expected]) -> None:
    """Raise InternalError unless `new` is `old` with the edits and means what is expected.

    Raises Refused where `new` is more than can be read.
    """
    check_outside(old, new, edits)
    proof = _Proof(old, new, expected)
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    wrong: InternalError | None = None
    count = 0
    # One document after the other, so that not all the new ones are in memory at once.
    for document in composed(new, wanted=proof.wanted):
        if document.problem and document.problem.what == TOO_MANY:
            raise Refused("the file would become too large to be read", len(old))
        meant = expected[count] if count < len(expected) else None
        count += 1
        if proof.proved:
            continue
        if meant and not wrong:
            try:
                _check_document(old, new, document, meant)
            except InternalError as error:
                # Another number of documents says more about what went wrong.
                wrong = error
            if meant.value:
                after.update(_comments(new, document))
                if meant.old:
                    before.update(_comments(old, meant.old))
    if count != len(expected):
        raise InternalError(f"an edit made {count} documents where {len(expected)} were meant")
    if wrong:
        raise wrong
    lost = before - after
    if lost:
        raise InternalError(f"an edit lost the comment {min(lost)!r}")


def _check_document(old: str, new: str, document: Document, meant: Expected) -> None:
    if meant.value:
        _check_value(new, document, meant.value)
    elif meant.old and new[document.start : document.end] != old[meant.old.start : meant.old.end]:
        raise InternalError("an edit changed a document that it was not meant to change")


def _check_value(new: str, document: Document, value: Callable[[], Plain]) -> None:
    read = document
    if document.root is None and document.problem is None:
        # It became equal to a document that needs no check.
        read = compose(new[document.start : document.end])[0]
    if read.problem or read.template or read.root is None:
        what = read.problem.what if read.problem else "it is empty or a template"
        raise InternalError(f"an edit made a document that cannot be read: {what}")
    if not same(plain(read.root), value()):
        raise InternalError("an edit made a document that says something else than was meant")


def check_outside(old: str, new: str, edits: Sequence[Edit]) -> None:
    """Raise InternalError unless `new` is `old` but for the edits."""
    position_old = position_new = 0
    for edit in edits:
        kept = edit.start - position_old
        if kept < 0 or old[position_old : edit.start] != new[position_new : position_new + kept]:
            raise InternalError("the text before an edit changed")
        position_old, position_new = edit.end, position_new + kept + len(edit.text)
        if new[position_new - len(edit.text) : position_new] != edit.text:
            raise InternalError("an edit is not in the new text")
    if old[position_old:] != new[position_new:]:
        raise InternalError("the text after the last edit changed")
