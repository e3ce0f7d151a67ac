"""The edits of a file as a unified diff that `git apply` and `patch -p1` take."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dralint.convert.model import FileResult
from dralint.yamltext.operations import Edit
from dralint.yamltext.text import SourceText

_CONTEXT = 3
_NO_NEWLINE = "\n\\ No newline at end of file\n"
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")


class Change(NamedTuple):
    """The lines of the old text from number `start` (from 0) on: `old` becomes `new`."""

    start: int
    old: list[str]
    new: list[str]


def _change(text: str, start: int, end: int, line: int, edits: Sequence[Edit]) -> Change:
    """What the edits do to the whole lines text[start:end]; equal lines at both ends are left out."""
    parts: list[str] = []
    position = start
    for edit in edits:
        parts += (text[position : edit.start], edit.text)
        position = edit.end
    old, new = _LINE.findall(text[start:end]), _LINE.findall("".join([*parts, text[position:end]]))
    same = 0
    shorter = min(len(old), len(new))
    while same < shorter and old[same] == new[same]:
        same += 1
    tail = 0
    while tail < shorter - same and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return Change(line + same, old[same : len(old) - tail], new[same : len(new) - tail])


def changes(source: SourceText, edits: Sequence[Edit]) -> Iterator[Change]:
    """The edits by lines; they stand in the order of the text and do not overlap.

    A line ends at a line feed only, as git counts them.
    """
    text = source.text
    starts = source.line_starts
    group: list[Edit] = []
    first = last = -1  # lines that the group touches; the line its last edit ends in belongs to it
    for edit in [*edits, None]:
        line = source.position(edit.start)[0] - 1 if edit else len(starts)
        if group and line > last:
            end = starts[last + 1] if last + 1 < len(starts) else len(text)
            change = _change(text, starts[first], end, first, group)
            if change.old or change.new:
                yield change
            group = []
        if edit:
            first = first if group else line
            last = source.position(edit.end)[0] - 1
            group.append(edit)


def _hunks(found: Sequence[Change]) -> Iterator[list[Change]]:
    """Changes whose context would touch stand in one hunk."""
    hunk: list[Change] = []
    for change in found:
        if hunk and change.start - (hunk[-1].start + len(hunk[-1].old)) > 2 * _CONTEXT:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _range(start: int, length: int) -> str:
    return f"{start + 1 if length else start},{length}"


def _body(lines: Sequence[str], hunk: Sequence[Change], start: int, stop: int) -> Iterator[str]:
    def marked(mark: str, some: Sequence[str]) -> Iterator[str]:
        return (mark + (line if line.endswith("\n") else line + _NO_NEWLINE) for line in some)

    position = start
    for change in hunk:
        yield from marked(" ", lines[position : change.start])
        yield from marked("-", change.old)
        yield from marked("+", change.new)
        position = change.start + len(change.old)
    yield from marked(" ", lines[position:stop])


def _quoted(name: str) -> str:
    """A file's name as git writes it in a diff: quoted where a character could be misread."""
    if name.isprintable() and '"' not in name and "\\" not in name:
        return f"{name}\t" if " " in name else name
    plain = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    parts = []
    for character in name:
        if character in plain:
            parts.append(plain[character])
        elif character.isprintable():
            parts.append(character)
        else:
            parts += (f"\\{byte:03o}" for byte in character.encode("utf-8", "surrogateescape"))
    return f'"{"".join(parts)}"'


def unified_diff(name: str, source: SourceText, edits: Sequence[Edit]) -> str:
    """The diff of one file, "" when the edits change nothing.

    name  the file's path with "/" between its parts, relative to where the diff is applied
    """
    if source.bom:
        edits = [Edit(edit.start + 1, edit.end + 1, edit.text) for edit in edits]
        source = SourceText("\ufeff" + source.text)
    found = list(changes(source, edits))
    if not found:
        return ""
    lines = _LINE.findall(source.text)
    parts = [f"--- {_quoted('a/' + name)}\n+++ {_quoted('b/' + name)}\n"]
    shift = 0
    for hunk in _hunks(found):
        start = max(0, hunk[0].start - _CONTEXT)
        stop = min(len(lines), hunk[-1].start + len(hunk[-1].old) + _CONTEXT)
        more = sum(len(change.new) - len(change.old) for change in hunk)
        old, new = _range(start, stop - start), _range(start + shift, stop - start + more)
        parts.append(f"@@ -{old} +{new} @@\n")
        parts.extend(_body(lines, hunk, start, stop))
        shift += more
    return "".join(parts)


def new_file_diff(name: str, text: str) -> str:
    """The diff that creates a file."""
    lines = _LINE.findall(text)
    body = "".join(_body([], [Change(0, [], lines)], 0, 0))
    return f"--- /dev/null\n+++ {_quoted('b/' + name)}\n@@ -0,0 +1,{len(lines)} @@\n{body}"


def diff_of(name: str, result: FileResult) -> str:
    """The diff of a file that a conversion changes, or makes; its name as for `unified_diff`."""
    if result.made:
        return new_file_diff(name, result.after.decode())
    return unified_diff(name, result.file.text, result.edits)
