"""How a document is written near a place: indents, dashes, flow and JSON."""

from __future__ import annotations

from bisect import bisect_left

from dralint.yamltext.node import MAP, SEQ, Node, pairs
from dralint.yamltext.page import Page
from dralint.yamltext.render import BlockStyle, FlowStyle
from dralint.yamltext.tree import Tree


def _sequence(page: Page, key: Node, sequence: Node) -> tuple[int, int]:
    """The dash's columns after its key, and the blanks between dash and item."""
    start = page.body(sequence)
    item = page.body(sequence.items[0])
    same_line = page.line_start(item) == page.line_start(start)
    return page.column(start) - page.column(
        key.start
    ), item - start - 1 if same_line and item > start + 1 else 1


def _nearest_sequence(page: Page, tree: Tree, mapping: Node | None, offset: int) -> tuple[int, int]:
    """Dash and gap of a sequence in the same mapping, else of the one nearest in the text."""
    siblings = tree.siblings.get(id(mapping), tree.sequences)
    found = bisect_left(siblings, offset, key=lambda each: each[1].start)
    siblings = siblings[max(found - 1, 0) : found + 1]
    if not siblings:
        return 0, 1
    key, sequence = min(siblings, key=lambda each: abs(each[1].start - offset))
    return _sequence(page, key, sequence)


def _step_below(page: Page, tree: Tree, mapping: Node) -> int | None:
    """Columns between the keys of a block mapping and those of a block mapping in it."""
    if id(mapping) not in tree.steps:
        tree.steps[id(mapping)] = _measured_step(page, mapping)
    return tree.steps[id(mapping)]


def _measured_step(page: Page, mapping: Node) -> int | None:
    for key, value in pairs(mapping):
        if value.kind == MAP and not value.style and value.items:
            step = page.column(value.items[0].start) - page.column(key.start)
            if step > 0:
                return step
    return None


def _step(page: Page, tree: Tree, mapping: Node | None) -> int:
    """The indent of the nearest mapping in a mapping: below, beside or above."""
    node = mapping
    while node is not None:
        inside = node.items[:5] if node.kind == SEQ else [node]
        for each in inside:
            step = _step_below(page, tree, each) if each.kind == MAP and not each.style else None
            if step:
                return step
        found = tree.parents.get(id(node))
        node = found[0] if found else None
    step = _step_below(page, tree, tree.root) if tree.root.kind == MAP and not tree.root.style else None
    return step or 2


def block_style(page: Page, tree: Tree, container: Node | None, offset: int) -> BlockStyle:
    """How to write a block value as an entry of `container` at `offset`.

    Sequences take the dash of a sibling sequence, else of the nearest one of the document.
    """
    dash, gap = _nearest_sequence(page, tree, container, offset)
    return BlockStyle(_step(page, tree, container), dash, gap)


def item_gap(page: Page, dash: int, item: Node) -> int:
    """The blanks between a dash and its item, 1 where the item is not on the dash's line."""
    start = item.start
    return start - dash - 1 if page.line_start(start) == page.line_start(dash) and start > dash + 1 else 1


def _key_in(sequence: Node) -> Node | None:
    """The first key of the items of a flow sequence."""
    found = (item.items[0] for item in sequence.items if item.kind == MAP and item.style and item.items)
    return next(found, None)


def _first_key(container: Node, tree: Tree) -> Node | None:
    """The first key of the nearest flow mapping: this one, around it, or among its items."""
    node: Node | None = container
    while node is not None and node.style:
        if node.kind == MAP and node.items:
            return node.items[0]
        found = tree.parents.get(id(node))
        node = found[0] if found else None
    return _key_in(container) if container.kind == SEQ else None


def _compact(page: Page, key: Node) -> bool:
    """Whether nothing stands between a key's colon and its value, as in compact JSON."""
    after = page.text[key.end : key.end + 2]
    return len(after) == 2 and after[0] == ":" and after[1] not in " \t\r\n"


def flow_style(page: Page, tree: Tree, container: Node, *, lines: bool) -> FlowStyle:
    """How to write a value inside a flow collection. lines: the entries stand on lines of their own."""
    root = tree.root
    key = _first_key(container, tree)
    json = key is not None and key.style == '"'
    kyaml = bool(root.style) and not json
    first = root.items[0] if root.style and root.items else None
    spread = first is not None and page.first_on_line(first.start)
    step = page.indent(first.start) if first is not None and spread else ""
    if lines and container.items and not step:
        inner, outer = page.indent(container.items[0].start), page.indent(container.start)
        step = inner[len(outer) :] if inner.startswith(outer) else ""
    compact = json and key is not None and _compact(page, key)
    return FlowStyle(
        json=json,
        kyaml=kyaml,
        lines=(json or kyaml) and (lines or (spread and (kyaml or not container.items))),
        step=step or "  ",
        colon=":" if compact else ": ",
        comma="," if compact else ", ",
        line_break=page.line_break(container.start),
    )


def is_json(root: Node) -> bool:
    """Whether a document is a JSON object: a flow mapping with all keys in double quotes."""
    return root.kind == MAP and bool(root.style) and all(key.style == '"' for key in root.items[::2])
