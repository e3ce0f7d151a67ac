"""Configurations of the device plugin, also inside strings: `shared_resource`, for each that one shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dralint.kube.embedded import Found, mappings
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.lint.facts.common import Surroundings
from dralint.lint.subject import Subject
from dralint.nvidia.plugin_config import replicated
from dralint.nvidia.resources import classify
from dralint.yamltext.view import Path, Plain, entries, get

KINDS = frozenset({"shared_resource"})
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


def _of_mapping(obj: KubeObject, found: Found) -> Iterator[SharedResource]:
    """The resources that a mapping with `sharing` shares."""
    for each in replicated(found.node):
        replicas = get(each.node, "replicas")
        if classify(each.resource) is None or replicas is None:
            continue
        place = (*found.path, "sharing", each.way, "resources", each.number, "replicas")
        span = (entries(each.node)["replicas"].key.start, replicas.end)
        yield SharedResource(
            obj,
            found.path if found.inside else place,
            span if found.inside and found.placed else None,
            each.resource,
            each.way,
            each.replicas,
            each.advertised,
            each.fails,
            each.both,
        )


def _of_object(obj: KubeObject) -> Iterator[SharedResource]:
    for found in mappings(obj, _TELLING):
        yield from _of_mapping(obj, found)


def shared_resources(files: Iterable[ParsedFile]) -> list[SharedResource]:
    """The resources that configurations in some files share."""
    return [
        each
        for file in files
        if all(file.holds(word.encode()) for word in _TELLING)
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
