"""Subjects of separators that kubectl reads in another way than people do: `separator`.

Source: k8s.io/apimachinery, pkg/util/yaml/decoder.go, and kubectl 1.37 as it behaves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dralint.kube.objects import KubeObject, ObjectRef, ParsedFile
from dralint.lint.facts.common import Surroundings
from dralint.lint.subject import Subject
from dralint.yamltext.node import MAP, Node
from dralint.yamltext.view import Plain

KINDS = frozenset({"separator"})
# A line that begins with `---` ends a document for kubectl, and may then hold nothing but a comment.
_DASHES = re.compile(r"^---(?P<rest>(?![ \t]*(?:#.*)?\r?$).+)$", re.MULTILINE)
# `...` with something else behind it than the end, a comment, or the next document.
_DOTS = re.compile(
    r"^\.\.\.[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*(?=[^\s#])(?!---|\.\.\.)", re.MULTILINE
)
# A carriage return alone is a line break for YAML and none for kubectl.
_RETURN = re.compile(r"\r---[ \t]*(?=\r)(?!\r\n)")
_LONGEST_SHOWN = 40


def _found(text: str) -> Iterator[tuple[str, int, int, str]]:
    """What, start, end and the rest of the line."""
    for match in _DASHES.finditer(text):
        rest = match["rest"].strip()
        what = "dashes" if rest.startswith("-") else "content"
        yield what, match.start(), match.end(), rest[:_LONGEST_SHOWN]
    for match in _DOTS.finditer(text):
        yield "dots", match.start(), match.start() + 3, ""
    for match in _RETURN.finditer(text):
        yield "return", match.start() + 1, match.start() + 4, ""


def _holder(file: ParsedFile, offset: int) -> KubeObject | None:
    """The object of the document at an offset, or a stand-in where that cannot be read; None in a template."""
    index = max((number for number, each in enumerate(file.documents) if each.start <= offset), default=None)
    if index is None or any(each.template for each in file.documents):
        return None
    for obj in file.objects:
        if obj.document == index and not obj.path:
            return None if obj.template else obj
    nothing = Node(MAP, "", (), offset, offset, "")
    return KubeObject(file, index, (), nothing, ObjectRef(None, None, None, None))


def text_subjects(file: ParsedFile, around: Surroundings) -> Iterator[Subject]:
    """The separators of a file that kubectl refuses, or behind which it reads nothing."""
    text = file.text.text
    if not ("\n---" in text or text.startswith("---") or "\n..." in text or "\r---" in text):
        return
    for what, start, end, rest in _found(text):
        obj = _holder(file, start)
        if obj is None:
            continue
        facts: dict[str, Plain] = {"what": what, "rest": rest}
        subject = around.subject("separator", obj, obj.path, facts)
        subject.span = (start, end)
        yield subject
