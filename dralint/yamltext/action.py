"""From operations on paths to actions on nodes, gathered into one change per collection."""

from __future__ import annotations

from typing import NamedTuple

from dralint.yamltext.node import ALIAS, MAP, SCALAR, SEQ, Node, deref
from dralint.yamltext.operations import Append, Insert, Operation, Put, Remove, Rename, Replace
from dralint.yamltext.piece import Refused
from dralint.yamltext.sheet import Sheet, is_null
from dralint.yamltext.view import Path, Plain


class Action(NamedTuple):
    """What one operation means for one collection.

    group      the group of the operation
    operation  the operation
    place      the path by which it reaches the collection
    container  the mapping or sequence that changes
    number     the entry that is removed, replaced, renamed or filled; None for what is added
    fills      the operation gives a null entry a value
    """

    group: int
    operation: Operation
    place: Path
    container: Node
    number: int | None
    fills: bool = False

    @property
    def physical(self) -> tuple[object, ...]:
        """What it does, without the path: the same for all uses of an aliased collection."""
        operation = self.operation
        assert isinstance(operation, (Remove, Replace, Rename, Put, Append, Insert))
        here = self.place == operation.path
        return id(self.container), self.number, here, repr(operation._replace(document=0, path=()))


def resolve_operation(sheet: Sheet, group: int, operation: Operation) -> Action:
    """The action of an operation on a path; raises Refused with the reason."""
    if isinstance(operation, (Put, Append, Insert)):
        return _addition(sheet, group, operation)
    assert isinstance(operation, (Remove, Replace, Rename))
    if not operation.path:
        raise Refused("the whole document cannot be removed or replaced", sheet.root.start)
    *above, step = operation.path
    container = deref(sheet.find(tuple(above)))
    index = sheet.index(container, step)
    if isinstance(operation, Replace):
        _check_replaced(sheet.value(container, index), operation.value)
    if isinstance(operation, Rename):
        _check_renamed(container, index)
        if sheet.entry(container, operation.key) is not None:
            raise Refused(f"the key {operation.key} exists already", container.items[2 * index].start)
    return Action(group, operation, tuple(above), container, index)


def _addition(sheet: Sheet, group: int, operation: Put | Append | Insert) -> Action:
    written = sheet.find(operation.path)
    container = deref(written)
    wanted = MAP if isinstance(operation, Put) else SEQ
    if is_null(container) and not isinstance(operation, Insert):
        if not operation.path or written.kind == ALIAS:
            raise Refused("an empty document or an alias of null cannot be filled", written.start)
        *above, step = operation.path
        parent = deref(sheet.find(tuple(above)))
        return Action(group, operation, tuple(above), parent, sheet.index(parent, step), fills=True)
    if container.kind != wanted:
        raise Refused("a mapping is needed" if wanted == MAP else "a sequence is needed", container.start)
    if isinstance(operation, Put):
        index = sheet.entry(container, operation.key)
        null = index is not None and is_null(sheet.value(container, index))
        return Action(group, operation, operation.path, container, index, fills=null)
    if isinstance(operation, Insert) and not 0 <= operation.index <= len(container.items):
        raise Refused(f"there is no item {operation.index}", container.start)
    return Action(group, operation, operation.path, container, None)


def _check_replaced(value: Node, new: Plain) -> None:
    if value.kind not in (SCALAR, ALIAS):
        raise Refused("only a scalar can be replaced", value.start)
    if value.style == ">" or (value.style == "|" and not isinstance(new, str)):
        raise Refused("a block scalar cannot be replaced", value.start)
    if value.tag is not None:
        raise Refused("a value with a tag cannot be replaced", value.start)


def _check_renamed(container: Node, index: int) -> None:
    if container.kind != MAP:
        raise Refused("only the key of a mapping can be renamed", container.start)
    key = container.items[2 * index]
    if key.kind == ALIAS or key.anchor is not None or key.tag is not None:
        raise Refused("a key with an anchor, alias or tag cannot be renamed", key.start)


class Added(NamedTuple):
    """A new entry (key None: item) before the entry number `gap` as it is now."""

    gap: int
    key: str | None
    value: Plain
    group: int


class Change:
    """All that happens to one mapping or sequence.

    removed, replaced, renamed, filled: by entry number; added in the order it is to be written
    group: the last group that has to do with it, to be refused if the whole cannot be done
    """

    __slots__ = ("added", "container", "filled", "group", "removed", "renamed", "replaced")

    def __init__(self, container: Node) -> None:
        self.container = container
        self.group = -1
        self.removed: dict[int, int] = {}
        self.replaced: dict[int, tuple[Plain, int]] = {}
        self.renamed: dict[int, tuple[str, int]] = {}
        self.filled: dict[int, tuple[Plain, int]] = {}
        self.added: list[Added] = []

    @property
    def size(self) -> int:
        """How many entries or items the collection has now."""
        return len(self.container.items) // 2 if self.container.kind == MAP else len(self.container.items)


def _fill(change: Change, index: int, action: Action) -> None:
    """Give a null entry its value; several Puts or Appends there make one mapping or sequence."""
    operation = action.operation
    assert isinstance(operation, (Put, Append))
    here = change.filled.get(index)
    if action.place == operation.path:
        if here is not None:
            raise Refused("two operations fill one null", change.container.start, action.group)
        change.filled[index] = operation.value, action.group
        return
    held = here[0] if here else None
    if isinstance(operation, Put):
        if isinstance(held, list) or (held is not None and operation.key in held):  # type: ignore[operator]
            raise Refused("two operations fill one null", change.container.start, action.group)
        value: Plain = {**(held or {}), operation.key: operation.value}  # type: ignore[dict-item]
    else:
        if isinstance(held, dict):
            raise Refused("two operations fill one null", change.container.start, action.group)
        value = [*(held or []), operation.value]  # type: ignore[misc]
    change.filled[index] = value, action.group


def _gap(sheet: Sheet, change: Change, operation: Put, new: dict[str, int]) -> int:
    """Where a new key goes: beside the named entry, in the place of the removed one, or last."""
    positions = sheet.positions(change.container)
    if operation.after in new:
        return new[operation.after]
    if operation.after in positions:
        return positions[operation.after][0] + 1
    if operation.before in new:
        return new[operation.before]
    if operation.before in positions:
        return positions[operation.before][0]
    return positions[operation.key][0] if operation.key in positions else change.size


def _add(sheet: Sheet, change: Change, action: Action, new: dict[str, int]) -> None:
    operation = action.operation
    if isinstance(operation, Put):
        if action.number is not None and action.number not in change.removed:
            key = change.container.items[2 * action.number]
            raise Refused(f"the key {operation.key} exists already", key.start, action.group)
        if operation.key in new:
            raise Refused(f"the key {operation.key} is added twice", change.container.start, action.group)
        new[operation.key] = _gap(sheet, change, operation, new)
        change.added.append(Added(new[operation.key], operation.key, operation.value, action.group))
    else:
        assert isinstance(operation, (Append, Insert))
        gap = operation.index if isinstance(operation, Insert) else change.size
        change.added.append(Added(gap, None, operation.value, action.group))


class _Gathering:
    """The changes so far, and the groups that cannot be carried out."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.changes: dict[int, Change] = {}
        self.new: dict[int, dict[str, int]] = {}
        self.uses: dict[tuple[object, ...], Path] = {}

    def note(self, action: Action) -> None:
        """Add an action to the change of its collection; raises Refused with the group."""
        if self.uses.setdefault(action.physical, action.place) != action.place:
            return  # another use of the same aliased collection
        sheet, changes, new = self.sheet, self.changes, self.new
        change = changes.setdefault(id(action.container), Change(action.container))
        change.group = max(change.group, action.group)
        operation = action.operation
        if action.fills:
            assert action.number is not None
            _fill(change, action.number, action)
        elif isinstance(operation, Remove):
            assert action.number is not None
            change.removed[action.number] = action.group
        elif isinstance(operation, Replace):
            assert action.number is not None
            old = sheet.value(action.container, action.number)
            # An empty value has no place of its own in the text.
            empty = old.kind == SCALAR and not old.style and sheet.page.body(old) == old.end
            kind = change.filled if empty else change.replaced
            kind[action.number] = operation.value, action.group
        elif isinstance(operation, Rename):
            assert action.number is not None
            change.renamed[action.number] = operation.key, action.group
        else:
            _add(sheet, change, action, new.setdefault(id(action.container), {}))

    def finish(self, change: Change) -> None:
        """Order what is added; raises Refused with the group where one key would come twice."""
        change.added.sort(key=lambda each: each.gap)
        names = [*self.new.get(id(change.container), ()), *(name for name, _ in change.renamed.values())]
        if len(set(names)) < len(names):
            raise Refused("two operations give the same key", change.container.start, change.group)


def gather(sheet: Sheet, actions: list[Action]) -> tuple[list[Change], list[Refused]]:
    """One change per collection, and a refusal, with its group, for what cannot be done.

    Of a collection that a refused group works on nothing more is said: without that group it may be right.
    """
    gathering = _Gathering(sheet)
    wrong: list[Refused] = []
    doubtful: set[int] = set()
    collections: dict[int | None, set[int]] = {}

    def refuse(refused: Refused) -> None:
        if not wrong:
            for each in actions:
                collections.setdefault(each.group, set()).add(id(each.container))
        wrong.append(refused)
        doubtful.update(collections[refused.group])

    removals_first = sorted(actions, key=lambda each: not isinstance(each.operation, Remove))
    for action in removals_first:
        if id(action.container) not in doubtful:
            try:
                gathering.note(action)
            except Refused as refused:
                refuse(refused)
    changes = [*gathering.changes.values()]
    for change in changes:
        if id(change.container) not in doubtful:
            try:
                gathering.finish(change)
            except Refused as refused:
                refuse(refused)
    return changes, wrong
