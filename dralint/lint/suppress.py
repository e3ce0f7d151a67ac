"""Read suppressions: `# dralint: ignore[RULE] reason` comments and `dralint.io/ignore` annotations."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.places import pod_specs
from dralint.lint.places import field
from dralint.lint.rule import Rule
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
    r"#\s*dralint\s*:\s*(?P<verb>[\w-]+)\s*(?:\[(?P<rules>[^\]]*)(?P<closed>\]?))?", re.IGNORECASE
)
_VERBS = ("ignore", "ignore-file")


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in (part.strip() for part in text.split(",")) if word)


def _said(text: str) -> tuple[str, tuple[str, ...], str | None] | None:
    """Verb, rules and what is wrong of a comment's text; None for a comment that is none of ours."""
    match = _COMMENT.search(text)
    if match is None:
        return None
    verb, rules = match["verb"].lower(), _words(match["rules"] or "")
    if verb not in _VERBS:
        meant = nearest(verb, _VERBS)
        return (verb, (), f"{verb!r} is no word of a suppression; did you mean {meant}?") if meant else None
    if match["rules"] is not None and not match["closed"]:
        return verb, (), "this suppression lacks its closing bracket"
    if rules:
        return verb, rules, None
    if verb == "ignore-file" and match["rules"] is None:
        return verb, (EVERY,), None
    return verb, (), f"this suppression names no rule; write # dralint: {verb}[RULE] reason"


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


def _by_first_line(file: ParsedFile) -> dict[int, list[tuple[Within, KubeObject | None]]]:
    """The objects of a file, and its documents as a whole, by the line they begin on."""
    found: dict[int, list[tuple[Within, KubeObject | None]]] = {}
    for index, document in enumerate(file.documents):
        if document.root is not None:
            found[file.text.position(document.root.start)[0]] = [(Within(index, ()), None)]
    for obj in file.objects:
        line = file.text.position(obj.node.start)[0]
        found.setdefault(line, []).append((Within(obj.document, obj.path), obj))
    return found


def _is_header(text: str) -> bool:
    """Whether a document is nothing but comments: those above the first `---` of a file."""
    return all(not line.strip() or line.lstrip()[0] == "#" for line in text.split("\n"))


def _holder(file: ParsedFile, document: int, offset: int) -> KubeObject | None:
    """The innermost object whose text a comment stands in."""
    around = [
        obj for obj in file.objects if obj.document == document and obj.node.start <= offset < obj.node.end
    ]
    return max(around, key=lambda obj: len(obj.path), default=None)


def _in_comments(file: ParsedFile, document: int) -> Iterator[Suppression]:
    text = file.text.text
    read = file.documents[document]
    if text.find(MARK, read.start, read.end) < 0:
        return
    found = list(comments(text, read))
    ours = [(each, said) for each in found if (said := _said(text[each.start : each.end])) is not None]
    if not ours:
        return
    alone = {file.text.position(each.start)[0] for each in found if each.alone}
    if document == 0 and _is_header(text[read.start : read.end]):
        alone.add(file.text.position(read.end)[0])
    last_of, first_lines = _tall(file, document), _by_first_line(file)
    for comment, (verb, rules, wrong) in ours:
        whole = verb == "ignore-file"
        own = file.text.position(comment.start)[0]
        lines = range(0) if whole else range(own, _last_line(own, alone, last_of) + 1)
        starting = [each for line in lines for each in first_lines.get(line, ())]
        end = comment.start + len(text[comment.start : comment.end].rstrip())
        yield Suppression(
            file, comment.start, end, rules, wrong, lines,
            tuple(within for within, _ in starting),
            whole,
            next((obj for _, obj in starting if obj is not None), _holder(file, document, comment.start)),
        )  # fmt: skip


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
            within=(Within(obj.document, place[:-1]),),
            object=obj,
            field=field(obj, (*place, "annotations", ANNOTATION)),
        )  # fmt: skip


def _of_file(file: ParsedFile) -> list[Suppression]:
    found = [each for index in range(len(file.documents)) for each in _in_comments(file, index)]
    if ANNOTATION.partition("/")[0] in file.text.text:
        for obj in file.objects:
            if not obj.template:
                found += _in_annotations(obj)
    return found


def suppressions(
    files: Sequence[ParsedFile], known: Sequence[Rule], ran: Sequence[Rule]
) -> Suppressions | None:
    """What the files suppress; None where nothing in them looks like it."""
    found = {file: _of_file(file) for file in files if MARK in file.text.text}
    return Suppressions(found, known, ran) if any(found.values()) else None
