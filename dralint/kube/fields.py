"""What the API server asks of single fields of claims, classes, slices and pods, from data/fields.yaml."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from dralint.kube.paths import ITEMS, VALUES, steps
from dralint.kube.versions import Version
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP, SCALAR, SEQ, Node, deref
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, entries, get


class FieldRule(NamedTuple):
    """What is asked of a field; data/fields.yaml explains the keys.

    field  the path as data writes it; steps: the same in steps
    says   what the format is called
    """

    field: str
    steps: tuple[str, ...]
    required: bool
    unless: tuple[str, ...] | None
    format: str | None
    says: str
    of_keys: bool
    blank: bool
    choices: tuple[str, ...]
    most: int | None
    unit: str | None
    least: int | None
    unique: bool
    since: Version | None


class FieldValue(NamedTuple):
    """A field, or the key of one, with what is asked of it.

    path     from the place
    node     None: required and not there
    text     the string at it, or the key; None where it is no string
    repeats  an item before it in the same list has the same
    """

    rule: FieldRule
    path: Path
    node: Node | None
    text: str | None
    repeats: bool


def _rule(data: Mapping[str, Any], formats: Mapping[str, str]) -> FieldRule:
    unless, since = data.get("unless"), data.get("since")
    return FieldRule(
        data["path"],
        steps(data["path"]),
        data.get("required", False),
        steps(unless) if unless else None,
        data.get("format"),
        formats[data["format"]] if "format" in data else "",
        data.get("of_keys", False),
        data.get("blank", False),
        tuple(data.get("choices", ())),
        data.get("most"),
        data.get("unit"),
        data.get("least"),
        data.get("unique", False),
        Version(since) if since else None,
    )


@cache
def field_rules(place: str, kind: str | None = None) -> Sequence[FieldRule]:
    """What is asked of the fields of a place; kind: of the object, for the place `object`."""
    data: Any = load_data(os.path.join(os.path.dirname(__file__), "data", "fields.yaml"))
    return [
        _rule(field, data["formats"])
        for entry in data["places"]
        if entry["place"] == place and (kind is None or kind in entry["kinds"])
        for field in entry["fields"]
    ]


# Of longer lists, which the API server refuses for their length, the beginning is looked at.
_LOOKED_AT = 1000


class _Tree:
    """The rules of a place by the steps of their paths, so that one walk finds the fields of all.

    here    rules for what the path leads to
    wanted  rules that ask for a field in the mapping that the path leads to, with the field
    below   the trees of the next steps
    """

    __slots__ = ("below", "here", "wanted")

    def __init__(self) -> None:
        self.here: list[FieldRule] = []
        self.wanted: list[tuple[FieldRule, str]] = []
        self.below: dict[str, _Tree] = {}

    def at(self, path: Sequence[str]) -> _Tree:
        found = self
        for step in path:
            found = found.below.setdefault(step, _Tree())
        return found


@cache
def _tree(place: str, kind: str | None, version: Version) -> _Tree:
    top = _Tree()
    for rule in field_rules(place, kind):
        if rule.since is not None and version < rule.since:
            continue
        top.at(rule.steps).here.append(rule)
        if rule.required and not rule.of_keys:
            *parents, last = rule.steps
            top.at(parents).wanted.append((rule, last))
    return top


def _list_of(path: Path) -> Path:
    """The innermost list that holds a path, for what has to be unique in it."""
    last = max((index for index, step in enumerate(path) if isinstance(step, int)), default=0)
    return path[:last]


class _Walk:
    """One walk over a place.

    seen  texts that have to be unique, with their rule and the list they stand in
    """

    def __init__(self, place: Node) -> None:
        self._place = place
        self._seen: set[tuple[FieldRule, Path, str]] = set()

    def fields(self, tree: _Tree, node: Node, path: Path) -> Iterator[FieldValue]:
        value = resolve(node) if node.kind == SCALAR else node
        if value is not None:
            for rule in tree.here:
                yield from (
                    self._keys(rule, node, path) if rule.of_keys else self._value(rule, node, path, value)
                )
        if node.kind == MAP:
            known = entries(node)
            for rule, name in tree.wanted:
                entry = known.get(name)
                absent = entry is None or _is_null(deref(entry.value))
                if absent and (rule.unless is None or get(self._place, *rule.unless) is None):
                    yield FieldValue(rule, (*path, name), None, None, repeats=False)
        for step, below in tree.below.items():
            for key, child in _children(node, step):
                yield from self.fields(below, child, (*path, key))

    def _value(self, rule: FieldRule, node: Node, path: Path, value: object) -> Iterator[FieldValue]:
        text = value if isinstance(value, str) else None
        repeats = False
        if rule.unique and text is not None:
            place = (rule, _list_of(path), text)
            repeats = place in self._seen
            self._seen.add(place)
        yield FieldValue(rule, path, node, text, repeats)

    @staticmethod
    def _keys(rule: FieldRule, node: Node, path: Path) -> Iterator[FieldValue]:
        for key, entry in islice(entries(node).items(), _LOOKED_AT) if node.kind == MAP else ():
            yield FieldValue(rule, (*path, key), entry.value, key, repeats=False)


def _is_null(node: Node) -> bool:
    return node.kind == SCALAR and resolve(node) is None


def _children(node: Node, step: str) -> Iterable[tuple[str | int, Node]]:
    """What a step of a path leads to, aliases followed."""
    if node.kind == SEQ:
        items = node.items[:_LOOKED_AT] if step == ITEMS else ()
        return [(index, deref(item)) for index, item in enumerate(items)]
    if node.kind != MAP:
        return ()
    if step == VALUES:
        return [(key, deref(entry.value)) for key, entry in entries(node).items()]
    entry = entries(node).get(step)
    return () if entry is None else ((step, deref(entry.value)),)


def field_values(place: str, kind: str | None, node: Node, version: Version) -> Iterator[FieldValue]:
    """The fields at a place that a Kubernetes release checks, what holds others before them; nulls are absent."""
    return _Walk(node).fields(_tree(place, kind, version), deref(node), ())


def length(value: FieldValue) -> int | None:
    """Items of a list, entries of a mapping, bytes of a text; None for other values."""
    node = value.node
    if value.rule.unit is not None and node is not None and node.kind == MAP:
        import json

        from dralint.yamltext.view import plain

        return len(json.dumps(plain(node), separators=(",", ":"), ensure_ascii=False).encode())
    if value.text is not None:
        return len(value.text.encode("utf-8", "surrogatepass"))
    if node is None or node.kind == SCALAR:
        return None
    return len(entries(node)) if node.kind == MAP else len(node.items)
