"""What Kubernetes' decoder refuses in a document that parses; and the bound on what aliases multiply.

The decoder is sigs.k8s.io/yaml on go.yaml.in/yaml/v2; each message below was seen from kubectl.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from dralint.yamltext.events import MAX_DEPTH, Problem, Roots
from dralint.yamltext.node import ALIAS, MAP, SCALAR, SEQ, Node, deref
from dralint.yamltext.scalars import is_merge_key, key_text, resolve, tag_problem

# `{{ .Values.x }}` parses like this.
COLLECTION_KEY = "a mapping or sequence cannot be a key"
_SUSPECT_KEYS = frozenset({"", "~", "null", "Null", "NULL", "<<"})
_NOT_FINITE = (".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN")
# go.yaml.in/yaml/v2, decode.go: from 400,000 decoded nodes on, less and less of them may come from aliases.
_FREE_ALIASES, _FREE_NODES = 100, 1000
_LOW, _HIGH = 400_000, 4_000_000
_LOW_RATIO, _HIGH_RATIO = 0.99, 0.10
# Ours: what a walker of the expanded document can be asked to visit.
_MAX_EXPANDED = 2_000_000


def problems(text: str, found: Roots) -> Iterator[Problem]:
    """Why Kubernetes refuses the documents of `text`; COLLECTION_KEY may be the mark of a template."""
    for mapping in found.mappings:
        items = mapping.items
        for index in range(0, len(items), 2):
            key = items[index]
            if key.kind or key.text in _SUSPECT_KEYS:
                yield from _key_problems(key, items[index + 1])
    for node in found.tagged:
        what = tag_problem(node)
        if what:
            yield Problem(what, node.start)
    not_finite = any(word in text for word in _NOT_FINITE)
    for root, _ in found.roots:
        if root is not None and not_finite:
            yield from _not_finite(root)
        if root is not None and found.aliases:
            yield from _excessive_aliases(root)


def _key_problems(key: Node, value: Node) -> Iterator[Problem]:
    target = deref(key)
    if target.kind != SCALAR:
        yield Problem(COLLECTION_KEY, key.start)
    elif not is_merge_key(key) and key_text(target) is None:
        yield Problem("null cannot be a key", key.start)
    elif is_merge_key(key) and not _can_be_merged(value):
        yield Problem("the merge key `<<` needs a mapping or a list of mappings", key.start)


def _can_be_merged(value: Node) -> bool:
    if value.kind == SEQ:
        return all(deref(item).kind == MAP for item in value.items)
    return deref(value).kind == MAP


def _not_finite(root: Node) -> Iterator[Problem]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.kind == MAP:
            waiting.extend(node.items[1::2])
        elif node.kind == SEQ:
            waiting.extend(node.items)
        elif node.kind == SCALAR and not node.style:
            value = resolve(node)
            if isinstance(value, float) and not math.isfinite(value):
                yield Problem(f"`{node.text}` is not a number that JSON can hold", node.start)


def _excessive_aliases(root: Node) -> Iterator[Problem]:
    """Compare the nodes as written with those that the aliases make of them, without making them."""
    sizes: dict[int, tuple[int, int]] = {}
    written = 0
    waiting = [(root, False)]
    first_alias = None
    while waiting:
        node, visited = waiting.pop()
        if node.kind in (SCALAR, ALIAS):
            written += 1
            first_alias = first_alias or (node if node.kind == ALIAS else None)
        elif not visited:
            waiting.append((node, True))
            waiting.extend((child, False) for child in reversed(node.items))
        else:
            written += 1
            # An alias stands after its anchor, so its target has been measured.
            measured = [sizes.get(id(deref(child)), (1, 1)) for child in node.items]
            size = 1 + sum(each[0] for each in measured)
            depth = 1 + max((each[1] for each in measured), default=0)
            sizes[id(node)] = size, depth
            if depth > MAX_DEPTH:
                yield Problem(f"aliases nest more than {MAX_DEPTH} levels deep", node.start)
                return
    size = sizes.get(id(root), (1, 1))[0]
    aliased = size - written
    share = min(max((size - _LOW) / (_HIGH - _LOW), 0), 1)
    allowed = _LOW_RATIO - share * (_LOW_RATIO - _HIGH_RATIO)
    excessive = aliased > _FREE_ALIASES and size > _FREE_NODES and aliased / size > allowed
    if first_alias and (excessive or size > _MAX_EXPANDED):
        yield Problem("aliases multiply this document too much", first_alias.start)
