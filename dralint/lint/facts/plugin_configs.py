"""Configurations of the device plugin, also inside strings: `shared_resource`, for each resource that one shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.quantity import parse_count
from dralint.lint.facts.common import Surroundings
from dralint.lint.subject import Subject
from dralint.nvidia.resources import classify
from dralint.yamltext.compose import compose
from dralint.yamltext.node import ALIAS, MAP, SCALAR, SEQ, Node, deref
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, Plain, children, entries, get, string

KINDS = frozenset({"shared_resource"})
_WAYS = ("timeSlicing", "mps")
_SHARED = ".shared"
# What any configuration that shares holds, and how long one is at most.
_TELLING = b"replicas"
_LONGEST = 100_000
# Tries to read a string as a configuration, per file.
_MOST_STRINGS = 200


class SharedResource(NamedTuple):
    """A resource that a configuration shares.

    path        of the mapping or the string it stands in
    span        of its replicas in the file's text, None where the string does not show them as written
    advertised  the name that pods ask for
    fails       requests for more than one are refused
    both        the configuration has time-slicing and MPS; MPS wins
    """

    object: KubeObject
    path: Path
    span: tuple[int, int] | None
    resource: str
    way: str
    replicas: int | None
    advertised: str
    fails: bool
    both: bool


def _true(node: Node | None, default: bool) -> bool:
    value = resolve(node) if node is not None and node.kind == SCALAR else None
    return value if isinstance(value, bool) else default


def _of_config(
    obj: KubeObject, config: Node, path: Path, *, inside: bool, spans: bool
) -> Iterator[SharedResource]:
    """The resources of one configuration; inside: it stands in a string, whose path `path` is."""
    present = [way for way in _WAYS if children(get(config, "sharing", way, "resources"))]
    for way in present:
        section = get(config, "sharing", way)
        renamed = _true(get(section, "renameByDefault"), default=False)
        fails = _true(get(section, "failRequestsGreaterThanOne"), default=way == "mps")
        for index, item in enumerate(children(get(section, "resources"))):
            name, replicas = string(get(item, "name")), get(item, "replicas")
            if name is None or classify(name) is None or replicas is None:
                continue
            entry = entries(item)["replicas"]
            place: Path = (*path, "sharing", way, "resources", index, "replicas")
            yield SharedResource(
                obj,
                path if inside else place,
                (entry.key.start, entry.value.end) if inside and spans else None,
                name,
                way,
                parse_count(replicas).value,
                string(get(item, "rename")) or (name + _SHARED if renamed else name),
                fails,
                len(present) > 1,
            )


def _in_string(obj: KubeObject, node: Node, path: Path) -> Iterator[SharedResource]:
    """What a string says that parses to a configuration; the places of a literal one are those in the file."""
    if len(node.text) > _LONGEST or "sharing" not in node.text or "replicas" not in node.text:
        return
    text, literal = node.text, node.style == "|"
    if literal:
        whole = obj.file.text.text
        begin = whole.find("\n", node.start) + 1
        before = "".join("\n" if character == "\n" else " " for character in whole[:begin])
        text = before + whole[begin : node.end]
    for document in compose(text):
        if document.root is not None and document.root.kind == MAP and document.problem is None:
            yield from _of_config(obj, document.root, path, inside=True, spans=literal)


def _in_object(obj: KubeObject) -> Iterator[SharedResource]:
    waiting: list[tuple[Path, Node]] = [(obj.path, obj.node)]
    strings = 0
    while waiting:
        path, node = waiting.pop()
        if node.kind == SCALAR:
            if "\n" in node.text and strings < _MOST_STRINGS:
                strings += 1
                yield from _in_string(obj, node, path)
        elif node.kind == MAP:
            yield from _of_config(obj, node, path, inside=False, spans=False)
            below = [((*path, key), entry.value) for key, entry in entries(node).items()]
            waiting.extend(each for each in reversed(below) if each[1].kind != ALIAS)
        elif node.kind == SEQ:
            items = [((*path, index), item) for index, item in enumerate(node.items)]
            waiting.extend(each for each in reversed(items) if each[1].kind != ALIAS)


def shared_resources(files: Iterable[ParsedFile]) -> Iterator[SharedResource]:
    """The resources that configurations in some files share."""
    for file in files:
        if _TELLING in file.file.data and b"sharing" in file.file.data:
            for obj in file.objects:
                if not obj.template:
                    yield from _in_object(obj)


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The shared resources of an object's configurations."""
    if b"sharing" not in obj.file.file.data:
        return
    for each in _in_object(obj):
        facts: dict[str, Plain] = {
            "resource": each.resource,
            "advertised": each.advertised,
            "way": each.way,
            "replicas": each.replicas,
            "fails_above_one": each.fails,
            "both_ways": each.both,
        }
        found = around.subject("shared_resource", obj, each.path, facts)
        found.span = each.span
        yield found
