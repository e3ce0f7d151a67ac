"""Configurations of the device plugin, also inside strings: `shared_resource`, for each that one shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.quantity import parse_count
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.embedded import Found, mappings
from dralint.lint.subject import Subject
from dralint.nvidia.resources import classify
from dralint.yamltext.node import SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, Plain, children, entries, get, string

KINDS = frozenset({"shared_resource"})
_WAYS = ("timeSlicing", "mps")
_SHARED = ".shared"
# What any configuration that shares holds.
_TELLING = ("sharing", "replicas")


class SharedResource(NamedTuple):
    """A resource that a configuration shares.

    path        of its replicas, or of the string that the configuration stands in
    span        of its replicas in the file, where they stand in a string
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


def _true(node: Node | None, *, default: bool) -> bool:
    value = resolve(node) if node is not None and node.kind == SCALAR else None
    return value if isinstance(value, bool) else default


def _of_mapping(obj: KubeObject, found: Found) -> Iterator[SharedResource]:
    """The resources that a mapping with `sharing` shares."""
    present = [way for way in _WAYS if children(get(found.node, "sharing", way, "resources"))]
    for way in present:
        section = get(found.node, "sharing", way)
        renamed = _true(get(section, "renameByDefault"), default=False)
        fails = _true(get(section, "failRequestsGreaterThanOne"), default=way == "mps")
        for index, item in enumerate(children(get(section, "resources"))):
            name, replicas = string(get(item, "name")), get(item, "replicas")
            if name is None or classify(name) is None or replicas is None:
                continue
            place = (*found.path, "sharing", way, "resources", index, "replicas")
            span = (entries(item)["replicas"].key.start, replicas.end)
            yield SharedResource(
                obj,
                found.path if found.inside else place,
                span if found.inside and found.placed else None,
                name,
                way,
                parse_count(replicas).value,
                string(get(item, "rename")) or (name + _SHARED if renamed else name),
                fails,
                len(present) > 1,
            )


def _of_object(obj: KubeObject) -> Iterator[SharedResource]:
    for found in mappings(obj, _TELLING):
        yield from _of_mapping(obj, found)


def shared_resources(files: Iterable[ParsedFile]) -> list[SharedResource]:
    """The resources that configurations in some files share."""
    return [
        each
        for file in files
        if all(word.encode() in file.file.data for word in _TELLING)
        for obj in file.objects
        if not obj.template
        for each in _of_object(obj)
    ]


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The shared resources of an object's configurations."""
    for each in _of_object(obj):
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
