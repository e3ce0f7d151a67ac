"""Aliases: everything an edit of an anchored node changes must be meant to change the same way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dralint.yamltext.action import Action
from dralint.yamltext.node import ALIAS, MAP, Node, deref
from dralint.yamltext.operations import Remove, Rename, Replace
from dralint.yamltext.piece import Refused
from dralint.yamltext.scalars import is_merge_key, key_text
from dralint.yamltext.sheet import Sheet
from dralint.yamltext.tree import subtree
from dralint.yamltext.view import Path, field_path

# More uses of one node than this are no manifest; the paths would fill the memory.
_MAX_USES = 1000


class _Uses:
    """The paths by which a document's nodes are reached, what is removed left out."""

    def __init__(self, sheet: Sheet, gone: set[int]) -> None:
        self.sheet = sheet
        self.gone = gone
        self.known: dict[int, set[Path]] = {}

    def of(self, node: Node) -> set[Path]:
        found = self.known.get(id(node))
        if found is not None:
            return found
        paths: set[Path] = set()
        for place in (node, *self.sheet.tree.aliases.get(id(node), ())):
            if id(place) not in self.gone:
                paths |= self._of_place(place)
            if len(paths) > _MAX_USES:
                raise Refused("too many aliases stand for this", node.start)
        self.known[id(node)] = paths
        return paths

    def _of_place(self, place: Node) -> set[Path]:
        parent = self.sheet.tree.parents.get(id(place))
        if parent is None:
            return {()}
        container, index = parent
        step: str | int | None = index
        if container.kind == MAP:
            key = container.items[index - index % 2]
            if index % 2 == 0:
                raise Refused("an alias uses this as a key", place.start)
            if is_merge_key(key):
                raise Refused("a merge key `<<` uses this", key.start)
            step = key_text(deref(key))
            if step is None or len(self.sheet.positions(container).get(str(step), ())) != 1:
                raise Refused(f"the key {step} stands twice in one mapping", key.start)
        assert step is not None
        return {(*path, step) for path in self.of(container)}


def _gone(sheet: Sheet, actions: list[Action]) -> set[int]:
    """The ids of the nodes that are removed with their entries, or are replaced aliases."""
    gone: set[int] = set()
    for action in actions:
        if action.number is None:
            continue
        if isinstance(action.operation, Remove):
            written = [sheet.value(action.container, action.number)]
            if action.container.kind == MAP:
                written.append(action.container.items[2 * action.number])
            gone.update(id(each) for top in written for each in subtree(top))
        elif isinstance(action.operation, Replace):
            value = sheet.value(action.container, action.number)
            if value.kind == ALIAS:
                gone.add(id(value))
    return gone


def _check_anchors(sheet: Sheet, action: Action, gone: set[int]) -> None:
    """Refuse to remove or replace a node with an anchor that an alias still stands for."""
    if action.number is None or isinstance(action.operation, Rename):
        return
    tops = [sheet.value(action.container, action.number)]
    if isinstance(action.operation, Remove) and action.container.kind == MAP:
        tops.append(action.container.items[2 * action.number])
    for top in tops:
        for node in subtree(top):
            for alias in sheet.tree.aliases.get(id(node), ()):
                if id(alias) not in gone:
                    raise Refused(f"the anchor &{node.anchor} is used elsewhere", alias.start, action.group)


def wrong_uses(sheet: Sheet, actions: list[Action]) -> Iterator[Refused]:
    """A refusal for every action that would change what it is not meant to change."""
    if not sheet.tree.aliases:
        return
    gone = _gone(sheet, actions)
    uses = _Uses(sheet, gone)
    meant: dict[tuple[object, ...], Counter[Path]] = {}
    for action in actions:
        meant.setdefault(action.physical, Counter())[action.place] += 1
    for action in actions:
        try:
            _check_anchors(sheet, action, gone)
            needed = uses.of(action.container)
        except Refused as refused:
            yield Refused(refused.what, refused.offset, action.group)
            continue
        counts = meant[action.physical]
        others = [path for path in needed if counts[path] != counts[action.place]]
        if others:
            where = field_path(min(others, key=field_path)) or "the document"
            yield Refused(f"{where} has the same text through an alias", action.container.start, action.group)
