"""Edits that several fixes share: moving what stands at one place of an object to another."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dralint.kube.dra import FLAT_FIELDS, ClaimSpec, Request
from dralint.kube.objects import KubeObject
from dralint.lint.run import Run
from dralint.lint.subject import Hit
from dralint.yamltext.node import MAP
from dralint.yamltext.operations import Operation, Put, Remove, Replace
from dralint.yamltext.view import Path, Plain, entries, get, plain

STABLE = "resource.k8s.io/v1"


def holds_comment(obj: KubeObject, *paths: Path) -> bool:
    """Whether a comment may stand in the text of one of the fields, so that moving it could lose it.

    A `#` inside a value counts as well: better one safe fix too few.
    """
    text = obj.file.text.text
    root = obj.file.documents[obj.document].root
    for path in paths:
        parent = get(root, *path[:-1])
        entry = entries(parent).get(str(path[-1])) if parent is not None and parent.kind == MAP else None
        if entry is None:
            return True
        end = text.find("\n", entry.value.end)
        if "#" in text[entry.key.start : end if end >= 0 else len(text)]:
            return True
    return False


def fixed(
    hit: Hit,
    run: Run,
    obj: KubeObject,
    make: Callable[[], Iterable[Operation] | None],
    moved: Iterable[Path] = (),
) -> Hit:
    """The hit with the operations of `make`, where the run wants fixes.

    moved: fields that are written anew elsewhere; where one may hold a comment the fix is unsafe
    """
    if not run.fixes:
        return hit
    operations = tuple(make() or ())
    unsafe = hit.applicability == "unsafe" or holds_comment(obj, *moved)
    return hit._replace(operations=operations, applicability="unsafe" if unsafe else "safe")


def flat_fields(request: Request) -> list[str]:
    """The fields of a request that stand directly in it and belong into `exactly` since v1beta2."""
    return [field for field in entries(request.node) if field in FLAT_FIELDS]


def nest(obj: KubeObject, request: Request) -> list[Operation] | None:
    """Move a request's flat fields into `exactly`; None where that would have to choose between two."""
    fields = flat_fields(request)
    values: dict[str, Plain] = {field: plain(get(request.node, field)) for field in fields}
    if not fields:
        return []
    keys = entries(request.node)
    if "firstAvailable" in keys:
        return None
    operations: list[Operation] = [Remove(obj.document, (*request.path, field)) for field in fields]
    exactly = get(request.node, "exactly")
    if exactly is not None and exactly.kind == MAP and exactly.items:
        if set(entries(exactly)) & set(fields):
            return None
        place = (*request.path, "exactly")
        return operations + [Put(obj.document, place, field, value) for field, value in values.items()]
    after = "name" if "name" in keys else None
    return [*operations, Put(obj.document, request.path, "exactly", values, after)]


def flatten(obj: KubeObject, request: Request) -> list[Operation] | None:
    """Move the content of a request's `exactly` into the request itself."""
    exactly = get(request.node, "exactly")
    if exactly is None or exactly.kind != MAP or set(entries(exactly)) & set(entries(request.node)):
        return None
    values = {field: plain(entry.value) for field, entry in entries(exactly).items()}
    return [
        Remove(obj.document, (*request.path, "exactly")),
        *(Put(obj.document, request.path, field, value) for field, value in values.items()),
    ]


def to_stable(spec: ClaimSpec) -> list[Operation] | None:
    """Take a claim, a template or a class of an older version to v1; None where it has no counterpart."""
    obj = spec.object
    operations: list[Operation] = [Replace(obj.document, (*obj.path, "apiVersion"), STABLE)]
    if any(get(obj.node, "spec", field) is not None for field in ("controller", "suitableNodes")):
        return None
    for request in spec.requests:
        nested = nest(obj, request)
        if nested is None:
            return None
        operations += nested
    return operations


def flat_paths(spec: ClaimSpec) -> list[Path]:
    """The paths of all fields that `to_stable` moves."""
    return [(*request.path, field) for request in spec.requests for field in flat_fields(request)]
