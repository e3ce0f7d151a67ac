"""Which object a path of a file belongs to, and which objects hold that one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from dralint.kube.objects import KubeObject, ParsedFile
from dralint.yamltext.node import SCALAR
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, Plain, get


# A conversion looks at one file after the other.
@lru_cache(maxsize=2)
def _by_place(file: ParsedFile) -> Mapping[tuple[int, Path], KubeObject]:
    return {(obj.document, obj.path): obj for obj in file.objects if obj.ref.kind is not None}


def holding(file: ParsedFile, document: int, path: Path) -> Iterator[KubeObject]:
    """The objects that a path of a document lies in, the innermost first."""
    places = _by_place(file)
    for length in range(len(path), -1, -1):
        obj = places.get((document, path[:length]))
        if obj is not None:
            yield obj


def _around(obj: KubeObject) -> Iterator[KubeObject]:
    yield obj
    yield from holding(obj.file, obj.document, obj.path[:-1]) if obj.path else ()


def named_object(obj: KubeObject) -> KubeObject:
    """The object itself, or the nearest one around it that has a name: what an AppWrapper holds may have none."""
    return next((each for each in _around(obj) if each.ref.name or each.generate_name), obj)


def namespace_of(obj: KubeObject) -> Plain:
    """The namespace as it is written; None where neither the object nor one that holds it has one."""
    for each in _around(obj):
        node = get(each.node, "metadata", "namespace")
        if node is not None and node.kind == SCALAR and (value := resolve(node)) is not None:
            return value
    return None
