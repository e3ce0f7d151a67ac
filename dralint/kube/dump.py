"""A cluster's dump, as `kubectl get ... -o yaml|json` prints it: a List of live objects, read one by one.

Ten thousand workloads are 60 MB of text: their nodes together would take gigabytes. So each item is a text
of its own, without what nobody reads (`status`, `managedFields`); an edit of it is an edit of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dralint.errors import InputError, Place
from dralint.kube.objects import ParsedFile, Whole
from dralint.kube.read import parse_text
from dralint.source.file import SourceFile
from dralint.source.prefilter import document_filter
from dralint.yamltext.compose import compose
from dralint.yamltext.excerpt import Excerpt
from dralint.yamltext.items import Listed, Span, block_items, json_items, members
from dralint.yamltext.node import MAP, SCALAR
from dralint.yamltext.text import SourceText, decode
from dralint.yamltext.view import get, string

# What the API server and controllers write into an object, and nobody reads here: where it stands.
_STATUS, _MANAGED = ("status",), ("metadata", "managedFields")
# Parser events of all parts together: 10,000 Deployments make 2.6 million. So many take 1.7 GB.
MAX_DUMP_EVENTS = 5_000_000
_TOO_MANY = f"the dump is too large: more than {MAX_DUMP_EVENTS:,} keys, values and ends of blocks"
# Kinds whose status is long and says nothing about GPUs.
_WORDY = ("CronJob", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")
_KIND = rf"^ {{{{{{}}}}}}kind: (?:{'|'.join(_WORDY)})\r?$"


@dataclass(eq=False)
class Dump:
    """A source file that is a List of live objects.

    source  the file as it was read
    text    its text
    listed  where its items are
    parts   the items that are worth reading, each a file of its own whose text is a List with this item
    """

    source: SourceFile
    text: SourceText
    listed: Listed
    parts: list[ParsedFile] = field(default_factory=list)

    @property
    def whole(self) -> ParsedFile:
        """The file itself, with no documents: what is found in it is found in its parts."""
        return ParsedFile(self.source, self.text, [])


# Items, and characters of them, that are looked at for a uid: templates that a conversion made stand among them.
_LOOKED_AT = 100
_MAX_LOOKED_AT = 10_000_000


class _Frame(NamedTuple):
    """What stands round an item in the text of its part."""

    head: Span | str
    tail: Span | str


def _is_list(text: SourceText, listed: Listed) -> bool:
    """Whether what stands round the items makes them a List."""
    documents = compose("".join(listed.around(text.text)))
    if len(documents) != 1 or documents[0].root is None or documents[0].template:
        return False
    root = documents[0].root
    items = get(root, "items")
    empty = items is not None and not items.items and (items.kind != SCALAR or not items.text)
    return empty and string(get(root, "kind")) == "List" and string(get(root, "apiVersion")) == "v1"


def _json_cuts(text: str, item: Span) -> Iterator[Span]:
    """What is left out of an item of JSON: what the brackets hold."""
    wordy = False
    for member in members(text, item[0]):
        if member.key == "metadata" and text[member.start] == "{":
            for inner in members(text, member.start):
                if inner.key == _MANAGED[-1] and text[inner.start] in "{[":
                    yield inner.start + 1, inner.end - 1
        elif member.key == "kind":
            wordy = text[member.start + 1 : member.end - 1] in _WORDY
        elif member.key == _STATUS[-1] and text[member.start] in "{[" and wordy:
            yield member.start + 1, member.end - 1


def _block_cuts(text: str, item: Span, indent: int) -> Iterator[Span]:
    """What is left out of an item of block YAML: the lines below a key."""
    for path in (_STATUS, _MANAGED):
        if path is _STATUS and not re.compile(_KIND.format(indent + 2), re.MULTILINE).search(text, *item):
            continue
        column = indent + 2 * len(path)
        key = re.compile(rf"^ {{{column}}}{path[-1]}:[ ]*\r?\n", re.MULTILINE).search(text, *item)
        if key is None:
            continue
        # A sequence may stand as far left as its key.
        end = re.compile(rf"^(?! {{{column}}}[ -]|[ ]*\r?$)", re.MULTILINE).search(text, key.end(), item[1])
        stop = end.start() if end is not None else item[1]
        if stop > key.end():
            yield key.end(), stop


def _cuts(dump: Dump, item: Span) -> list[Span]:
    text, indent = dump.text.text, dump.listed.indent
    return sorted(_json_cuts(text, item) if indent is None else _block_cuts(text, item, indent))


def _ranges(item: Span, cuts: Sequence[Span]) -> Iterator[Span]:
    """The ranges of an item that are left; the last may be empty, and says where the item ends."""
    position = item[0]
    for start, end in cuts:
        yield position, start
        position = end
    yield position, item[1]


def _cut_as_meant(part: ParsedFile, excerpt: Excerpt, cuts: Sequence[Span]) -> bool:
    """Whether each cut emptied the value of the key it was made for, and nothing else."""
    root, whole = part.documents[0].root, excerpt.whole.text
    emptied = 0
    for path in (_STATUS, _MANAGED):
        node = get(root, "items", 0, *path)
        if node is not None and not node.items and not node.text:
            at = excerpt.origin(node.start)
            emptied += any(at <= start and not whole[at:start].strip(" \t\r\n{[") for start, _ in cuts)
    return emptied == len(cuts)


def _begin(dump: Dump, item: Span) -> int:
    """Where an item begins with the blanks before it: what is inserted before it may stand before these."""
    text, begin = dump.text.text, item[0]
    while dump.listed.indent is None and text[begin - 1] in " \t\r\n":
        begin -= 1
    return begin


class Read(NamedTuple):
    """An item that was read as a file of its own, and the ranges of its text that are in it."""

    part: ParsedFile
    ranges: Sequence[Span]


def _read(dump: Dump, item: Span, frame: _Frame) -> Read | None:
    """An item as a file of its own; None where it cannot be read without the others."""
    cuts = _cuts(dump, item)
    ranges = list(_ranges((_begin(dump, item), item[1]), cuts))
    excerpt = Excerpt(dump.text, (frame.head, "", *ranges, frame.tail))
    source = SourceFile(dump.source.name, dump.source.path, excerpt.text.encode(dump.text.encoding))
    part = parse_text(source, excerpt)
    if part.problems or len(part.documents) != 1 or part.documents[0].template:
        return None
    items = get(part.documents[0].root, "items")
    if items is None or len(items.items) != 1 or items.items[0].kind != MAP or not part.objects:
        return None
    return Read(part, ranges) if _cut_as_meant(part, excerpt, cuts) else None


def _frame(dump: Dump) -> _Frame:
    text, listed = dump.text.text, dump.listed
    if listed.indent is None:
        return _Frame((0, _begin(dump, listed.items[0])), (listed.items[-1][1], len(text)))
    # What is below the items may end a string that one of them leaves open.
    line_break = "\r\n" if "\r\n" in text[: listed.items[0][0]] else "\n"
    return _Frame(f"apiVersion: v1{line_break}kind: List{line_break}items:{line_break}", "")


def _is_live(text: str, listed: Listed) -> bool:
    """Whether one of the first items is an object that a cluster has: it has a uid."""
    block = listed.indent is not None
    left = _MAX_LOOKED_AT
    for start, end in listed.items[:_LOOKED_AT]:
        left -= end - start
        if left < 0:
            return False
        if "uid" in text[start:end]:
            root = compose(f"items:\n{text[start:end]}" if block else text[start:end])[0].root
            if string(get(get(root, "items", 0) if block else root, "metadata", "uid")) is not None:
                return True
    return False


def find_dump(source: SourceFile) -> Dump | None:
    """The file as a dump: a v1 List that has an object with a `metadata.uid`; None for other files.

    Only where its items stand is known then; `read_parts` reads them.
    """
    try:
        text = decode(source.data, source.name)
    except InputError:
        return None
    listed = json_items(text.text, "items") or block_items(text.text, "items")
    if listed is None or not _is_list(text, listed) or not _is_live(text.text, listed):
        return None
    return Dump(source, text, listed)


class Budget:
    """How much of a dump may still be kept as nodes."""

    def __init__(self) -> None:
        self._left = MAX_DUMP_EVENTS

    def spend(self, part: ParsedFile) -> None:
        """Raises InputError where the part is one too many."""
        self._left -= part.documents[0].events
        if self._left < 0:
            advice = "dump the namespaces one by one (kubectl get -n NAME)"
            raise InputError(_TOO_MANY, part.place(part.objects[0].node.start), advice)


def read_parts(dump: Dump, words: Sequence[bytes], tick: Callable[[int], object] | None = None) -> bool:
    """Read the items that hold one of the words into `dump.parts`; False where they cannot be read alone.

    tick: called with the number of items that were looked at since it was called last

    Raises InputError where the items are more than can be held.
    """
    budget = Budget()
    wanted = document_filter(words)
    frame = _frame(dump)
    whole = Whole(dump.parts)
    if any(isinstance(side, tuple) and wanted(dump.text.text[slice(*side)]) for side in frame):
        return False
    for item in dump.listed.items:
        if wanted(dump.text.text[slice(*item)]):
            found = _read(dump, item, frame)
            if found is None:
                return False
            budget.spend(found.part)
            found.part.part_of = whole
            dump.parts.append(found.part)
        if tick is not None:
            tick(1)
    return True


def items_of(dump: Dump) -> Iterator[Read | InputError]:
    """All items of a dump, read when they are asked for; an InputError for one that cannot be read alone."""
    frame = _frame(dump)
    for item in dump.listed.items:
        found = _read(dump, item, frame)
        if found is None:
            place = Place(dump.source.name, *dump.text.position(item[0]))
            yield InputError(
                "the object cannot be read without the list around it", place, "write it plainly"
            )
        else:
            yield found
