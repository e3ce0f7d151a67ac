"""Which object a path of a file belongs to, which objects hold that one, and where its templates stand."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from dralint.kube.kinds import is_cluster_scoped
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.source.find import STDIN_NAME
from dralint.yamltext.node import SCALAR
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, Plain, get, string


def location(file: ParsedFile) -> str | None:
    """The absolute path of the file; of standard input the one that --stdin-filename gives it."""
    path = file.file.path
    if path is None and file.file.name == STDIN_NAME:
        return None
    return os.path.abspath(path or file.file.name)


class Spot(NamedTuple):
    """Where a template goes: into the list at `path` before the item `index`, or before the document."""

    document: int
    path: Path | None = None
    before: int = 0


# A conversion looks at one file after the other.
@lru_cache(maxsize=2)
def _by_place(file: ParsedFile) -> Mapping[tuple[int, Path], KubeObject]:
    return {(obj.document, obj.path): obj for obj in file.objects if obj.ref.kind is not None}


# Objects that refer to others follow each other.
@lru_cache(maxsize=2)
def names_in(file: ParsedFile) -> frozenset[tuple[str, str | None, str | None]]:
    """Group, kind and name of the objects of a file."""
    return frozenset((obj.group, obj.ref.kind, obj.ref.name) for obj in file.objects)


def holding(file: ParsedFile, document: int, path: Path) -> Iterator[KubeObject]:
    """The objects that a path of a document lies in, the innermost first."""
    places = _by_place(file)
    for length in range(len(path), -1, -1):
        obj = places.get((document, path[:length]))
        if obj is not None:
            yield obj


def with_holders(obj: KubeObject) -> Iterator[KubeObject]:
    """The object, and those that hold it: a Job, and the AppWrapper round it."""
    yield obj
    yield from holding(obj.file, obj.document, obj.path[:-1]) if obj.path else ()


def applied(obj: KubeObject) -> KubeObject:
    """The object that kubectl and kustomize know it by: the one around it, or itself, also as an item of a List."""
    return [*with_holders(obj)][-1]


def spot_of(obj: KubeObject) -> Spot:
    """Before the item of the List that the object is or stands in, else before its document."""
    root = obj.file.documents[obj.document].root
    for length in range(len(obj.path), 1, -1):
        index, field = obj.path[length - 1], obj.path[length - 2]
        if not isinstance(index, int):
            continue
        kind = string(get(root, *obj.path[: length - 2], "kind"))
        if (field, kind) in (("items", "List"), ("objects", "Template")):
            return Spot(obj.document, obj.path[: length - 1], index)
    return Spot(obj.document)


def _beside(obj: KubeObject) -> list[KubeObject]:
    """The object and its holders up to the one that its templates stand beside.

    A template beside an AppWrapper is made where the AppWrapper is; one among the objects of an
    OpenShift Template is made where those are, wherever the Template itself is.
    """
    spot = spot_of(obj)
    depth = 0 if spot.path is None else len(spot.path) + 1
    return [each for each in with_holders(obj) if len(each.path) >= depth]


def named_object(obj: KubeObject) -> KubeObject:
    """The object itself, or the nearest one around it that has a name: what an AppWrapper holds may have none."""
    return next((each for each in _beside(obj) if each.ref.name or each.generate_name), obj)


def outermost(obj: KubeObject) -> KubeObject:
    """The object that is applied as a whole: the AppWrapper round a Job."""
    return _beside(obj)[-1]


def may_share_namespace(one: KubeObject, other: KubeObject) -> bool:
    """Whether two objects can be in one namespace: an absent one may turn out to be any."""
    namespaces = {namespace_of(one), namespace_of(other)}
    return len(namespaces) == 1 or None in namespaces


def may_be_referred_to(obj: KubeObject, user: KubeObject) -> bool:
    """Whether a namespaced object that names one like this can mean it: in its namespace, or of the whole cluster."""
    return is_cluster_scoped(obj.group, obj.ref.kind or "") or may_share_namespace(user, obj)


def namespace_of(obj: KubeObject) -> Plain:
    """The namespace as it is written; None where neither the object nor one that holds it has one."""
    for each in _beside(obj):
        node = get(each.node, "metadata", "namespace")
        if node is not None and node.kind == SCALAR and (value := resolve(node)) is not None:
            return value
    return None
