"""A project's own schemas (`openapi`): kustomize merges the lists of a kind that they lack as if it knew none."""

from __future__ import annotations

from functools import lru_cache

from dralint.kube.objects import KubeObject
from dralint.kube.read import parse_path
from dralint.yamltext.node import MAP
from dralint.yamltext.view import children, entries, get, string

Kind = tuple[str, str, str]


@lru_cache(maxsize=8)
def _kinds(path: str) -> frozenset[Kind] | None:
    """The kinds with a schema in a file: group, version, kind; None where it cannot be read."""
    file = parse_path(path)
    if file is None:
        return None
    found: set[Kind] = set()
    for document in file.documents:
        definitions = get(document.root, "definitions")
        for entry in (
            entries(definitions).values() if definitions is not None and definitions.kind == MAP else ()
        ):
            for named in children(get(entry.value, "x-kubernetes-group-version-kind")):
                group, version, kind = (string(get(named, key)) or "" for key in ("group", "version", "kind"))
                found.add((group, version, kind))
    return frozenset(found)


def has_kind(path: str, obj: KubeObject) -> bool:
    """Whether a file has a schema for the object's kind, or cannot be read, which kustomize refuses.

    Source: kustomize kyaml/openapi (SetSchema): the file takes the place of the schemas that are built in.
    """
    known = _kinds(path)
    return known is None or (obj.group, obj.version, obj.ref.kind or "") in known
