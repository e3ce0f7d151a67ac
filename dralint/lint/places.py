"""Field paths to places in files: what a finding points to, and what it calls that."""

from __future__ import annotations

import re
from typing import NamedTuple

from dralint.kube.objects import KubeObject
from dralint.lint.finding import Region
from dralint.yamltext.node import ALIAS, MAP, SCALAR, SEQ, Node, deref
from dralint.yamltext.view import Path, entries, field_path

_STEP = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")


def parse_field(text: str) -> Path:
    """`requests[0].exactly.count` and `limits[nvidia.com/gpu]` as a path; the inverse of `field_path`."""
    steps: list[str | int] = []
    for bracketed, name in _STEP.findall(text):
        steps.append(name or (int(bracketed) if bracketed.isdigit() else bracketed))
    return tuple(steps)


class Spot(NamedTuple):
    """The characters that stand for a field: its key with its value, if that is a scalar on one line."""

    start: int
    end: int


def _last_of_line(node: Node, text: str) -> int:
    """The end of what a node has on its first line; a block collection gives its first entry."""
    while node.kind in (MAP, SEQ) and not node.style and node.items:
        first = node.items[0]
        if node.kind == SEQ:
            node = first
            continue
        value = node.items[1]
        same_line = text.find("\n", first.start, value.start) < 0
        node = value if same_line and value.end > value.start else first
        if node is first:
            break
    line_end = text.find("\n", node.start)
    end = node.end if line_end < 0 else min(node.end, line_end)
    while end > node.start and text[end - 1].isspace():
        end -= 1
    return end


def _step(node: Node, step: str | int) -> tuple[Node, Node] | None:
    """The first node and the value node of an entry or item, aliases not followed."""
    if node.kind == SEQ and isinstance(step, int) and step < len(node.items):
        return node.items[step], node.items[step]
    if node.kind == MAP:
        entry = entries(node).get(str(step))
        if entry is not None:
            return entry.key, entry.value
    return None


def _nearest(root: Node, path: Path) -> tuple[Node, Node]:
    first, value = root, root
    for step in path:
        below = _step(deref(value), step)
        if below is None:
            break
        first, value = below
    return first, value


def node_at(root: Node, path: Path) -> Node:
    """The key, item or root of the field a path leads to, or of its nearest ancestor that exists."""
    return _nearest(root, path)[0]


def spot(root: Node, path: Path, text: str) -> Spot:
    """What to mark for a path; of a field that does not exist, its nearest ancestor."""
    first, value = _nearest(root, path)
    if first is value:
        return Spot(first.start, max(_last_of_line(first, text), first.start + 1))
    one_line = text.find("\n", first.start, value.end) < 0
    plain_value = value.kind in (SCALAR, ALIAS) or value.style in ("{", "[")
    end = value.end if plain_value and one_line and value.end > value.start else first.end
    return Spot(first.start, max(end, first.start + 1))


def region(obj: KubeObject, path: Path) -> Region:
    """Where a path from the root of the object's document stands in its file; of one that cannot be read its start."""
    document = obj.file.documents[obj.document]
    if document.root is None:
        return marked(obj, document.start, document.start + 1)
    return marked(obj, *spot(document.root, path, obj.file.text.text))


def marked(obj: KubeObject, start: int, end: int) -> Region:
    """The characters [start, end) of an object's file."""
    text = obj.file.text
    return Region(obj.file.file.name, *text.position(start), *text.position(end))


def field(obj: KubeObject, path: Path) -> str | None:
    """The path inside the object as Kubernetes writes it; None for the object itself."""
    return field_path(path[len(obj.path) :]) or None
