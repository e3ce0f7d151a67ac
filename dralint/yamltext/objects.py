"""The operations on plain objects instead of text: what a changed document must parse to.

Nothing here is shared with the modules that plan edits, so that a mistake there is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dralint.yamltext.operations import (
    HOLE,
    Append,
    Insert,
    InsertDocument,
    Operation,
    Put,
    Remove,
    Rename,
    Replace,
    Wrap,
)
from dralint.yamltext.view import Path, Plain

# What goes makes room first; all paths and keys are the old ones, so new names come last.
_ORDER = {Remove: 0, Rename: 2}


def _at(root: Plain, path: Path) -> Any:
    found: Any = root
    for step in path:
        found = found[step]
    return found


class _ListChange:
    """What happens to one list; its indexes stay as they were until all operations are known."""

    def __init__(self, items: list[Plain]) -> None:
        self.items = items
        self.dropped: set[int] = set()
        self.inserted: dict[int, list[Plain]] = {}

    def insert(self, index: int, value: Plain) -> None:
        self.inserted.setdefault(index, []).append(value)

    def carry_out(self) -> None:
        result: list[Plain] = []
        for index in range(len(self.items) + 1):
            result += self.inserted.get(index, ())
            if index < len(self.items) and index not in self.dropped:
                result.append(self.items[index])
        self.items[:] = result


def apply(root: Plain, operations: Sequence[Operation]) -> Plain:
    """The object after the operations; `root` is changed. Their paths are those of the old object."""
    lists: dict[int, _ListChange] = {}
    fresh: dict[tuple[int, str | int], Any] = {}
    parents: dict[int, Any] = {}

    def collection(path: Path, empty: Any) -> Any:
        """The collection at a path; for a null, the new one that will take its place."""
        found = _at(root, path)
        if found is not None:
            return found
        parent = _at(root, path[:-1])
        parents[id(parent)] = parent
        return fresh.setdefault((id(parent), path[-1]), empty)

    def places(operation: Operation) -> Any:
        if isinstance(operation, (Remove, Replace, Rename)):
            return _at(root, operation.path[:-1])
        if isinstance(operation, Put):
            return collection(operation.path, {})
        return collection(operation.path, []) if isinstance(operation, (Append, Insert)) else None

    wrapper: Plain = HOLE
    # All places are looked up before anything moves.
    work = [(operation, places(operation)) for operation in operations]
    for (parent, step), value in fresh.items():
        parents[parent][step] = value
    work.sort(key=lambda each: _ORDER.get(type(each[0]), 1))
    for operation, place in work:
        if isinstance(operation, Wrap):
            wrapper = operation.wrapper
        elif not isinstance(operation, InsertDocument):
            change = lists.setdefault(id(place), _ListChange(place)) if isinstance(place, list) else None
            _carry_out(operation, place, change)
    for change in lists.values():
        change.carry_out()
    return _fill_hole(wrapper, root)


def _carry_out(operation: Operation, place: Any, change: _ListChange | None) -> None:
    if isinstance(operation, Replace):
        place[operation.path[-1]] = operation.value
    elif isinstance(operation, Rename):
        place[operation.key] = place.pop(operation.path[-1])
    elif isinstance(operation, Put):
        place[operation.key] = operation.value
    elif isinstance(operation, Append) and change:
        change.insert(len(change.items), operation.value)
    elif isinstance(operation, Insert) and change:
        change.insert(operation.index, operation.value)
    elif isinstance(operation, Remove) and change:
        change.dropped.add(int(operation.path[-1]))
    elif isinstance(operation, Remove):
        del place[operation.path[-1]]


def _fill_hole(wrapper: Plain, root: Plain) -> Plain:
    if wrapper == HOLE:
        return root
    if isinstance(wrapper, dict):
        return {key: _fill_hole(value, root) for key, value in wrapper.items()}
    if isinstance(wrapper, list):
        return [_fill_hole(value, root) for value in wrapper]
    return wrapper
