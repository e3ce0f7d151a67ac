"""Read suppressions: `# dralint: ignore[RULE] reason` comments and `dralint.io/ignore` annotations."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.places import pod_specs
from dralint.lint.places import field
from dralint.lint.rule import AnyRule
from dralint.lint.suppression import EVERY, Suppression, Suppressions, Within
from dralint.nvidia.nearest import nearest
from dralint.yamltext.comments import comments
from dralint.yamltext.node import MAP, SCALAR, deref
from dralint.yamltext.tree import subtree
from dralint.yamltext.view import entries, get, string

ANNOTATION = "dralint.io/ignore"
# A file without this word holds neither comments nor annotations for dralint.
MARK = "dralint"
_COMMENT = re.compile(
    r"#\s*dralint\s*:\s*(?P<verb>[\w-]+)(?:\s*\[(?P<rules>[^\]]*)(?P<closed>\]?))?", re.IGNORECASE
)
_VERBS = ("ignore", "ignore-file")


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in (part.strip() for part in text.split(",")) if word)


class _Said(NamedTuple):
    """What one marker of a comment says; wrong: why it can silence nothing."""

    verb: str
    rules: tuple[str, ...]
    wrong: str | None = None


def _read(match: re.Match[str]) -> _Said | None:
    """None for what is none of ours."""
    verb, rules = match["verb"].lower(), _words(match["rules"] or "")
    if verb not in _VERBS:
        meant = nearest(verb, _VERBS)
        return (
            _Said(verb, (), f"{verb!r} is no word of a suppression; did you mean {meant}?") if meant else None
        )
    if match["rules"] is not None and not match["closed"]:
        return _Said(verb, (), "this suppression lacks its closing bracket")
    if rules:
        return _Said(verb, rules)
    if verb == "ignore-file" and match["rules"] is None:
        return _Said(verb, (EVERY,))
    return _Said(verb, (), f"this suppression names no rule; write # dralint: {verb}[RULE] reason")


def _tall(file: ParsedFile, document: int) -> dict[int, int]:
    """The last line of scalars that take several, by the line they begin on."""
    root, position = file.documents[document].root, file.text.position
    found: dict[int, int] = {}
    for node in subtree(root) if root is not None else ():
        if node.kind == SCALAR and "\n" in file.text.text[node.start : node.end]:
            first = position(node.start)[0]
            found[first] = max(found.get(first, 0), position(node.end - 1)[0])
    return found


def _last_line(own: int, alone: Container[int], last_of: Mapping[int, int]) -> int:
    """The last line that a comment on line `own` is for: below comments with lines of their own."""
    line = own
    while line in alone:
        line += 1
    return max(line, last_of.get(line, line))


def _is_header(text: str) -> bool:
    """Whether a document is nothing but comments: those above the first `---` of a file."""
    return all(not line.strip() or line.lstrip()[0] == "#" for line in text.split("\n"))


class _Reader:
    """Reads the comments of one file."""

    def __init__(self, file: ParsedFile) -> None:
        self._file = file

    @cached_property
    def _first_lines(self) -> dict[int, list[tuple[Within, KubeObject | None]]]:
        """The objects of the file, and its documents as a whole, by the line they begin on."""
        file = self._file
        found: dict[int, list[tuple[Within, KubeObject | None]]] = {}
        for index, document in enumerate(file.documents):
            if document.root is not None:
                found[file.text.position(document.root.start)[0]] = [(Within(index, ()), None)]
        for obj in file.objects:
            line = file.text.position(obj.node.start)[0]
            found.setdefault(line, []).append((Within(obj.document, obj.path), obj))
        return found

    @cached_property
    def _objects(self) -> list[dict[int, list[KubeObject]]]:
        """The objects of each document in order, the innermost first; those of one depth hold none of each other."""
        found: list[dict[int, list[KubeObject]]] = [{} for _ in self._file.documents]
        for obj in sorted(self._file.objects, key=lambda obj: (-len(obj.path), obj.node.start)):
            found[obj.document].setdefault(len(obj.path), []).append(obj)
        return found

    def _holder(self, document: int, offset: int) -> KubeObject | None:
        """The innermost object whose text a comment stands in."""
        for objects in self._objects[document].values():
            index = bisect_right(objects, offset, key=lambda obj: obj.node.start)
            if index and offset < objects[index - 1].node.end:
                return objects[index - 1]
        return None

    def read(self, document: int) -> Iterator[Suppression]:
        """What the comments of a document suppress."""
        file, text, bounds = self._file, self._file.text.text, self._file.documents[document]
        if text.find(MARK, bounds.start, bounds.end) < 0:
            return
        found = list(comments(text, bounds))
        ours = [
            (each.start, match, said)
            for each in found
            for match in _COMMENT.finditer(text, each.start, each.end)
            if (said := _read(match)) is not None
        ]
        if not ours:
            return
        alone = {file.text.position(each.start)[0] for each in found if each.alone}
        if document == 0 and _is_header(text[bounds.start : bounds.end]):
            alone.add(file.text.position(bounds.end)[0])
        last_of = _tall(file, document)
        for start, match, said in ours:
            whole = said.verb == "ignore-file"
            own = file.text.position(start)[0]
            lines = range(0) if whole else range(own, _last_line(own, alone, last_of) + 1)
            starting = [each for line in lines for each in self._first_lines.get(line, ())]
            obj = next((obj for _, obj in starting if obj is not None), None)
            yield Suppression(
                file,
                match.start(),
                match.start() + len(text[match.start() : match.end()].rstrip()),
                said.rules,
                said.wrong,
                document,
                lines,
                tuple(within for within, _ in starting),
                whole,
                obj or self._holder(document, start),
            )


def _in_annotations(obj: KubeObject) -> Iterator[Suppression]:
    places = [(*obj.path, "metadata")]
    places += [pod.metadata for pod in pod_specs(obj) if pod.metadata is not None]
    root = obj.file.documents[obj.document].root
    for place in dict.fromkeys(places):
        annotations = get(root, *place, "annotations")
        entry = (
            entries(annotations).get(ANNOTATION)
            if annotations is not None and annotations.kind == MAP
            else None
        )
        if entry is None:
            continue
        value = string(entry.value) or ""
        rules = _words(value.partition(" --")[0])
        wrong = None if rules else f'this annotation names no rule; write {ANNOTATION}: "RULE -- reason"'
        node = deref(entry.value)
        yield Suppression(
            obj.file, entry.key.start, max(node.end, entry.key.end) if node.start > entry.key.start else entry.key.end,
            rules, wrong,
            document=obj.document,
            within=(Within(obj.document, place[:-1]),),
            object=obj,
            field=field(obj, (*place, "annotations", ANNOTATION)),
        )  # fmt: skip


def _of_file(file: ParsedFile) -> list[Suppression]:
    reader = _Reader(file)
    found = [each for index in range(len(file.documents)) for each in reader.read(index)]
    if ANNOTATION.partition("/")[0] in file.text.text:
        for obj in file.objects:
            if not obj.template:
                found += _in_annotations(obj)
    return found


def suppressions(
    files: Sequence[ParsedFile], known: Sequence[AnyRule], ran: Sequence[AnyRule]
) -> Suppressions | None:
    """What the files suppress; None where nothing in them looks like it."""
    found = {file: _of_file(file) for file in files if MARK in file.text.text}
    return Suppressions(found, known, ran) if any(found.values()) else None
