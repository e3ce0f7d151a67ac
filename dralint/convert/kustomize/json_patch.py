"""What makes one plain object of another, as a JSON patch (RFC 6902) that fails where it does not fit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import SequenceMatcher

from dralint.yamltext.view import Path, Plain

Step = dict[str, Plain]
# Pairs of items that are compared at the most; past that the changed part of a list is written anew.
_MOST_COMPARED = 1_000_000


def pointer(path: Path) -> str:
    """A path as a JSON pointer (RFC 6901)."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def expect(path: Path, value: Plain) -> Step:
    """The step that fails unless the value stands there; None: unless nothing stands there.

    That nothing is null is no part of RFC 6902, but of the library that Kubernetes and kustomize use.
    Source: evanphx/json-patch patch.go (test).
    """
    return {"op": "test", "path": pointer(path), "value": value}


def _set(op: str, path: Path, value: Plain) -> Step:
    return {"op": op, "path": pointer(path), "value": value}


def _removed(path: Path, value: Plain) -> Iterator[Step]:
    if value is not None:
        yield expect(path, value)
    yield {"op": "remove", "path": pointer(path)}


def _in_mapping(before: dict[str, Plain], after: dict[str, Plain], path: Path) -> Iterator[Step]:
    for key, value in before.items():
        if key not in after:
            yield from _removed((*path, key), value)
    for key, value in after.items():
        if key in before:
            yield from steps(before[key], value, (*path, key))
        else:
            yield expect((*path, key), None)
            yield _set("add", (*path, key), value)


def _in_item(before: Plain, after: Plain, path: Path) -> Iterator[Step]:
    """Steps in an item that has a name, which must be the same: others may have come before it."""
    inside = list(steps(before, after, path))
    if inside and isinstance(before, dict) and isinstance(after, dict):
        name = before.get("name")
        if name is not None and name == after.get("name"):
            yield expect((*path, "name"), name)
    yield from inside


def _identity(item: Plain) -> str:
    """What an item of a list keeps when something in it changes."""
    if isinstance(item, dict):
        metadata = item.get("metadata")
        name = metadata.get("name") if isinstance(metadata, dict) else item.get("name")
        if isinstance(name, str):
            return json.dumps([item.get("apiVersion"), item.get("kind"), name])
    return json.dumps(item, sort_keys=True)


def _opcodes(before: list[Plain], after: list[Plain]) -> list[tuple[str, int, int, int, int]]:
    """What makes one list of the other, in the order of the lists."""
    old, new = [_identity(item) for item in before], [_identity(item) for item in after]
    shorter = min(len(old), len(new))
    first = next((index for index in range(shorter) if old[index] != new[index]), shorter)
    rest = shorter - first
    last = next((index for index in range(rest) if old[-1 - index] != new[-1 - index]), rest)
    old_end, new_end = len(old) - last, len(new) - last
    inner = [("replace", first, old_end, first, new_end)]
    if (old_end - first) * (new_end - first) < _MOST_COMPARED:
        matcher = SequenceMatcher(None, old[first:old_end], new[first:new_end], autojunk=False)
        inner = [
            (kind, start + first, end + first, new_start + first, new_stop + first)
            for kind, start, end, new_start, new_stop in matcher.get_opcodes()
        ]
    return [("equal", 0, first, 0, first), *inner, ("equal", old_end, len(old), new_end, len(new))]


def _in_list(before: list[Plain], after: list[Plain], path: Path) -> Iterator[Step]:
    # From the end: the indexes before it stay what they are.
    for kind, start, end, new_start, new_end in reversed(_opcodes(before, after)):
        if kind == "equal":
            for offset in reversed(range(end - start)):
                yield from _in_item(
                    before[start + offset], after[new_start + offset], (*path, start + offset)
                )
            continue
        for index in reversed(range(start, end)):
            yield from _removed((*path, index), before[index])
        at_end = end == len(before)
        for offset in range(new_end - new_start):
            yield _set("add", (*path, "-" if at_end else start + offset), after[new_start + offset])


def steps(before: Plain, after: Plain, path: Path = ()) -> Iterator[Step]:
    """The steps of the patch; every value that goes is first tested to be there."""
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _in_mapping(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _in_list(before, after, path)
    elif type(before) is not type(after) or before != after:
        yield expect(path, before)
        yield _set("replace", path, after)
