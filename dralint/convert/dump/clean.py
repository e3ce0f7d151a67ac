"""An object of a dump as a text of its own: moved to the left, and without what the cluster wrote into it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dralint.convert.dump.live import scheduled
from dralint.convert.dump.owners import data
from dralint.convert.emptied import goes_with
from dralint.errors import InputError
from dralint.kube.dump import Dump, items_of
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.paths import follow, steps
from dralint.kube.places import pod_specs
from dralint.kube.read import parse_text
from dralint.source.file import SourceFile
from dralint.yamltext.excerpt import Excerpt
from dralint.yamltext.items import Span
from dralint.yamltext.operations import Edit, Operation, Remove
from dralint.yamltext.patch import patch
from dralint.yamltext.text import SourceText
from dralint.yamltext.verify import same
from dralint.yamltext.view import Path, TooLarge, get, plain

_INDENT = re.compile(r"[ \t]*")


class Item(NamedTuple):
    """An item of a dump that was read: its part, its object, and the ranges of its text that are left."""

    part: ParsedFile
    object: KubeObject
    ranges: Sequence[Span]


def _to_the_left(text: str, ranges: Sequence[Span], columns: int) -> Iterator[Span]:
    """The ranges of an item, each line without so many of its leading blanks."""
    fresh = False
    for start, end in ranges:
        position = start
        while position < end:
            stop = text.find("\n", position, end) + 1 or end
            if fresh:
                found = _INDENT.match(text, position, min(position + columns, stop))
                position = found.end() if found else position
            if position < stop:
                yield position, stop
            fresh = text[stop - 1] == "\n"
            position = stop


def _own_text(dump: Dump, item: Item) -> Excerpt:
    """The object's text, cut out and moved to the left."""
    text = dump.text.text
    begin, end = item.ranges[0][0], item.ranges[-1][1]
    if dump.listed.indent is None:
        begin = text.index("{", begin)
        line = text.rfind("\n", 0, begin) + 1
        blanks = text[line:begin]
        columns = 0 if blanks.strip() else len(blanks)
    else:
        columns = dump.listed.indent + 1
        while text[begin + columns] == " ":
            columns += 1
        begin += columns
    ranges = [(begin, item.ranges[0][1]), *item.ranges[1:]]
    line_break = "\r\n" if "\r\n" in text[begin:end] else "\n"
    ending = "" if text[end - 1] == "\n" else line_break
    return Excerpt(dump.text, (*_to_the_left(text, ranges, columns), ending))


def _written_by_server(obj: KubeObject, listed: KubeObject) -> Iterator[Path]:
    """The paths of what a cluster wrote into an object, from the object; listed: the same in the dump."""
    for entry in data()["server_set"]:
        if "kind" in entry and (entry["group"], entry["kind"]) != (obj.group, obj.ref.kind):
            continue
        unless = entry.get("unless")
        if unless is not None and next(follow(obj.node, steps(unless)), None) is not None:
            continue
        if entry.get("scheduled") and not all(map(scheduled, pod_specs(listed))):
            continue
        for match in follow(obj.node, steps(entry["path"])):
            if "key" not in entry:
                yield match.path
            elif get(match.node, entry["key"]) is not None:
                yield (*match.path, entry["key"])


def _operations(obj: KubeObject, listed: KubeObject) -> list[Operation]:
    gone = set(_written_by_server(obj, listed))
    whole = {goes_with(obj.node, path, gone, 1) for path in sorted(gone, key=str)}
    return [Remove(0, path) for path in sorted(whole, key=str)]


def _without(text: Excerpt, edits: Sequence[Edit]) -> Excerpt:
    """The text after edits that take something out of it."""
    parts: list[Span | str] = []
    position = 0
    for edit in edits:
        parts.append((position, edit.start))
        if edit.text:
            parts.append(edit.text)
        position = edit.end
    return Excerpt(text, (*parts, (position, len(text.text))))


def _parsed(dump: Dump, text: SourceText) -> ParsedFile:
    return parse_text(SourceFile(dump.source.name, dump.source.path, text.encode(text.text)), text)


def clean(dump: Dump, item: Item) -> ParsedFile:
    """The object as a file of its own, whose positions are those of the dump.

    Raises InputError where its text cannot stand alone.
    """
    place = item.part.place(item.object.node.start)
    text = _own_text(dump, item)
    alone = _parsed(dump, text)
    try:
        fits = len(alone.objects) == len(item.part.objects) and same(
            plain(alone.objects[0].node), plain(item.object.node)
        )
    except TooLarge:
        fits = False
    if not fits:
        raise InputError("the object cannot be cut out of the list", place, "write it into a file by hand")
    operations = _operations(alone.objects[0], item.object)
    patched = patch(text, alone.documents, [operations])
    if patched.refusals:
        what = f"what the cluster wrote into the object cannot be taken out: {patched.refusals[0].what}"
        raise InputError(what, place, "write it into a file by hand")
    return _parsed(dump, _without(text, patched.edits))


def read_items(dump: Dump) -> Iterator[Item | InputError]:
    """All items of a dump, one after the other; an InputError for one that cannot be read alone."""
    for found in items_of(dump):
        if isinstance(found, InputError):
            yield found
        else:
            part, ranges = found
            yield Item(part, part.objects[0], ranges)
