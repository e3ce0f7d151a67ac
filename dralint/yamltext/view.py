"""Nodes as Kubernetes sees them: aliases followed, merge keys applied, the last duplicate winning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dralint.yamltext.node import ALIAS, MAP, SCALAR, SEQ, Node, deref, pairs
from dralint.yamltext.scalars import is_merge_key, key_text, resolve

Path = tuple[str | int, ...]
Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
MAX_NODES = 2_000_000


class TooLarge(Exception):
    """Following the aliases makes more than MAX_NODES nodes; Go refuses such documents, too."""


class Entry(NamedTuple):
    """One effective entry of a mapping.

    key     the key node that counts
    value   the value node as written: an ALIAS node where it is an alias
    merged  it comes in through a merge key `<<`
    """

    key: Node
    value: Node
    merged: bool = False


def entries(mapping: Node) -> dict[str, Entry]:
    """The effective entries of a mapping by key, in the order of first appearance; none of what is no mapping.

    As Go reads them: of duplicate keys the last counts, and `<<` overwrites what stands before it.
    """
    cached = mapping.cache
    if isinstance(cached, dict):
        return cached
    found: dict[str, Entry] = {}
    if mapping.kind != MAP:
        return found
    items = mapping.items
    # Every mapping of a file comes here: no generator, and no call that can be spared.
    for index in range(0, len(items), 2):
        key = items[index]
        if key.text == "<<" and is_merge_key(key):
            for merged_mapping in _merged(items[index + 1]):
                for merged_name, entry in entries(merged_mapping).items():
                    found[merged_name] = Entry(entry.key, entry.value, merged=True)
            continue
        name = key_text(deref(key) if key.kind == ALIAS else key)
        if name is not None:
            found[name] = Entry(key, items[index + 1])
    mapping.cache = found
    return found


def _merged(value: Node) -> list[Node]:
    """The mappings a merge key brings in, the one that wins last."""
    target = deref(value)
    if target.kind == MAP:
        return [target]
    if target.kind == SEQ:
        return [deref(item) for item in reversed(target.items) if deref(item).kind == MAP]
    return []


def duplicates(mapping: Node) -> list[tuple[str, Node]]:
    """Keys that stand more than once, with the node of each occurrence that does not count."""
    seen: dict[str, Node] = {}
    lost: list[tuple[str, Node]] = []
    for key, _ in pairs(mapping):
        name = key_text(deref(key))
        if name is None:
            continue
        if name in seen:
            lost.append((name, seen[name]))
        seen[name] = key
    return lost


def get(node: Node | None, *path: str | int) -> Node | None:
    """The node under a path of keys and indexes, aliases followed; None where there is none."""
    for step in path:
        if node is None:
            return None
        if node.kind == ALIAS:
            node = deref(node)
        if isinstance(step, int):
            if node.kind != SEQ or not -len(node.items) <= step < len(node.items):
                return None
            node = node.items[step]
        else:
            entry = entries(node).get(step) if node.kind == MAP else None
            node = entry.value if entry else None
    return deref(node) if node is not None else None


def children(node: Node | None) -> Sequence[Node]:
    """The items of a sequence, aliases followed; nothing for anything else."""
    if node is None:
        return ()
    node = deref(node)
    return [deref(item) for item in node.items] if node.kind == SEQ else ()


def string(node: Node | None) -> str | None:
    """The text of a scalar that Kubernetes reads as a string; None for anything else."""
    if node is None:
        return None
    node = deref(node)
    if node.kind != SCALAR:
        return None
    value = resolve(node)
    return value if isinstance(value, str) else None


def plain(node: Node | None, limit: int = MAX_NODES) -> Plain:
    """The node as plain Python data, as Kubernetes would decode it.

    Raises TooLarge when aliases multiply it beyond `limit` nodes. What cannot be a key is left out.
    """
    budget = [limit]
    return _plain(node, budget)


def _own(mapping: Node) -> dict[str, Node] | None:
    """The values of the effective entries; None where a merge key brings some in.

    For nodes that are looked at once, as those of a new text are: nothing is kept for the next time.
    """
    found: dict[str, Node] = {}
    items = mapping.items
    for index in range(0, len(items), 2):
        key = items[index]
        if key.text == "<<" and is_merge_key(key):
            return None
        name = key_text(deref(key) if key.kind == ALIAS else key)
        if name is not None:
            found[name] = items[index + 1]
    return found


def _plain(node: Node | None, budget: list[int]) -> Plain:
    budget[0] -= 1
    if budget[0] < 0:
        raise TooLarge
    if node is None:
        return None
    if node.kind == ALIAS:
        node = deref(node)
    if node.kind == SCALAR:
        return resolve(node)
    if node.kind == SEQ:
        return [_plain(item, budget) for item in node.items]
    own = _own(node) if node.cache is None else None
    if own is not None:
        return {name: _plain(value, budget) for name, value in own.items()}
    return {name: _plain(entry.value, budget) for name, entry in entries(node).items()}


def field_path(path: Path) -> str:
    """A path as Kubernetes writes it: `spec.devices.requests[0].exactly.count`, `limits[nvidia.com/gpu]`."""
    parts: list[str] = []
    for step in path:
        if isinstance(step, int) or "." in step or "/" in step or "[" in step:
            parts.append(f"[{step}]")
        else:
            parts.append(f".{step}" if parts else step)
    return "".join(parts)
